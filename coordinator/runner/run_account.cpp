#include "coordinator/runner/run_account.h"

#include <algorithm>
#include <chrono>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <optional>
#include <string_view>
#include <utility>

#include "coordinator/engine/fragmentation.h"
#include "coordinator/resolving/given_settings.h"
#include "coordinator/resolving/master_containers.h"
#include "coordinator/resolving/scaled_queues.h"
#include "coordinator/runner/repetitions.h"
#include "core/check.h"
#include "report/refusals.h"
#include "report/rejections.h"

namespace tracebed {
namespace {

std::string wall_clock_text() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now));
}

// A relocation is worth what the task had done, unless that is kept.
bool keeps_progress(PreemptionPolicy policy) {
  return policy == PreemptionPolicy::checkpoint || policy == PreemptionPolicy::hadoop_checkpoint;
}

const std::string& value_of(std::string_view key, const std::vector<Setting>& settings) {
  const auto found = std::find_if(settings.begin(), settings.end(),
                                  [&](const Setting& setting) { return setting.key == key; });
  TRACEBED_CHECK(found != settings.end(), "an experiment has all settings of its masters");
  return found->value;
}

// Tasks that were lost with their machines have read what nobody reported.
std::string unequal_counts_text(const std::optional<ReadBytes>& served, const ReadBytes& read) {
  if (!served || *served == read) return {};
  const auto text = [](const ReadBytes& bytes) {
    return fmt::format("{}, {} and {} B", bytes.node_local, bytes.rack_local, bytes.off_rack);
  };
  return fmt::format(
      "datanodes sent {} to tasks on their node, in their rack and elsewhere; tasks report that "
      "they read {}",
      text(*served), text(read));
}

std::string refused_calls_text(std::uint64_t refused) {
  if (refused == 0) return {};
  return fmt::format(
      "the namenode refused {} times to name or delete what tasks wrote: the "
      "output of jobs may not be whole",
      refused);
}

// What became of vcores under a scheduler that does not count them.
std::string beyond_vcores_text(const EngineCounters& counters,
                               const ResolvedExperiment& experiment) {
  if (counters.allocations_beyond_vcores == 0) return {};
  const bool is_ideal = experiment.world == World::simulated && experiment.simulated.ideal;
  return fmt::format(
      "containers were placed on machines that had given all their vcores "
      "(allocations_beyond_vcores in run.json), since the scheduler counts memory alone, as its "
      "original does: {} (cluster.limit_vcores = true keeps to the vcores)",
      is_ideal ? "on ideal machines their tasks do not slow each other"
               : "their tasks share the cores");
}

// Which tasks the fragmentation of devices leaves out.
std::string beyond_demands_text(const EngineCounters& counters) {
  if (counters.tasks_not_in_fragmentation == 0) return {};
  return fmt::format(
      "the fragmentation of devices is that of tasks with the first {} different demands: it "
      "leaves out {} tasks with others (tasks_not_in_fragmentation in run.json)",
      Fragmentation::demands_max, counters.tasks_not_in_fragmentation);
}

}  // namespace

