// What messages and the log of rounds cost. `bytes` is the size of one item as it is stored.
#include <benchmark/benchmark.h>

#include "protocol/log_file.h"
#include "protocol/random_rounds.h"
#include "protocol/wire_codec.h"
#include "support/temporary_folder.h"

namespace tracebed {
namespace {

wire::Message launch_message() {
  wire::Launch launch;
  launch.container = ContainerId(1u);
  launch.application = ApplicationId(1u);
  launch.limits = Resources(1'000, 512);
  launch.work.duration = seconds(2);
  return {{"run-20260101-120000", 1, 1, 1}, wire::LaunchBatch{{launch}}};
}

void count_bytes(benchmark::State& state, std::size_t bytes_per_item) {
  state.SetItemsProcessed(state.iterations());
  state.counters["bytes"] = static_cast<double>(bytes_per_item);
}

void EncodeLaunch(benchmark::State& state) {
  const wire::Message message = launch_message();
  wire::Encoder encoder;
  std::size_t bytes = 0;
  for (auto _ : state) bytes = encoder.encode(message).size();
  count_bytes(state, bytes);
}
BENCHMARK(EncodeLaunch);

void DecodeLaunch(benchmark::State& state) {
  wire::Encoder encoder;
  const auto bytes = encoder.encode(launch_message());
  for (auto _ : state) benchmark::DoNotOptimize(wire::decode(bytes).has_value());
  count_bytes(state, bytes.size());
}
BENCHMARK(DecodeLaunch);

// One item is a simple rigid job: its submission, its container's end and a heartbeat, each in a
// round of its own, and a commit after each.
class SimpleJobs {
 public:
  SimpleJobs() {
    const UserId user = names_.users.intern("user");
    const QueueId queue = names_.queues.intern("queue");
    test::fill_with_simple_job(submitted_, 1, user, queue);
    const Arrival ended = submitted_.arrivals[1];
    const Arrival heartbeat = submitted_.arrivals[2];
    submitted_.arrivals.resize(1);
    ended_.arrivals = {ended, heartbeat};
  }

  // Returns the bytes of the log.
  std::uint64_t log_to(const std::string& file, std::uint32_t jobs) {
    LogFileWriter log(file, "run", names_, LogDurability::buffered);
    for (std::uint32_t number = 0; number < jobs; ++number) {
      submitted_.now = ended_.now = trace_time(number);
      submitted_.jobs()[0].id = JobId(number);
      for (const Round* round : {&submitted_, &ended_}) {
        log.append(*round);
        log.commit();
      }
    }
    log.finish();
    return log.bytes_written();
  }

 private:
  Names names_;
  Round submitted_;
  Round ended_;
};

constexpr std::uint32_t jobs = 100'000;

void LogSimpleJobsToFile(benchmark::State& state) {
  std::uint64_t bytes = 0;
  for (auto _ : state) {
    const TemporaryFolder folder;
    bytes = SimpleJobs().log_to(folder.file("rounds.log"), jobs);
  }
  state.SetItemsProcessed(state.iterations() * jobs);
  state.counters["bytes"] = static_cast<double>(bytes) / jobs;
}
BENCHMARK(LogSimpleJobsToFile)->Unit(benchmark::kMillisecond);

void ReadSimpleJobsFromFile(benchmark::State& state) {
  const TemporaryFolder folder;
  SimpleJobs().log_to(folder.file("rounds.log"), jobs);
  for (auto _ : state) {
    Names names;
    LogFileReader reader(folder.file("rounds.log"), names);
    Round round;
    while (reader.next(round)) benchmark::DoNotOptimize(round.now);
  }
  state.SetItemsProcessed(state.iterations() * jobs);
}
BENCHMARK(ReadSimpleJobsFromFile)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tracebed

BENCHMARK_MAIN();
