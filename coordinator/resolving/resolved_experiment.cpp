#include "coordinator/resolving/resolved_experiment.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "applications/map_reduce/java_heap.h"
#include "coordinator/engine/replay.h"
#include "coordinator/resolving/calibrated_machines.h"
#include "coordinator/resolving/given_settings.h"
#include "coordinator/resolving/hadoop_sites.h"
#include "coordinator/resolving/master_containers.h"
#include "coordinator/resolving/named_files.h"
#include "coordinator/resolving/node_manager.h"
#include "coordinator/resolving/relocation_settings.h"
#include "coordinator/resolving/workload_choice.h"
#include "core/input_error.h"
#include "report/compared_figures.h"
#include "traces/scale_model.h"

namespace tracebed {
namespace {

// Settings that the refresh does not name stay.
SchedulerChoice refreshed(const SchedulerChoice& scheduler, const RefreshChoice& refresh) {
  SchedulerChoice choice = scheduler;
  choice.where = refresh.where;
  std::set<std::string_view> replaced;
  for (const Setting& setting : refresh.settings) replaced.insert(setting.key);
  std::erase_if(choice.settings,
                [&](const Setting& setting) { return replaced.contains(setting.key); });
  choice.settings.insert(choice.settings.end(), refresh.settings.begin(), refresh.settings.end());
  return choice;
}

// With the experiment's choice for all schedulers that have such a setting.
SchedulerChoice completed(const SchedulerRegistry& schedulers, const Experiment& experiment,
                          SchedulerChoice choice) {
  const Setting& given = experiment.ignore_unsupported;
  const SchedulerEntry* entry = schedulers.find(choice.name);
  if (given.where.empty() || entry == nullptr) return choice;
  const bool has_setting =
      std::any_of(entry->settings.begin(), entry->settings.end(),
                  [&](const SettingDescription& setting) { return setting.name == given.key; });
  if (has_setting && find_setting(choice.settings, given.key) == nullptr) {
    choice.settings.push_back(given);
  }
  return choice;
}

// What the schedulers of an experiment have in common while they are resolved.
struct Resolution {
  Resolution(const SchedulerRegistry& registry, const Experiment& given,
             const BeforeScheduler& before)
      : schedulers(registry), experiment(given), before_scheduler(before) {
    for (const RefreshChoice& refresh : experiment.refreshes) {
      refreshes[refresh.scheduler].push_back(&refresh);
    }
    for (const ControllerChoice& controller : experiment.controllers) {
      controllers[controller.scheduler] = &controller;
    }
  }

