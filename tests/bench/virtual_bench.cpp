// Jobs a second of the virtual world on one core: an SWF file is read, run under FCFS on ideal
// machines of 16 cores, logged and digested, without and with the log's checksum. Memory is by how
// much the process grew at most beyond what a run of a hundred jobs takes.
//
//   virtual_bench FILE.swf…
//   virtual_bench [--jobs N]       generated jobs (1,000,000) of 1 to 16 cores for 1,000 machines
//                                  at load 0.9; all of them: then the SWF traces of the folder that
//                                  TRACEBED_TRACES names, if it is set
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fmt/format.h>
#include <span>
#include <string>
#include <string_view>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "applications/masters.h"
#include "coordinator/engine/replay.h"
#include "coordinator/virtual/virtual_fleet.h"
#include "protocol/log_file.h"
#include "report/file_checksum.h"
#include "support/schedulers.h"
#include "support/temporary_folder.h"
#include "system/large_pages.h"
#include "traces/generate_rigid.h"
#include "traces/open_trace.h"

namespace tracebed {
namespace {

class CountingSink final : public RecordSink {
 public:
  void attempt_ended(const AttemptRecord&) override { ++attempts; }
  void job_ended(const JobRecord& record) override {
    ++jobs;
    last_end = record.finished;
  }
  void preemption_ended(const PreemptionRecord&) override {}
  void sampled(const ClusterSample&) override {}

  std::uint64_t attempts = 0;
  std::uint64_t jobs = 0;
  TraceTime last_end{};
};

struct Clock {
  explicit Clock(clockid_t id) : id_(id), begun_(now()) {}
  double seconds() const { return now() - begun_; }