std::vector<NamedCount> named_counters(const Engine& engine, const RunWorld& world) {
  const EngineCounters& counters = engine.counters();
  std::vector<NamedCount> named{
      {"rounds", counters.rounds},
      {"decide_calls", counters.decide_calls},
      {decisions_counter, counters.decisions},
      {refusals_counter, counters.refusals},
      {"allocations", counters.allocations},
      {"allocations_beyond_vcores", counters.allocations_beyond_vcores},
      {"asks_rounded_up", counters.asks_rounded_up},
      {"heartbeats", counters.heartbeats},
      {"late_reports", counters.late_reports},
      {"jobs_submitted", counters.jobs_submitted},
      {"jobs_ended", counters.jobs_ended},
      {"nodes_lost", counters.nodes_lost},
      {"marked_lost_with_nodes", counters.requested_lost},
  };
  for (const auto& [reason, count] : counters.refusals_for) {
    named.emplace_back(refusals_for_counter + std::string(name(reason)), count);
  }
  if (counters.tasks_not_in_fragmentation > 0) {
    named.emplace_back("tasks_not_in_fragmentation", counters.tasks_not_in_fragmentation);
  }
  if (counters.attempts_duplicated > 0) {
    named.emplace_back("attempts_duplicated", counters.attempts_duplicated);
    named.emplace_back("attempts_superseded", counters.attempts_superseded);
  }
  if (counters.storage_inputs > 0) {
    named.emplace_back("storage_inputs", counters.storage_inputs);
    named.emplace_back("storage_inputs_ignored", counters.storage_inputs_ignored);
    named.emplace_back("storage_calls_refused", counters.storage_calls_refused);
  }
  if (counters.master_calls > 0) {
    named.emplace_back("master_calls", counters.master_calls);
    named.emplace_back("master_calls_repeated", counters.master_calls_repeated);
    named.emplace_back("master_calls_misplaced", counters.master_calls_misplaced);
    named.emplace_back("master_actions_late", counters.master_actions_late);
    named.emplace_back("master_actions_repeated", counters.master_actions_repeated);
    named.emplace_back("master_actions_foreign", counters.master_actions_foreign);
    named.emplace_back("master_actions_refused", counters.master_actions_refused);
    named.emplace_back("masters_tried_again", counters.masters_failed);
    named.emplace_back("masters_failed_during_preemption",
                       counters.masters_failed_during_preemption);
  }
  for (const SchedulerCount& each : engine.scheduler().counts()) {
    named.emplace_back(fmt::format("scheduler_{}", each.name), each.count);
  }
  for (auto& counter : world.counters()) named.push_back(std::move(counter));
  return named;
}

RunDescription describe_run(const ResolvedExperiment& experiment, const RunHost& host,
                            const ReplayPlan& plan, const ResolvedScheduler& scheduler,
                            const TraceWorkload& workload, const FileIdentity& trace,
                            const RunWorld& world) {
  RunDescription description;
  description.software_version = TRACEBED_VERSION;
  description.build_type = TRACEBED_BUILD_TYPE;
  description.started = wall_clock_text();
  description.experiment_name = experiment.name;
  description.experiment_file = host.experiment_file;
  description.experiment_text = experiment.source;
  description.scheduler_label = scheduler.label;
  description.scheduler_name = scheduler.name;
  description.scheduler_settings = to_record(scheduler.settings);
  const ResourceDimensions dimensions(experiment.cluster.extra_dimensions);
  for (std::size_t d = 0; d < dimensions.size(); ++d) {
    if (!scheduler.limits.is_limited(d)) continue;
    description.limited_dimensions.push_back(dimensions.name(d));
  }
  description.differences = differences_of(scheduler, dimensions, workload.facts().has_gangs);
  if (const auto& controller = plan.configurations->controller) {
    for (auto& setting : to_record(*controller)) {
      description.scheduler_settings.push_back(std::move(setting));
    }
  }
  description.seed = plan.seed;
  description.repetition = plan.repetition;
  description.varied = what_varies(experiment, *scheduler.entry, workload.facts());
  description.is_noise = plan.is_noise;
  description.world = name(experiment.world);
  description.world_settings = world_settings(experiment);
  description.time_scale = experiment.world == World::simulated ? 1 : experiment.scale.time;
  description.isolation = world.isolation();
  description.trace = trace;
  description.trace_format = workload.facts().format;
  description.trace_selection = workload.facts().selection;
  description.rules = workload.facts().rules;
  description.scale = workload.facts().scale;
  description.scale_effects = workload.facts().scale_effects;
  description.masters = to_record(experiment.masters.settings);
  for (auto& figure : to_record(experiment.masters.containers)) {
    description.masters.push_back(std::move(figure));
  }
  for (auto& setting : to_record(experiment.relocation.settings)) {
    description.masters.push_back(std::move(setting));
  }
  description.storage = to_record(experiment.storage_options);
  description.extra_dimensions = experiment.cluster.extra_dimensions;
  description.machines = workload.machines();
  description.changes = workload.changes();
  return description;
}

