// A whole trace of MapReduce jobs under the Capacity scheduler on modelled machines of 8 cores and
// 16 GiB, forty to a rack, with log and digest: wall time, and the number of tasks that ran.
//
//   capacity_day_bench [TRACE [MACHINES]]   without a trace: the day of Facebook's 2010 cluster
//   with
//                                           input paths, from the folder that TRACEBED_TRACES
//                                           names, on 3,000 machines; skipped where it is absent
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>

#include "applications/masters.h"
#include "coordinator/engine/replay.h"
#include "coordinator/virtual/virtual_fleet.h"
#include "protocol/log_file.h"
#include "support/scheduler_parameters.h"
#include "support/schedulers.h"
#include "support/temporary_folder.h"
#include "traces/open_trace.h"

namespace tracebed {
namespace {

constexpr int skipped = 77;
constexpr std::size_t machines_of_a_rack = 40;

class TaskCounter final : public RecordSink {
 public:
  void attempt_ended(const AttemptRecord& record) override {
    attempts += record.launched ? 1 : 0;
    succeeded += record.launched && record.end == ContainerEnd::succeeded ? 1 : 0;
    near += record.launched && record.locality == Locality::node ? 1 : 0;
  }
  void job_ended(const JobRecord& record) override {
    ++jobs;
    jobs_succeeded += record.outcome == JobOutcome::succeeded ? 1 : 0;
    last_end = record.finished;
  }
  void preemption_ended(const PreemptionRecord&) override {}
  void sampled(const ClusterSample&) override {}

  std::uint64_t attempts = 0;
  std::uint64_t succeeded = 0;
  std::uint64_t near = 0;
  std::uint64_t jobs = 0;
  std::uint64_t jobs_succeeded = 0;
  TraceTime last_end{};
};

std::vector<Machine> machines_of(std::size_t count) {
  std::vector<Machine> machines;
  for (std::size_t i = 0; i < count; ++i) {
    machines.push_back({fmt::format("node{}", i + 1),
                        fmt::format("/rack{}", i / machines_of_a_rack),
                        Resources(8'000, 16'384),
                        {}});
  }
  return machines;
}

// One queue with everything, which its users may use up.
SchedulerParameters one_queue(const Names& names) {
  SchedulerParameters parameters;
  parameters.names = &names;
  parameters.documents["config"] =
      test::hadoop_configuration({{"yarn.scheduler.capacity.root.queues", "default"},
                                  {"yarn.scheduler.capacity.root.default.capacity", "100"},
                                  {"yarn.scheduler.capacity.maximum-am-resource-percent", "1"}});
  return parameters;
}

int run(const std::string& trace, std::size_t machines) {
  const TemporaryFolder scratch;
  Names names;
  const auto jobs = open_trace(trace, {}, names);
  TaskCounter counter;
  EngineSetup setup;
  setup.scheduler = std::move(test::schedulers().make("capacity", one_queue(names)).value());
  setup.make_master = MasterBuilder(MasterOptions{}, 1);
  Engine engine(std::move(setup), counter);
  VirtualFleet fleet(VirtualOptions{}, machines_of(machines), {});
  LogFileWriter log(scratch.path() / "log", "bench", names, LogDurability::buffered);
  const auto begun = std::chrono::steady_clock::now();
  replay(engine, fleet, jobs.get(), &log, [](const ReplayProgress&) { return true; });
  log.finish();
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  fmt::print(
      "{}: {} jobs, {} succeeded; {} tasks succeeded in {} attempts, {:.1f} % of them on a node "
      "with "
      "their input; {} machines; {:.1f} s of wall time with log ({} bytes) and digest {}, {:.0f} "
      "tasks/s\n",
      std::filesystem::path(trace).filename().string(), counter.jobs, counter.jobs_succeeded,
      counter.succeeded, counter.attempts,
      100 * static_cast<double>(counter.near) / static_cast<double>(counter.attempts), machines,
      seconds, log.bytes_written(), engine.digest().to_string(),
      static_cast<double>(counter.succeeded) / seconds);
  return counter.jobs == counter.jobs_succeeded ? 0 : 1;
}

}  // namespace
}  // namespace tracebed

int main(int count, char** arguments) {
  if (count > 1) {
    return tracebed::run(arguments[1], count > 2 ? std::strtoul(arguments[2], nullptr, 10) : 3'000);
  }
  const char* const folder = std::getenv("TRACEBED_TRACES");
  const std::string trace = std::string(folder == nullptr ? "." : folder) +
                            "/swim/FB-2010_samples_24_times_1hr_withInputPaths_0.tsv";
  if (!std::filesystem::exists(trace)) {
    fmt::print("skipped: {} is absent; set TRACEBED_TRACES\n", trace);
    return tracebed::skipped;
  }
  return tracebed::run(trace, 3'000);
}
