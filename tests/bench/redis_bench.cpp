// What the log of a real run costs: events a second into a Redis on a UNIX socket, by how many
// events a round has, by what commit() waits for and by how Redis keeps them; and into a file, to
// compare with.
#include <benchmark/benchmark.h>

#include "coordinator/real/private_redis.h"
#include "coordinator/real/redis_round_log.h"
#include "protocol/log_file.h"
#include "support/temporary_folder.h"

namespace tracebed {
namespace {

constexpr int rounds_per_run = 2'000;

// Half ends of containers, half heartbeats, as a busy real run has them.
Round busy_round(std::int64_t events) {
  Round round;
  for (std::int64_t i = 0; i < events; ++i) {
    if (i % 2 == 0) {
      ContainerEnded ended;
      ended.container = ContainerId(static_cast<std::uint32_t>(i));
      ended.node = NodeId(1u);
      ended.account.cpu_time = seconds(3);
      ended.account.bytes_read = 4'096;
      round.arrivals.push_back(ended);
    } else {
      round.arrivals.push_back(NodeHeartbeat{NodeId(1u), Resources(1'500, 700)});
    }
  }
  return round;
}

void events_a_round(benchmark::internal::Benchmark* benchmark) {
  benchmark->Arg(1)->Arg(10)->Arg(100)->UseRealTime()->Unit(benchmark::kMillisecond);
}

void write_rounds(RoundLog& log, Round& round) {
  for (int i = 0; i < rounds_per_run; ++i) {
    round.now += milliseconds(1);
    log.append(round);
    log.commit();
  }
}

void LogEventsToRedis(benchmark::State& state, RedisPersistence persistence,
                      RedisDurability durability) {
  PrivateRedis redis(persistence);
  RedisConnection connection(redis.address());
  const Names names;
  for (auto _ : state) {
    connection.ask({"FLUSHALL"});
    Round round = busy_round(state.range(0));
    RedisRoundLog log(connection, "run", names, durability);
    write_rounds(log, round);
    log.finish();
  }
  state.SetItemsProcessed(state.iterations() * rounds_per_run * state.range(0));
  state.SetLabel("events, all of them acknowledged in the end");
}
BENCHMARK_CAPTURE(LogEventsToRedis, memory_sent, RedisPersistence::none, RedisDurability::sent)
    ->Apply(events_a_round);
BENCHMARK_CAPTURE(LogEventsToRedis, memory_acknowledged, RedisPersistence::none,
                  RedisDurability::acknowledged)
    ->Apply(events_a_round);
BENCHMARK_CAPTURE(LogEventsToRedis, every_second_sent, RedisPersistence::every_second,
                  RedisDurability::sent)
    ->Apply(events_a_round);
BENCHMARK_CAPTURE(LogEventsToRedis, always_acknowledged, RedisPersistence::always,
                  RedisDurability::acknowledged)
    ->Apply(events_a_round);

void LogEventsToFile(benchmark::State& state, LogDurability durability) {
  const Names names;
  for (auto _ : state) {
    TemporaryFolder folder;
    Round round = busy_round(state.range(0));
    LogFileWriter log(folder.file("rounds.log"), "run", names, durability);
    write_rounds(log, round);
    log.finish();
  }
  state.SetItemsProcessed(state.iterations() * rounds_per_run * state.range(0));
}
BENCHMARK_CAPTURE(LogEventsToFile, buffered, LogDurability::buffered)->Apply(events_a_round);
BENCHMARK_CAPTURE(LogEventsToFile, written, LogDurability::written)->Apply(events_a_round);

}  // namespace
}  // namespace tracebed

BENCHMARK_MAIN();