 private:
  double now() const {
    timespec time{};
    clock_gettime(id_, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
  }
  clockid_t id_;
  double begun_;
};

std::vector<Machine> machines_for(const std::string& trace) {
  Names names;
  const auto reader = open_trace(trace, {}, names);
  Job job;
  reader->next(job);
  const double cores = reader->recorded_vcores().value_or(16'000);
  const auto count = static_cast<std::size_t>(std::ceil(cores / 16));
  return std::vector<Machine>(count,
                              Machine{"node", "/default-rack", Resources(16'000, 65'536), {}});
}

void report_reading(const std::string& trace) {
  Names names;
  const auto reader = open_trace(trace, {}, names);
  Job job;
  const Clock wall(CLOCK_MONOTONIC);
  std::uint64_t jobs = 0;
  while (reader->next(job)) ++jobs;
  fmt::print("  reading alone        {:9.0f} jobs/s\n", static_cast<double>(jobs) / wall.seconds());
}

// The most memory that the process had so far.
std::int64_t peak_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return std::int64_t{usage.ru_maxrss} * 1024;
}

struct Figures {
  double jobs = 0;
  double attempts = 0;
  double wall_seconds = 0;
  double cpu_seconds = 0;
  double log_bytes = 0;
  std::string digest;
};

enum class Logging : std::uint8_t { none, log, log_and_checksum };

std::string_view name(Logging logging) {
  switch (logging) {
    case Logging::none:
      return "with digest             ";
    case Logging::log:
      return "with log and digest     ";
    case Logging::log_and_checksum:
      return "with log, digest, SHA-256";
  }
  return "";
}

Figures simulate(const std::string& trace, const std::string& log_path, Logging logging) {
  const std::vector<Machine> machines = machines_for(trace);
  Names names;
  const auto reader = open_trace(trace, {}, names);
  CountingSink sink;
  EngineSetup setup;
  setup.scheduler = std::move(test::schedulers().make("fcfs", {}).value());
  setup.make_master = MasterBuilder(MasterOptions{}, 1);
  Engine engine(std::move(setup), sink);
  VirtualOptions options;
  options.is_ideal = true;
  VirtualFleet fleet(options, machines, {});
  std::unique_ptr<LogFileWriter> log;
  ChecksumBuilder checksum;
  ByteObserver observer;
  if (logging == Logging::log_and_checksum) {
    observer = [&](std::span<const std::byte> bytes) {
      checksum.add({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    };
  }
  if (logging != Logging::none) {
    log = std::make_unique<LogFileWriter>(log_path, "bench", names, LogDurability::buffered,
                                          LogCompression::none, observer);
  }
  const Clock wall(CLOCK_MONOTONIC);
  const Clock cpu(CLOCK_PROCESS_CPUTIME_ID);
  replay(engine, fleet, reader.get(), log.get(), [](const ReplayProgress&) { return true; });
  if (log) log->finish();
  return {.jobs = static_cast<double>(sink.jobs),
          .attempts = static_cast<double>(sink.attempts),
          .wall_seconds = wall.seconds(),
          .cpu_seconds = cpu.seconds(),
          .log_bytes = log ? static_cast<double>(log->bytes_written()) : 0,
          .digest = engine.digest().to_string()};
}

// `small_trace` is run before, since a program's own code takes memory too once it has run: what
// is reported is what this trace's jobs need.
void report_run(const std::string& trace, const std::string& small_trace, Logging logging,
                const TemporaryFolder& scratch) {
  simulate(small_trace, scratch.file("small.log"), logging);
  const std::int64_t peak_before = peak_bytes();
  const Figures figures = simulate(trace, scratch.file("log"), logging);
  const double jobs = figures.jobs;
  fmt::print(
      "  {}  {:9.0f} jobs/s ({:.0f} by CPU time)  {:.2f} containers a job  {:4.0f} bytes of memory "
      "a job  {:3.0f} bytes of log a job  digest {}\n",
      name(logging), jobs / figures.wall_seconds, jobs / figures.cpu_seconds,
      figures.attempts / jobs, static_cast<double>(peak_bytes() - peak_before) / jobs,
      figures.log_bytes / jobs, figures.digest);
}

// Runs `work` in a process of its own, so that its peak memory is its own.
template <class Work>
bool in_own_process(Work work) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    work();
    std::fflush(nullptr);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

std::vector<std::string> shared_traces() {
  std::vector<std::string> traces;
  const char* const folder = std::getenv("TRACEBED_TRACES");
  if (folder == nullptr) return traces;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(folder) + "/swf")) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(".swf") || name.ends_with(".swf.gz")) traces.push_back(entry.path());
  }
  std::sort(traces.begin(), traces.end());
  return traces;
}

int run(int count, char** arguments) {
  const TemporaryFolder scratch;
  std::vector<std::string> traces(arguments + 1, arguments + count);
  UniformRigidModel model;
  if (traces.size() == 2 && traces[0] == "--jobs") {
    model.jobs = std::strtoul(traces[1].c_str(), nullptr, 10);
    traces.clear();
  }
  if (traces.empty()) {
    traces.push_back(scratch.file("uniform.swf"));
    generate_rigid(model, traces.back());
  }
  const std::string small_trace = scratch.file("small.swf");
  model.jobs = 100;
  generate_rigid(model, small_trace);
  if (count == 1) {
    const std::vector<std::string> shared = shared_traces();
    traces.insert(traces.end(), shared.begin(), shared.end());
  }
  bool is_good = true;
  for (const std::string& trace : traces) {
    fmt::print("{}\n", std::filesystem::path(trace).filename().string());
    report_reading(trace);
    for (int repetition = 0; repetition < 3; ++repetition) {
      for (const Logging logging : {Logging::none, Logging::log, Logging::log_and_checksum}) {
        is_good &= in_own_process([&] { report_run(trace, small_trace, logging, scratch); });
        std::filesystem::remove(scratch.file("log"));
        std::filesystem::remove(scratch.file("small.log"));
      }
    }
  }
  return is_good ? 0 : 1;
}

}  // namespace
}  // namespace tracebed

int main(int count, char** arguments) {
  tracebed::heap_in_large_pages(arguments);
  return tracebed::run(count, arguments);
}