std::vector<std::string> remarks_of(const ScheduledConfigurations& configurations,
                                    const ResolvedExperiment& experiment,
                                    const TraceWorkload& workload) {
  const ResourceDimensions dimensions(experiment.cluster.extra_dimensions);
  std::vector<std::string> remarks = configurations.scheduler.remarks;
  const auto add = [&](const ResolvedScheduler& scheduler) {
    for (const std::string& sentence : rounding_of_queues(
             scheduler, dimensions, workload.recorded_machines(), workload.machines())) {
      remarks.push_back(fmt::format("{}: {}", scheduler.where, sentence));
    }
    for (const std::string& sentence :
         warnings_of_queues(scheduler, dimensions, workload.machines())) {
      remarks.push_back(fmt::format("{}: {}", scheduler.where, sentence));
    }
  };
  add(configurations.scheduler);
  for (const auto& [at, refresh] : configurations.refreshes) add(refresh);
  if (!configurations.controller) return remarks;
  for (const std::string& remark : configurations.controller->remarks) remarks.push_back(remark);
  return remarks;
}

std::vector<std::string> losses_of(const ResolvedExperiment& experiment) {
  std::vector<std::string> losses;
  const ResolvedMasters& masters = experiment.masters;
  if (experiment.relocation.options && !keeps_progress(masters.options.preemption_policy)) {
    losses.push_back(
        fmt::format("relocated tasks restart from the beginning, since the masters' "
                    "preemption.policy is {}; with checkpoint they keep their progress",
                    value_of(preemption_policy_setting.name, masters.settings)));
  }
  const bool has_log = experiment.world != World::simulated || experiment.log.keep;
  if (experiment.task_rows == TaskRows::none && !has_log) {
    losses.emplace_back(
        "neither the rows of tasks nor the log are kept (output.tasks, log.keep), so nobody can "
        "tell later what tasks did");
  }
  return losses;
}

std::vector<std::string> warnings_of_figures(const RunEnd& end, const ReadBytes& input,
                                             const EngineCounters& counters,
                                             const ResolvedExperiment& experiment,
                                             const std::string& label) {
  std::vector<std::string> warnings;
  for (const std::string& text : {unequal_counts_text(end.served_bytes, input),
                                  refused_calls_text(counters.storage_calls_refused)}) {
    if (!text.empty()) warnings.push_back(text);
  }
  for (const std::string& text :
       {refusal_text(end.counters), beyond_vcores_text(counters, experiment),
        beyond_demands_text(counters)}) {
    if (!text.empty()) warnings.push_back(fmt::format("{}: {}", label, text));
  }
  return warnings;
}

FinishedReplay finished_replay(const ReplayPlan& plan, const RunEnd& end, const RunMetrics& metrics,
                               std::uint64_t jobs_ended) {
  FinishedReplay finished;
  finished.reason = end.reason;
  if (end.stall) finished.stall = end.stall->kind;
  finished.label = plan.scheduler().label;
  finished.repetition = plan.repetition;
  finished.seed = plan.seed;
  finished.is_noise = plan.is_noise;
  finished.folder = plan.folder;
  finished.outcome = end.outcome;
  const bool has_none_succeeded = metrics.jobs > 0 && metrics.succeeded == 0;
  if (end.outcome == RunOutcome::complete && has_none_succeeded) {
    finished.outcome = RunOutcome::unsuccessful;
    finished.reason = none_succeeded_text(end, metrics.killed, jobs_ended);
  }
  finished.rejections = end.rejections;
  finished.failures = end.failures;
  finished.digest = end.digest;
  finished.jobs_ended = jobs_ended;
  finished.wall_seconds = end.wall_seconds;
  return finished;
}

}  // namespace tracebed
