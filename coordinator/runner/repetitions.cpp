#include "coordinator/runner/repetitions.h"

#include <fmt/format.h>

#include "core/random.h"

namespace tracebed {
namespace {

bool places_blocks(const ResolvedExperiment& experiment, const WorkloadFacts& facts) {
  return facts.has_unplaced_input && experiment.masters.options.replication > 0;
}

void add_machines(const ResolvedExperiment& experiment, std::vector<std::string>& varied) {
  if (experiment.world != World::simulated) {
    varied.emplace_back("the machines' own timing");
    return;
  }
  const VirtualChoice& simulated = experiment.simulated;
  if (simulated.ideal) return;
  varied.emplace_back("heartbeat phases");
  if (simulated.launch_spread > 1 && simulated.launch_latency > Duration::zero()) {
    varied.emplace_back("launch latencies");
  }
  if (simulated.task_overhead_spread > 1 && simulated.task_overhead > Duration::zero()) {
    varied.emplace_back("overheads of tasks");
  }
  if (experiment.masters.containers && simulated.master_startup_spread > 1 &&
      simulated.master_startup > Duration::zero()) {
    varied.emplace_back("start-ups of masters");
  }
  if (simulated.heartbeat_jitter_spread > 1 && simulated.heartbeat_jitter > Duration::zero()) {
    varied.emplace_back("heartbeat jitter");
  }
}

}  // namespace

std::uint64_t repetition_seed(std::uint64_t seed, std::uint32_t repetition) {
  if (repetition == 1) return seed;
  return Random::stream(seed, fmt::format("repetition {}", repetition)).next();
}

std::uint64_t noise_seed(std::uint64_t seed, std::uint32_t repetition) {
  return Random::stream(seed, fmt::format("noise {}", repetition)).next();
}

std::vector<std::string> what_varies(const ResolvedExperiment& experiment,
                                     const SchedulerEntry& scheduler, const WorkloadFacts& facts) {
  std::vector<std::string> varied;
  add_machines(experiment, varied);
  if (!scheduler.draws.empty()) varied.emplace_back(scheduler.draws);
  if (places_blocks(experiment, facts)) varied.emplace_back("places of input blocks");
  const FaultChoice& faults = experiment.faults;
  if (faults.ignored_checkpoints > 0 || faults.exceeded_memory > 0 || faults.of_masters() > 0) {
    varied.emplace_back("which attempts are faulty");
  }
  const auto add_shaking = [&](const char* what, double part) {
    if (part <= 0) return;
    varied.push_back(fmt::format("input shaking of up to {} % of {}", 100 * part, what));
  };
  add_shaking("gaps between submissions", experiment.vary.submit_times);
  add_shaking("run times", experiment.vary.run_times);
  return varied;
}

}  // namespace tracebed
