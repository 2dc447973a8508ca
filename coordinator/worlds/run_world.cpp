#include "coordinator/worlds/run_world.h"

#include <fmt/format.h>

#include "coordinator/resolving/given_settings.h"
#include "core/check.h"
#include "system/quantities.h"

namespace tracebed {

namespace {

void add_disturbances(const ExperimentTables& experiment, NamedTexts& settings) {
  const FaultChoice& faults = experiment.faults;
  const auto add = [&](const char* key, double part) {
    if (part > 0) settings.emplace_back(key, fmt::format("{}", part));
  };
  add("ignored_checkpoints", faults.ignored_checkpoints);
  add("exceeded_memory", faults.exceeded_memory);
  add("repeated_answers", faults.repeated_answers);
  add("late_answers", faults.late_answers);
  add("foreign_answers", faults.foreign_answers);
  add("garbage_answers", faults.garbage_answers);
  add("crashes_during_preemption", faults.crashes_during_preemption);
  for (const CrashChoice& crash : experiment.crashes) {
    settings.emplace_back(
        "crash", fmt::format("{} {}, {}", crash.node.empty() ? "a node" : crash.node,
                             crash.at ? "at " + duration_text(crash.at->time_since_epoch())
                                      : "while a container on it is being preempted",
                             crash.down ? "down for " + duration_text(*crash.down) : "for good"));
  }
}

}  // namespace

std::vector<std::pair<std::string, std::string>> world_settings(
    const ResolvedExperiment& experiment) {
  std::vector<std::pair<std::string, std::string>> settings{
      {heartbeat_setting, duration_text(experiment.cluster.heartbeat)},
      {"out_of_band_heartbeat", experiment.cluster.out_of_band_heartbeat ? "true" : "false"},
      {limit_vcores_setting, experiment.cluster.limit_vcores ? "true" : "false"},
      {"cpu_enforcement", std::string(name(experiment.cluster.cpu_enforcement))},
  };
  const ResourceDimensions dimensions(experiment.cluster.extra_dimensions);
  for (std::size_t d = 0; d < dimensions.size(); ++d) {
    const std::int64_t size = experiment.cluster.devices[d];
    if (size > 0) {
      settings.emplace_back(fmt::format("{}{}", devices_setting, dimensions.name(d)),
                            std::to_string(size));
    }
  }
  add_disturbances(experiment, settings);
  if (const VirtualMemoryCheck& check = experiment.memory_check; check.is_on()) {
    settings.emplace_back("virtual_memory_ratio", fmt::format("{}", check.ratio));
    settings.emplace_back("virtual_memory_factor", fmt::format("{}", check.factor));
    settings.emplace_back("memory_look", duration_text(check.interval));
  }
  if (experiment.world == World::simulated) {
    const VirtualChoice& simulated = experiment.simulated;
    settings.emplace_back("model", simulated.ideal ? "ideal" : "modelled");
    settings.emplace_back("launch_latency", duration_text(simulated.launch_latency));
    settings.emplace_back("launch_spread", fmt::format("{}", simulated.launch_spread));
    settings.emplace_back("task_overhead", duration_text(simulated.task_overhead));
    settings.emplace_back("task_overhead_spread",
                          fmt::format("{}", simulated.task_overhead_spread));
    if (!experiment.calibrated_machine.empty()) {
      settings.emplace_back("calibration", experiment.calibrated_machine);
    }
    settings.emplace_back("swap_cost", fmt::format("{}", simulated.swap_cost));
    settings.emplace_back("heartbeat_jitter", duration_text(simulated.heartbeat_jitter));
    settings.emplace_back("heartbeat_jitter_spread",
                          fmt::format("{}", simulated.heartbeat_jitter_spread));
    settings.emplace_back("node_expiry", duration_text(simulated.node_expiry));
    if (experiment.masters.containers) {
      settings.emplace_back("master_startup", duration_text(simulated.master_startup));
      settings.emplace_back("master_startup_spread",
                            fmt::format("{}", simulated.master_startup_spread));
    }
  } else if (experiment.world == World::cluster) {
    const AgentsChoice& agents = experiment.agents;
    settings.emplace_back("agents_lost_after", duration_text(agents.lost_after));
    settings.emplace_back("orphan_grace", duration_text(agents.orphan_grace));
    settings.emplace_back("time_limit_factor", fmt::format("{}", agents.time_limit_factor));
    settings.emplace_back("time_limit_minimum", duration_text(agents.time_limit_minimum));
  } else {
    const LocalChoice& local = experiment.local;
    settings.emplace_back("isolation", local.isolation);
    settings.emplace_back("time_limit_factor", fmt::format("{}", local.time_limit_factor));
    settings.emplace_back("time_limit_minimum", duration_text(local.time_limit_minimum));
    settings.emplace_back("oversubscribe", local.oversubscribe ? "true" : "false");
    settings.emplace_back("agent_lost_after", duration_text(local.agent_lost_after));
  }
  return settings;
}

std::unique_ptr<RunWorld> make_world(const WorldPlan& plan) {
  switch (plan.experiment.world) {
    case World::simulated:
      return make_virtual_world(plan);
    case World::local:
      return make_local_world(plan);
    case World::cluster:
      return make_cluster_world(plan);
  }
  TRACEBED_CHECK(false, "a world is one of those known");
}

}  // namespace tracebed
