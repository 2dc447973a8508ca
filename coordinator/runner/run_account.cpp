#include "coordinator/runner/run_account.h"

#include <chrono>
#include <fmt/chrono.h>
#include <fmt/format.h>

#include "coordinator/engine/fragmentation.h"
#include "coordinator/resolving/given_settings.h"
#include "coordinator/resolving/master_containers.h"
#include "coordinator/runner/repetitions.h"
#include "report/refusals.h"

namespace tracebed {
namespace {

std::string wall_clock_text() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now));
}

}  // namespace

std::vector<NamedCount> named_counters(const EngineCounters& counters, const RunWorld& world) {
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
  for (auto& counter : world.counters()) named.push_back(std::move(counter));
  return named;
}

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

std::string beyond_demands_text(const EngineCounters& counters) {
  if (counters.tasks_not_in_fragmentation == 0) return {};
  return fmt::format(
      "the fragmentation of devices is that of tasks with the first {} different demands: it "
      "leaves out {} tasks with others (tasks_not_in_fragmentation in run.json)",
      Fragmentation::demands_max, counters.tasks_not_in_fragmentation);
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

}  // namespace tracebed
