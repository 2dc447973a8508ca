#include "coordinator/runner/run_world.h"

#include <fmt/format.h>

#include "coordinator/config/quantities.h"

namespace tracebed {

std::string_view name(World world) {
  return world == World::simulated ? "virtual" : "local";
}

std::vector<std::pair<std::string, std::string>> world_settings(const Experiment& experiment) {
  std::vector<std::pair<std::string, std::string>> settings{
      {"heartbeat", duration_text(experiment.cluster.heartbeat)},
      {"out_of_band_heartbeat", experiment.cluster.out_of_band_heartbeat ? "true" : "false"},
  };
  if (experiment.world == World::simulated) {
    const VirtualChoice& simulated = experiment.simulated;
    settings.emplace_back("model", simulated.ideal ? "ideal" : "modelled");
    settings.emplace_back("launch_latency", duration_text(simulated.launch_latency));
    settings.emplace_back("launch_spread", fmt::format("{}", simulated.launch_spread));
    settings.emplace_back("node_expiry", duration_text(simulated.node_expiry));
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
  return plan.experiment.world == World::simulated ? make_virtual_world(plan)
                                                   : make_local_world(plan);
}

}  // namespace tracebed
