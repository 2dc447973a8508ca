// The namenode with many blocks: its memory, block-location look-ups in process, and full reports
// of all datanodes, both when they are the first and when they bring nothing new; the same by the
// engine of a run that writes its log.
//
// Usage: namenode_bench [files] (default 182,000, of 1 to 10 blocks each with 3 replicas).
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

#include "bench/loaded_namenode.h"
#include "coordinator/engine/engine.h"
#include "coordinator/storage/block_locations.h"
#include "coordinator/storage/namenode.h"
#include "protocol/log_file.h"

namespace tracebed::bench {
namespace {

double resident_megabytes() {
  std::ifstream file("/proc/self/statm");
  double size = 0;
  double resident = 0;
  file >> size >> resident;
  return resident * 4096 / 1e6;
}

template <class Work>
double seconds_for(const Work& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double report_all(Namenode& namenode, const Reports& reports) {
  return seconds_for([&] {
    for (unsigned i = 0; i < datanodes; ++i) {
      namenode.full_report(NodeId(i), reports[i], trace_time(1));
    }
  });
}

// Every n-th of the paths; how many blocks were found.
std::size_t look_up(const Namenode& namenode, const std::vector<std::string>& paths,
                    std::size_t first, std::size_t step) {
  std::size_t found = 0;
  for (std::size_t i = first; i < paths.size(); i += step) {
    const Reader reader{NodeId(static_cast<unsigned>(i % datanodes)), {}};
    const auto file = block_locations(namenode.state(), paths[i], 0, 1, reader, trace_time(1));
    found += file->blocks.size();
  }
  return found;
}

void measure_memory_and_lookups(std::size_t files) {
  NamenodeOptions options;
  options.safe_mode.at_start = false;
  const double before = resident_megabytes();
  Namenode namenode(options, trace_time(0));
  start(namenode);
  preload(namenode, files, nullptr);
  fmt::print("{} blocks of 3 replicas in {} files: {:.0f} MB at most\n",
             namenode.state().live_blocks, files, resident_megabytes() - before);
  std::vector<std::string> paths;
  Random random(7);
  for (int i = 0; i < 100'000; ++i) paths.push_back(path_of(random.below(files)));
  // Readers look side by side, as servers' threads do between two rounds of a run.
  for (const std::size_t threads : {1u, 2u}) {
    std::atomic<std::size_t> found = 0;
    const double taken = seconds_for([&] {
      std::vector<std::jthread> readers;
      for (std::size_t first = 0; first < threads; ++first) {
        readers.emplace_back([&, first] { found += look_up(namenode, paths, first, threads); });
      }
    });
    fmt::print("{} threads: {:.0f} look-ups of a block's locations a second ({} found)\n", threads,
               static_cast<double>(paths.size()) / taken, found.load());
  }
}

// As many files as give each datanode 10,000 replicas.
void measure_reports(std::size_t files) {
  NamenodeOptions options;
  Namenode namenode(options, trace_time(0));
  start(namenode);
  Reports reports(datanodes);
  preload(namenode, files, &reports);
  std::size_t replicas = 0;
  for (const auto& report : reports) replicas += report.size();
  const double first = report_all(namenode, reports);
  const double leave = seconds_for([&] { namenode.advance(trace_time(60'000'000)); });
  const double again = report_all(namenode, reports);
  fmt::print(
      "full reports of {} datanodes with {} replicas: first {:.3f} s, then {:.3f} s; "
      "end of safe mode {:.3f} s\n",
      datanodes, replicas, first, again, leave);
}

// Schedules nothing.
class IdleScheduler final : public Scheduler {
 public:
  void decide(const SchedulerInput&, Decisions&) override {}
};

class NoRecords final : public RecordSink {
 public:
  void attempt_ended(const AttemptRecord&) override {}
  void job_ended(const JobRecord&) override {}
  void preemption_ended(const PreemptionRecord&) override {}
  void sampled(const ClusterSample&) override {}
};

// A run's engine, and its log in a file that is removed at the end.
class LoggedRun {
 public:
  LoggedRun()
      : path_(std::filesystem::temp_directory_path() /
              ("namenode_bench." + std::to_string(getpid()))),
        log_(path_.string(), "bench", names_, LogDurability::written) {
    EngineSetup setup;
    setup.scheduler = std::make_unique<IdleScheduler>();
    setup.storage = NamenodeOptions();
    engine_.emplace(std::move(setup), records_);
  }
  ~LoggedRun() { std::filesystem::remove(path_); }

  Round& round() { return round_; }
  // As replay() does.
  const std::vector<Command>& step(TraceTime now) {
    round_.now = now;
    commands_.clear();
    log_.append(round_);
    engine_->step(round_, commands_);
    log_.commit();
    round_.clear();
    return commands_;
  }
  std::uint64_t bytes_logged() const { return log_.bytes_written(); }

 private:
  Names names_;
  NoRecords records_;
  std::filesystem::path path_;
  LogFileWriter log_;
  std::optional<Engine> engine_;
  Round round_;
  std::vector<Command> commands_;
};

void add_datanodes(LoggedRun& run) {
  for (unsigned i = 0; i < datanodes; ++i) {
    run.round().arrivals.push_back(NodeJoined{NodeId(i), i});
    run.round().machines.push_back(
        {"node" + std::to_string(i), "/rack" + std::to_string(i / 20), Resources(1'000, 1'024)});
  }
  run.step(trace_time(0));
  for (unsigned i = 0; i < datanodes; ++i) {
    run.round().add_storage(DatanodeRegistered{NodeId(i)});
    run.round().add_storage(
        DatanodeHeartbeat{NodeId(i), {1'000'000'000'000'000, 0, 1'000'000'000'000'000}});
  }
}

// Rounds as datanodes send them: each report is logged, taken in and answered by itself.
double report_all(LoggedRun& run, const Reports& reports, TraceTime now) {
  return seconds_for([&] {
    for (unsigned i = 0; i < datanodes; ++i) {
      run.round().add_storage(FullBlockReport{NodeId(i), reports[i]});
      run.step(now);
    }
  });
}

// `are_awaited`: by safe mode. Otherwise each replica is one that was missing until then.
void measure_reports_in_a_run(std::size_t files, bool are_awaited) {
  LoggedRun run;
  add_datanodes(run);
  if (!are_awaited) run.step(trace_time(0));
  for (std::size_t i = 0; i < files; ++i) {
    run.round().add_storage(
        PreloadedFile{.path = path_of(i),
                      .size = static_cast<std::int64_t>(1 + i % 10) * block_size,
                      .block_size = block_size,
                      .user = "user",
                      .writer = NodeId(static_cast<unsigned>(i % datanodes)),
                      .nodes = {},
                      .is_stored = false});
  }
  Reports reports(datanodes);
  std::size_t replicas = 0;
  for (const Command& command : run.step(trace_time(1))) {
    const auto* order = std::get_if<StoreReplicas>(&command);
    if (order == nullptr) continue;
    for (const BlockName& block : order->blocks) {
      reports[order->node.index()].push_back({block.id, block.generation_stamp, block.length});
      ++replicas;
    }
  }
  const std::uint64_t bytes = run.bytes_logged();
  const double first = report_all(run, reports, trace_time(2));
  const double again = report_all(run, reports, trace_time(3));
  fmt::print(
      "the same in a run, by engine and log: {} replicas {} safe mode, first {:.3f} s, then {:.3f} "
      "s; {:.1f} bytes of log a replica\n",
      replicas, are_awaited ? "in" : "after", first, again,
      static_cast<double>(run.bytes_logged() - bytes) / 2 / static_cast<double>(replicas));
}

}  // namespace
}  // namespace tracebed::bench

int main(int argc, char** argv) {
  const std::size_t files = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 182'000;
  tracebed::bench::measure_memory_and_lookups(files);
  tracebed::bench::measure_reports(files / 3);
  tracebed::bench::measure_reports_in_a_run(files / 3, true);
  tracebed::bench::measure_reports_in_a_run(files / 3, false);
  return 0;
}