  const SchedulerRegistry& schedulers;
  const Experiment& experiment;
  const BeforeScheduler& before_scheduler;
  // By the labels of schedulers.
  std::map<std::string_view, std::vector<const RefreshChoice*>> refreshes = {};
  std::map<std::string_view, const ControllerChoice*> controllers = {};
  NamedFiles files = {};
  std::size_t files_bytes = 0;
};

void count_files(Resolution& resolution, const ResolvedScheduler& scheduler) {
  for (const auto& [key, file] : scheduler.files) resolution.files_bytes += file.text.size();
  if (resolution.files_bytes <= scheduler_files_bytes_max) return;
  throw InputError(
      fmt::format("{}: expected files of schedulers and refreshes of at most {} MiB in all, each "
                  "counted as often as one of them names it, got more with this one",
                  scheduler.where, scheduler_files_bytes_max >> 20));
}

ResolvedScheduler checked(Resolution& resolution, const SchedulerChoice& choice) {
  const Experiment& experiment = resolution.experiment;
  if (resolution.before_scheduler) resolution.before_scheduler(choice);
  const Names names;
  const SchedulerSurroundings surroundings = surroundings_of(experiment, experiment.seed, names);
  ResolvedScheduler scheduler =
      resolve_scheduler(resolution.schedulers, choice, surroundings.dimensions, resolution.files);
  count_files(resolution, scheduler);
  const auto made = make_scheduler(scheduler, surroundings);
  if (made->decides_in_threads() && experiment.world == World::simulated) {
    throw InputError(
        fmt::format("{}: decision_time = \"measured\" needs real machines, but the experiment's "
                    "world is virtual",
                    scheduler.where));
  }
  if (!experiment.cluster.limit_vcores) scheduler.limits = made->limited_dimensions();
  scale_scheduler(scheduler, experiment.scale);
  return scheduler;
}

ScheduledConfigurations configurations_of(Resolution& resolution, const SchedulerChoice& given) {
  const Experiment& experiment = resolution.experiment;
  const SchedulerChoice choice = completed(resolution.schedulers, experiment, given);
  ScheduledConfigurations configurations{checked(resolution, choice), {}, {}};
  SchedulerChoice latest = choice;
  if (const auto own = resolution.refreshes.find(choice.label); own != resolution.refreshes.end()) {
    for (const RefreshChoice* refresh : own->second) {
      latest = refreshed(latest, *refresh);
      configurations.refreshes.emplace_back(refresh->at, checked(resolution, latest));
    }
  }
  if (const auto controller = resolution.controllers.find(choice.label);
      controller != resolution.controllers.end()) {
    configurations.controller =
        resolve_controller(*controller->second, configurations.scheduler, experiment.scale,
                           ResourceDimensions(experiment.cluster.extra_dimensions));
  }
  return configurations;
}

std::size_t baseline_of(const Experiment& experiment) {
  const std::string& wanted = experiment.compare.baseline;
  if (wanted.empty()) return 0;
  const std::vector<SchedulerChoice>& schedulers = experiment.schedulers;
  const auto found =
      std::find_if(schedulers.begin(), schedulers.end(),
                   [&](const SchedulerChoice& choice) { return choice.label == wanted; });
  if (found != schedulers.end()) return static_cast<std::size_t>(found - schedulers.begin());
  throw InputError(
      fmt::format("{}: expected the label of one of the experiment's schedulers, got \"{}\"",
                  experiment.compare.baseline_where, wanted));
}

MasterOptions master_options(const std::vector<Setting>& settings) {
  return valid(read_master_options(to_values(settings)), settings, "masters");
}

// Tasks fetch what they need while they run.
void await_lost_outputs(std::vector<Setting>& settings) {
  constexpr std::string_view key = "lost_outputs";
  constexpr std::string_view awaited = "awaited";
  const Setting* given = find_setting(settings, key);
  if (given == nullptr) {
    settings.push_back({std::string(key), std::string(awaited), "storage.shuffle"});
  } else if (given->value != awaited) {
    throw InputError(fmt::format("{}: expected \"{}\" with storage.shuffle, got \"{}\"",
                                 given->where, awaited, given->value));
  }
  const Setting* const dag = find_setting(settings, "dag_outputs");
  if (dag != nullptr && dag->value == "durable") {
    throw InputError(
        fmt::format("{}: expected \"node\" with storage.shuffle, got \"durable\"", dag->where));
  }
}

// What only modelled machines obey, or those with a shuffle.
void check_world(const Experiment& experiment, const std::vector<Setting>& settings) {
  if (experiment.world == World::simulated) return;
  const auto refuse = [&](std::string_view key, std::string_view only, std::string_view why) {
    const Setting* const setting = find_setting(settings, key);
    throw InputError(fmt::format("{}: expected {} in the {} world, {}, got \"{}\"", setting->where,
                                 only, name(experiment.world), why, setting->value));
  };
  const MasterOptions options = master_options(settings);
  const Setting* const input = find_setting(experiment.trace_rules, "mix.input");
  if (options.map_reduce.speculation.rule != SpeculationRule::none && input != nullptr &&
      input->value == "kernels") {
    refuse("speculation.policy", "\"none\" with mix.input = kernels",
           "whose tasks that compute on data state no progress while they run");
  }
  if (options.executors.cache_bytes != 0 && !experiment.storage.is_shuffling) {
    refuse("executor_cache_mib", "\"0\" without storage.shuffle",
           "whose machines keep it in the memory of their shuffle servers");
  }
}

// A task that its heap is enough for must not need more because both are rounded: the largest such
// task is scaled, as all are, and has as much heap as it needs then.
void scale_heaps(std::vector<Setting>& settings, double memory) {
  const MapReduceOptions options = master_options(settings).map_reduce;
  for (Setting& setting : settings) {
    if (!setting.key.ends_with("_heap_mib")) continue;
    const HeapRule& rule = setting.key == "map_heap_mib" ? options.map_heap : options.reduce_heap;
    if (rule.heap_mib == 0) continue;
    const std::int64_t largest = scale_down(memory_within_heap(rule.heap_mib, rule.share), memory);
    setting.value = fmt::format("{}", heap_of_memory(largest, rule.share));
  }
}

void check_small_heaps(const Experiment& experiment) {
  const Setting* const setting = find_setting(experiment.masters, "small_heap");
  if (setting == nullptr || setting->value != "spills" || experiment.storage.is_shuffling) return;
  throw InputError(fmt::format("{}: expected \"fails\" without storage.shuffle, got \"spills\"",
                               setting->where));
}

ResolvedMasters resolve_masters(const Experiment& experiment, std::vector<std::string>& remarks) {
  std::vector<Setting> settings = experiment.masters;
  if (experiment.storage.is_shuffling) await_lost_outputs(settings);
  check_world(experiment, settings);
  check_small_heaps(experiment);
  const auto remark = [&](std::vector<std::string> sentences) {
    remarks.insert(remarks.end(), sentences.begin(), sentences.end());
  };
  if (experiment.scale.memory != 1) scale_heaps(settings, experiment.scale.memory);
  remark(scale_amounts(settings, experiment.scale));
  ResolvedMasters masters{master_options(settings),
                          with_defaults(master_settings(), settings, "masters"),
                          container_masters(experiment.master, experiment.scale)};
  if (masters.containers) {
    remark(rounding_of_masters(experiment.master, *masters.containers, experiment.scale));
  }
  return masters;
}

// What the policy would wait for in vain is refused.
void check_relocation(const Experiment& experiment, const RelocationOptions& options,
                      const std::optional<ResolvedStorage>& storage) {
  const auto refuse = [&](std::string_view key, std::string_view rule) {
    const Setting* setting = find_setting(experiment.relocation, key);
    if (setting != nullptr) throw InputError(fmt::format("{}: {}", setting->where, rule));
  };
  const bool has_disks = storage && storage->datanodes.disk_rate && !experiment.simulated.ideal;
  if (options.for_io && experiment.world == World::simulated && !has_disks) {
    refuse("relocation.io",
           "expected false in the virtual world without [storage], with disk_rate = \"unlimited\" "
           "and on ideal machines: nothing waits for a disk there");
  }
  if (options.for_locality && experiment.master.in_containers) {
    refuse("relocation.locality",
           "expected false with am = \"container\": only masters hosted by the coordinator provide "
           "the location of their tasks' input");
  }
}

ResolvedRelocation resolve_relocation(const Experiment& experiment,
                                      const std::optional<ResolvedStorage>& storage) {
  const std::vector<Setting>& given = experiment.relocation;
  ResolvedRelocation relocation{valid(read_relocation(to_values(given)), given, "relocation"), {}};
  if (!relocation.options) return relocation;
  check_relocation(experiment, *relocation.options, storage);
  relocation.settings = with_defaults(relocation_settings(), given, "relocation");
  return relocation;
}

void check_compare(const CompareChoice& compare, const ResourceDimensions& dimensions) {
  std::vector<std::string> names;
  for (std::size_t d = 0; d < dimensions.size(); ++d) names.push_back(dimensions.name(d));
  if (const Status status = check_figure_key(compare.primary, names); !status) {
    throw InputError(compare.primary_where + ": " + status.error().message);
  }
}

Duration give_up_time(const Experiment& experiment, const ResolvedMasters& resolved) {
  const MapReduceOptions& masters = resolved.options.map_reduce;
  Duration heartbeat = std::max(experiment.cluster.heartbeat, masters.heartbeat_interval);
  if (resolved.containers) heartbeat = std::max(heartbeat, resolved.containers->heartbeat_interval);
  // Reduces that hold all room give it up after these delays, one after the other.
  const Duration held = masters.preemption_delay + masters.unconditional_preemption_delay;
  const Duration quiet = std::max(give_up_timeout(heartbeat), 2 * held);
  if (experiment.world == World::simulated) return quiet;
  // Processes and connections take the time that they take, whatever the time scale.
  const Duration lost_after =
      std::max(experiment.local.agent_lost_after, experiment.agents.lost_after);
  const double wall_seconds = 2 * to_seconds(lost_after);
  return std::max(quiet,
                  Duration(static_cast<std::int64_t>(wall_seconds * experiment.scale.time * 1e6)));
}

}  // namespace

ResolvedExperiment resolve(const SchedulerRegistry& schedulers, const Experiment& given,
                           const BeforeScheduler& before_scheduler) {
  Experiment experiment = given;
  const ResourceDimensions dimensions(given.cluster.extra_dimensions);
  ResolvedExperiment resolved{given, {}, 0, {}, {}, {}, {}, {}, {}, {}, {}, {}};
  Resolution resolution(schedulers, experiment, before_scheduler);
  resolved.remarks = follow_hadoop_sites(experiment, resolution.files);
  resolved.memory_check = valid(read_node_manager(to_values(experiment.node_manager)),
                                experiment.node_manager, "node_manager");
  for (const SchedulerChoice& choice : experiment.schedulers) {
    resolved.schedulers.push_back(configurations_of(resolution, choice));
  }
  resolved.masters = resolve_masters(experiment, resolved.remarks);
  resolved.baseline = baseline_of(experiment);
  check_compare(experiment.compare, dimensions);
  resolved.trace_options = trace_options(experiment.trace, experiment.trace_rules, dimensions);
  resolved.scale_factors = scale_factors(experiment.scale, experiment.seed);
  resolved.storage_options = resolve_storage(experiment);
  resolved.relocation = resolve_relocation(experiment, resolved.storage_options);
  if (experiment.world == World::simulated) resolve_calibration(experiment, resolved);
  resolved.give_up_after = give_up_time(experiment, resolved.masters);
  return resolved;
}

}  // namespace tracebed
