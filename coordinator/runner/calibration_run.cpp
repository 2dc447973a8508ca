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
constexpr int jobs_with_masters = 60;
constexpr int processors_max = 3;
constexpr double seconds_between_jobs = 3;  // of trace time, on average
constexpr std::array cpu_shares{0.3, 0.6, 0.8, 1.0};
constexpr std::int64_t memory_kib = 1 << 20;  // of a processor

// A time, and how far its 95th percentile lies above its median, in wall time.
struct Measured {
  Duration median{};
  double spread = 1;
};

Measured in_wall_time(const Spread& figure, const RunFolder& run) {
  const double median = std::max(figure.p50, 0.0) / run.description.time_scale;
  Measured measured{Duration(std::llround(median * 1e6)), 1};
  if (measured.median > Duration::zero()) {
    measured.spread = std::clamp(figure.p95 / figure.p50, 1.0, 1000.0);
  }
  return measured;
}

// Where the trace of an experiment is: beside it, or in the folder of a cluster's traces.
enum class TracePlace : std::uint8_t { beside, cluster };

std::string trace_in(TracePlace place) {
  return place == TracePlace::beside ? trace_name
                                     : fmt::format("${{TRACEBED_TRACES}}/{}", trace_name);
}

constexpr std::string_view tasks_name = "calibration";
constexpr std::string_view masters_name = "calibration-masters";

std::string experiment_text(std::string_view name, TracePlace place, std::string_view masters,
                            int jobs_max, std::string_view machine) {
  return fmt::format(R"(name = "{}"
world = "{}"
schedulers = ["spread"]
{}
[trace]
file = "{}"
jobs = {}
[cluster]
nodes = 2
{}
[scale]
time = {}
cpu = 16
memory = 64
)",
                     name, place == TracePlace::beside ? "local" : "cluster", masters,
                     trace_in(place), jobs_max, machine, time_scale);
}

std::string tasks_experiment(TracePlace place) {
  return experiment_text(tasks_name, place, "", jobs, "vcores = 4\nmemory = \"8 GiB\"");
}

// Its tasks have twice the room beside their masters.
std::string masters_experiment(TracePlace place) {
  return experiment_text(masters_name, place, "am = \"container\"", jobs_with_masters,
                         "vcores = 8\nmemory = \"32 GiB\"\n[master_container]\n"
                         "memory = \"3 GiB\"");
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

// Runs the experiment, which writes below the folder.
RunFolder run_of(const std::string& text, const RunHost& host, const std::filesystem::path& folder,
                 RunObserver& observer) {
  Experiment experiment = parse_experiment(text, "calibration", {folder, std::nullopt, false});
  experiment.output = folder / experiment.name;
  const FinishedExperiment finished = run_experiment(experiment, host, observer);
  if (finished.failure) std::rethrow_exception(finished.failure);
  if (finished.is_cancelled) throw RunInterrupted();
  return RunFolder::load(finished.replays.front().folder);
}

// What is measured where a task failed is not what an experiment would see.
void check_attempts(const RunFolder& run) {
  if (run.end.outcome == RunOutcome::complete && run.attempts.lost == 0) return;
  throw EnvironmentError(fmt::format(
      "{}: nothing was calibrated: expected all tasks to succeed, but {} of {} did "
      "not, and the run's outcome is {}",
      run.folder.string(), run.attempts.lost, run.attempts.launched, name(run.end.outcome)));
}

// Of other experiments, tasks wait for each other's CPU time, too.
void check_experiment(const RunFolder& run, std::string_view expected) {
  if (run.description.experiment_name != expected) {
    throw InputError(fmt::format("{}: expected a run of the experiment {}, got one of {}",
                                 run.folder.string(), expected, run.description.experiment_name));
  }
  if (run.description.world != name(World::simulated)) return;
  throw InputError(fmt::format("{}: expected a run of real machines, got one of the virtual world",
                               run.folder.string()));
}

void describe_machines(const RunFolder& run, Calibration& calibration) {
  if (run.description.world == name(World::local)) {
    calibration.machine = host_name();
    calibration.processor = processor_model();
    calibration.processors = std::max(1u, std::thread::hardware_concurrency());
    return;
  }
  constexpr std::size_t names_max = 8;
  const std::vector<Machine>& machines = run.description.machines;
  std::int64_t milli_vcores = 0;
  for (std::size_t i = 0; i < machines.size(); ++i) {
    milli_vcores += machines[i].capacity.milli_vcores();
    if (i < names_max) calibration.machine += (i == 0 ? "" : ", ") + machines[i].name;
  }
  if (machines.size() > names_max) {
    calibration.machine += fmt::format(" and {} more", machines.size() - names_max);
  }
  calibration.processors = std::max<std::int64_t>(1, milli_vcores / 1'000);
}

}  // namespace

Calibration calibration_of(const RunFolder& tasks, const RunFolder* with_masters) {
  check_experiment(tasks, tasks_name);
  check_attempts(tasks);
  if (tasks.attempts.masters > 0) {
    throw InputError(
        fmt::format("{}: expected a run without masters in containers, whose tasks "
                    "wait for their master's next call",
                    tasks.folder.string()));
  }
  Calibration calibration;
  describe_machines(tasks, calibration);
  calibration.isolation = tasks.description.isolation;
  calibration.tasks = static_cast<std::int64_t>(tasks.attempts.launched);
  const Measured launch = in_wall_time(tasks.attempts.launch_latency, tasks);
  calibration.launch_latency = launch.median;
  calibration.launch_spread = launch.spread;
  const Measured overhead = in_wall_time(tasks.attempts.contention, tasks);
  calibration.task_overhead = overhead.median;
  calibration.task_overhead_spread = overhead.spread;
  if (with_masters == nullptr) return calibration;
  check_experiment(*with_masters, masters_name);
  check_attempts(*with_masters);
  if (with_masters->attempts.master_startup.count == 0) {
    throw InputError(fmt::format("{}: expected a run with masters in containers that registered",
                                 with_masters->folder.string()));
  }
  const Measured startup = in_wall_time(with_masters->attempts.master_startup, *with_masters);
  calibration.master_startup = {startup.median, startup.spread};
  return calibration;
}

Calibration calibrate(const RunHost& host, const std::filesystem::path& folder,
                      RunObserver& observer) {
  replace_file(folder / trace_name, trace_text());
  const RunFolder tasks = run_of(tasks_experiment(TracePlace::beside), host, folder, observer);
  check_attempts(tasks);
  const RunFolder with_masters =
      run_of(masters_experiment(TracePlace::beside), host, folder, observer);
  return calibration_of(tasks, &with_masters);
}

std::vector<std::filesystem::path> write_calibration_experiments(
    const std::filesystem::path& folder) {
  const std::vector<std::pair<std::filesystem::path, std::string>> files{
      {folder / trace_name, trace_text()},
      {folder / "calibration.toml", tasks_experiment(TracePlace::cluster)},
      {folder / "calibration-masters.toml", masters_experiment(TracePlace::cluster)}};
  std::vector<std::filesystem::path> written;
  for (const auto& [file, text] : files) {
    replace_file(file, text);
    written.push_back(file);
  }
  return written;
}

}  // namespace tracebed
