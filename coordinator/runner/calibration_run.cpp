#include "coordinator/runner/calibration_run.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <exception>
#include <fmt/format.h>
#include <thread>

#include "coordinator/config/load_experiment.h"
#include "coordinator/runner/experiment_run.h"
#include "core/input_error.h"
#include "core/random.h"
#include "report/run_folder.h"
#include "system/own_machine.h"
#include "system/replace_file.h"

namespace tracebed {
namespace {

constexpr const char* trace_name = "calibration.swf";
constexpr double time_scale = 10;
constexpr int jobs = 110;
constexpr int processors_max = 3;
constexpr double seconds_between_jobs = 3;  // of trace time, on average
constexpr std::array cpu_shares{0.3, 0.6, 0.8, 1.0};
constexpr std::int64_t memory_kib = 1 << 20;  // of a processor

// A time, and how far its 95th percentile lies above its median, in wall time.
struct Measured {
  Duration median{};
  double spread = 1;
};

Measured in_wall_time(const Spread& figure) {
  const double median = std::max(figure.p50, 0.0) / time_scale;
  Measured measured{Duration(std::llround(median * 1e6)), 1};
  if (measured.median > Duration::zero()) {
    measured.spread = std::clamp(figure.p95 / figure.p50, 1.0, 1000.0);
  }
  return measured;
}

std::string experiment_text() {
  return fmt::format(R"(name = "calibration"
world = "local"
schedulers = ["spread"]
[trace]
file = "{}"
[cluster]
nodes = 2
vcores = 4
memory = "8 GiB"
[scale]
time = {}
cpu = 16
memory = 64
)",
                     trace_name, time_scale);
}

std::string trace_text() {
  Random random(2026);
  std::string text = "; Version: 2.2\n; Note: tasks that tell how a machine runs them\n";
  double submit = 0;
  for (int job = 1; job <= jobs; ++job) {
    const auto below = [&](int limit) {
      return static_cast<int>(random.below(static_cast<std::uint64_t>(limit)));
    };
    const int run_time = 5 + below(10);
    const int processors = 1 + below(processors_max);
    const double share = cpu_shares[static_cast<std::size_t>(below(cpu_shares.size()))];
    text += fmt::format("{} {:.0f} -1 {} {} {:.1f} -1 {} -1 {} 1 1 -1 -1 -1 -1 -1 -1\n", job,
                        submit, run_time, processors, share * run_time, processors, memory_kib);
    submit += random.exponential(seconds_between_jobs);
  }
  return text;
}

}  // namespace

Calibration calibrate(const RunHost& host, const std::filesystem::path& folder,
                      RunObserver& observer) {
  replace_file(folder / trace_name, trace_text());
  Experiment experiment =
      parse_experiment(experiment_text(), "calibration", {folder, std::nullopt, false});
  experiment.output = folder / "runs";
  const FinishedExperiment finished = run_experiment(experiment, host, observer);
  if (finished.failure) std::rethrow_exception(finished.failure);
  if (finished.is_cancelled) throw RunInterrupted();
  const RunFolder run = RunFolder::load(finished.replays.front().folder);
  const AttemptFigures& attempts = run.attempts;
  const RunOutcome outcome = finished.replays.front().outcome;
  if (outcome != RunOutcome::complete || attempts.lost > 0) {
    throw EnvironmentError(
        fmt::format("nothing was calibrated: expected all tasks to succeed, but {} of {} did not, "
                    "and the run's outcome is {}",
                    attempts.lost, attempts.launched, name(outcome)));
  }
  const Measured launch = in_wall_time(attempts.launch_latency);
  const Measured overhead = in_wall_time(attempts.contention);
  Calibration calibration;
  calibration.machine = host_name();
  calibration.processor = processor_model();
  calibration.processors = std::max(1u, std::thread::hardware_concurrency());
  calibration.isolation = run.description.isolation;
  calibration.tasks = static_cast<std::int64_t>(attempts.launched);
  calibration.launch_latency = launch.median;
  calibration.launch_spread = launch.spread;
  calibration.task_overhead = overhead.median;
  calibration.task_overhead_spread = overhead.spread;
  return calibration;
}

}  // namespace tracebed
