#include "coordinator/runner/choices.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

#include "applications/hosting/master_host.h"
#include "applications/masters.h"
#include "coordinator/engine/replay.h"
#include "coordinator/runner/relocation_settings.h"
#include "coordinator/runner/scheduler_files.h"
#include "coordinator/runner/setting_faults.h"
#include "core/input_error.h"
#include "traces/scale_model.h"

namespace tracebed {
namespace {

std::vector<Setting> with_defaults(std::span<const SettingDescription> described,
                                   const std::vector<Setting>& given) {
  std::vector<Setting> settings;
  for (const SettingDescription& setting : described) {
    const auto found = std::find_if(given.begin(), given.end(), [&](const Setting& candidate) {
      return candidate.key == setting.name;
    });
    settings.push_back(
        found != given.end()
            ? *found
            : Setting{std::string(setting.name), std::string(setting.default_value), "default"});
  }
  return settings;
}

double factor_of(const std::string& key, const ScaleChoice& scale) {
  if (key.ends_with("_milli_vcores")) return scale.cpu;
  if (key.ends_with("_mib")) return scale.memory;
  return 1;
}

// Of settings that were found good.
void scale_amounts(std::vector<Setting>& settings, const ScaleChoice& scale) {
  for (Setting& setting : settings) {
    const double factor = factor_of(setting.key, scale);
    if (factor == 1) continue;
    setting.value = fmt::format("{}", scale_down(std::stoll(setting.value), factor));
  }
}

MasterOptions chosen_options(const std::vector<Setting>& settings) {
  return make_with(settings, "masters", [](const std::vector<Setting>& given) {
    return read_master_options(to_values(given));
  });
}

}  // namespace

std::unique_ptr<Scheduler> make_chosen_scheduler(const SchedulerRegistry& schedulers,
                                                 const SchedulerChoice& choice,
                                                 const SchedulerSurroundings& surroundings) {
  if (schedulers.find(choice.name) == nullptr) {
    const auto unknown = schedulers.make(choice.name, {});
    throw InputError(fmt::format("{}: {}", choice.where, unknown.error().message));
  }
  const SchedulerChoice filled = with_yarn_site(schedulers, choice);
  const Documents documents = read_documents(schedulers, filled);
  return make_with(filled.settings, filled.where, [&](const std::vector<Setting>& settings) {
    SchedulerParameters parameters{
        surroundings.seed, to_values(settings), {}, surroundings.dimensions, &surroundings.names};
    for (const auto& [key, root] : documents) {
      if (parameters.settings.contains(key)) parameters.documents.emplace(key, root);
    }
    return schedulers.make(choice.name, parameters);
  });
}

MasterFactory make_chosen_masters(const std::vector<Setting>& settings, std::uint64_t seed) {
  return MasterBuilder(chosen_options(settings), seed);
}

MasterHost make_chosen_master_host(const std::vector<Setting>& settings, std::uint64_t seed,
                                   Duration heartbeat_interval, const MasterFaults& faults) {
  return make_master_host(chosen_options(settings), seed, heartbeat_interval, faults);
}

SchedulerChoice complete_choice(const SchedulerRegistry& schedulers, const SchedulerChoice& choice,
                                const ScaleChoice& scale) {
  const SchedulerEntry* entry = schedulers.find(choice.name);
  TRACEBED_CHECK(entry != nullptr, "a scheduler that can be made is in the registry");
  SchedulerChoice complete = with_yarn_site(schedulers, choice);
  complete.settings = with_defaults(entry->settings, complete.settings);
  scale_amounts(complete.settings, scale);
  return complete;
}

std::vector<Setting> scaled_master_settings(std::vector<Setting> settings,
                                            const ScaleChoice& scale) {
  chosen_options(settings);
  scale_amounts(settings, scale);
  return settings;
}

std::vector<Setting> complete_master_settings(const std::vector<Setting>& settings) {
  return with_defaults(master_settings(), settings);
}

std::optional<RelocationOptions> chosen_relocation(const std::vector<Setting>& settings) {
  return make_with(settings, "relocation", [](const std::vector<Setting>& given) {
    return read_relocation(to_values(given));
  });
}

NamedTexts relocation_to_record(const std::vector<Setting>& settings) {
  if (!chosen_relocation(settings)) return {};
  return to_record(with_defaults(relocation_settings(), settings));
}

std::vector<Setting> take_relocation(NamedTexts& recorded, const std::string& place) {
  const auto first = std::stable_partition(recorded.begin(), recorded.end(), [](const auto& entry) {
    return !std::string_view(entry.first).starts_with("relocation.");
  });
  const NamedTexts taken(std::make_move_iterator(first), std::make_move_iterator(recorded.end()));
  recorded.erase(first, recorded.end());
  return settings_of_record(taken, place);
}

Duration chosen_give_up_time(const Experiment& experiment) {
  const MapReduceOptions masters = chosen_options(experiment.masters).map_reduce;
  Duration heartbeat = std::max(experiment.cluster.heartbeat, masters.heartbeat_interval);
  if (experiment.master.in_containers) {
    heartbeat = std::max(heartbeat, experiment.master.container.heartbeat_interval);
  }
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

NamedTexts to_record(const std::vector<Setting>& settings) {
  NamedTexts recorded;
  for (const Setting& setting : settings) recorded.emplace_back(setting.key, setting.value);
  return recorded;
}

std::vector<Setting> settings_of_record(const NamedTexts& recorded, const std::string& place) {
  std::vector<Setting> settings;
  for (const auto& [key, value] : recorded) {
    settings.push_back({key, value, fmt::format("{}: {}", place, key)});
  }
  return settings;
}

}  // namespace tracebed
