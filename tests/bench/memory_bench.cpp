// Peak memory of reading a trace, of `trace info`, of `trace convert` and of a virtual run under
// FIFO that logs and digests, for a file and for one eight times as long: it must not grow with the
// file.
//
// What is sorted is held in 4 MiB here instead of 64 (TraceOptions::sort_bytes_max), so that the
// shorter file is beyond that bound, too. `info` counts different values up to a million of a kind,
// at up to 48 MiB, and grows until then. A run holds the jobs that are open; on machines for twice
// the load these are as many in a long file as in a short one, but for WfCommons, whose workflows
// are all submitted at 0.
//
//   memory_bench [MB [FORMAT]]      default 100 MB and 800 MB of every format; a fortieth for runs
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fmt/core.h>
#include <fstream>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include "applications/masters.h"
#include "bench/trace_samples.h"
#include "coordinator/engine/replay.h"
#include "coordinator/virtual/virtual_fleet.h"
#include "core/check.h"
#include "protocol/log_file.h"
#include "support/scheduler_parameters.h"
#include "support/schedulers.h"
#include "support/temporary_folder.h"
#include "traces/convert/trace_convert.h"
#include "traces/open_trace.h"
#include "traces/trace_info.h"
#include "traces/workload_totals.h"

namespace tracebed {
namespace {

constexpr std::array<const char*, 4> works = {"read", "info", "convert", "run"};
constexpr int times_longer = 8;

TraceOptions options_of_all() {
  TraceOptions options;
  options.sort_bytes_max = std::size_t{4} << 20;
  TRACEBED_CHECK(set_rule(options.rules, "alibaba.instances_max", "2"), "there is such a rule");
  return options;
}

class NoRecords final : public RecordSink {
 public:
  void attempt_ended(const AttemptRecord&) override {}
  void job_ended(const JobRecord&) override {}
  void preemption_ended(const PreemptionRecord&) override {}
  void sampled(const ClusterSample&) override {}
};

// For twice the vcores that the trace needs in the mean. Few machines, however large: FIFO hears
// all that have room after every change.
std::vector<Machine> machines_for(const std::string& file) {
  Names names;
  const auto reader = open_trace(file, options_of_all(), names);
  WorkloadTotals totals;
  for (Job job; reader->next(job);) totals.add(job);
  constexpr std::int64_t count = 32;
  const std::int64_t vcores = 128 + std::llround(2 * totals.offered_vcores()) / count;
  const Machine machine{"node", "/default-rack", Resources(vcores * 1'000, vcores * 8'192), {}};
  return std::vector<Machine>(count, machine);
}

void run(const std::string& file) {
  std::vector<Machine> machines = machines_for(file);
  Names names;
  const auto reader = open_trace(file, options_of_all(), names);
  NoRecords sink;
  EngineSetup setup;
  setup.scheduler =
      std::move(test::schedulers().make("fifo", test::parameters_for("fifo")).value());
  setup.make_master = MasterBuilder(MasterOptions{}, 1);
  Engine engine(std::move(setup), sink);
  VirtualOptions options;
  options.is_ideal = true;
  VirtualFleet fleet(options, std::move(machines), {});
  LogFileWriter log(file + ".log", "bench", names, LogDurability::buffered);
  const ReplayResult result =
      replay(engine, fleet, reader.get(), &log, [](const ReplayProgress&) { return true; });
  log.finish();
  TRACEBED_CHECK(result.outcome == RunOutcome::complete, "every job ends");
}

// In a process that does nothing else.
void work_on(const std::string& work, const std::string& file) {
  const TraceOptions options = options_of_all();
  if (work == "info") {
    TRACEBED_CHECK(measure_trace(file, options).jobs > 0, "there is something in the file");
  } else if (work == "convert") {
    TRACEBED_CHECK(convert_trace(file, file + ".tbt", "binary", options).jobs_written > 0,
                   "there is something in the file");
  } else if (work == "run") {
    run(file);
  } else {
    Names names;
    const auto reader = open_trace(file, options, names);
    std::uint64_t jobs = 0;
    for (Job job; reader->next(job);) ++jobs;
    TRACEBED_CHECK(jobs > 0, "there is something in the file");
  }
}

// MiB of a process that runs this program with these arguments.
double peak_of(std::array<const char*, 3> arguments) {
  const pid_t child = fork();
  TRACEBED_CHECK(child >= 0, "a process can be made");
  if (child == 0) {
    execl("/proc/self/exe", "memory_bench", "--work", arguments[0], arguments[1], arguments[2],
          nullptr);
    _exit(127);
  }
  int status = 0;
  rusage usage{};
  TRACEBED_CHECK(wait4(child, &status, 0, &usage) == child, "the process ends");
  TRACEBED_CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0, "the process does its work");
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

void measure(const test::TraceSample& sample, int megabytes) {
  fmt::print("{:<12}", sample.format);
  for (const char* const work : works) {
    const int shorter = std::strcmp(work, "run") == 0 ? std::max(megabytes / 40, 1) : megabytes;
    fmt::print("  {:>7}", work);
    for (const int size : {shorter, times_longer * shorter}) {
      const TemporaryFolder folder;
      const std::string file = folder.file("trace");
      peak_of({"make", file.c_str(), fmt::format("{}:{}", sample.format, size).c_str()});
      fmt::print(" {:>4.0f}", peak_of({work, file.c_str(), ""}));
      std::fflush(stdout);
    }
    fmt::print(" MiB");
  }
  fmt::print("\n");
}

// `what` is FORMAT:MB.
void make_file(const std::string& file, const std::string& what) {
  const std::size_t colon = what.find(':');
  for (const test::TraceSample& sample : test::trace_samples()) {
    if (what.substr(0, colon) != sample.format) continue;
    const auto bytes = static_cast<std::size_t>(std::atoi(what.c_str() + colon + 1)) * 1'000'000;
    std::ofstream(file, std::ios::binary) << sample.make(bytes);
  }
}

}  // namespace
}  // namespace tracebed

int main(int count, char** arguments) {
  if (count > 4 && std::strcmp(arguments[1], "--work") == 0) {
    if (std::strcmp(arguments[2], "make") == 0) {
      tracebed::make_file(arguments[3], arguments[4]);
    } else {
      tracebed::work_on(arguments[2], arguments[3]);
    }
    return 0;
  }
  const int megabytes = count > 1 ? std::atoi(arguments[1]) : 100;
  const std::string wanted = count > 2 ? arguments[2] : "";
  for (const tracebed::test::TraceSample& sample : tracebed::test::trace_samples()) {
    if (wanted.empty() || wanted == sample.format) tracebed::measure(sample, megabytes);
  }
  return 0;
}
