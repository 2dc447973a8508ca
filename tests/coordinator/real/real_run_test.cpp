// A small workload decided by the engine and run by real agents, logged in Redis with a copy in a
// file, and decided again from that.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "applications/masters.h"
#include "coordinator/engine/replay.h"
#include "coordinator/real/local_cluster.h"
#include "coordinator/real/private_redis.h"
#include "coordinator/real/real_fleet.h"
#include "coordinator/real/redis_round_log.h"
#include "coordinator/real/redis_views.h"
#include "coordinator/recorded/recorded_fleet.h"
#include "protocol/log_file.h"
#include "support/eventually.h"
#include "support/schedulers.h"
#include "support/temporary_folder.h"

namespace tracebed {
namespace {

using namespace std::chrono_literals;

constexpr std::uint32_t job_count = 12;

// Jobs of three maps and a reduce each, and every third a gang of two; one per second of trace
// time.
class SmallWorkload final : public WorkloadSource {
 public:
  explicit SmallWorkload(Names& names) : names_(names) {}

  bool next(Job& job) override {
    if (next_ == job_count) return false;
    job.id = JobId(next_);
    job.name = "job" + std::to_string(next_);
    job.submit = trace_time(next_ * 1'000'000);
    job.user = names_.users.intern("user" + std::to_string(next_ % 2));
    job.queue = names_.queues.intern("default");
    const bool is_gang = next_ % 3 == 2;
    job.kind = is_gang ? JobKind::rigid : JobKind::map_reduce;
    job.stages.clear();
    if (is_gang) {
      job.stages.push_back(stage(StageKind::gang, 2));
    } else {
      job.stages.push_back(stage(StageKind::map, 3));
      job.stages.push_back(stage(StageKind::reduce, 1));
    }
    ++next_;
    return true;
  }

 private:
  static Stage stage(StageKind kind, std::uint32_t tasks) {
    Stage stage;
    stage.kind = kind;
    stage.demand = Resources(200, 64);
    stage.runs = {
        TaskRun{tasks, {.duration = seconds(4), .cpu_time = milliseconds(400), .memory_mib = 16}}};
    return stage;
  }

  Names& names_;
  std::uint32_t next_ = 0;
};

struct CountingSink final : RecordSink {
  void attempt_ended(const AttemptRecord& record) override { attempts.push_back(record); }
  void job_ended(const JobRecord& record) override { jobs.push_back(record); }
  void preemption_ended(const PreemptionRecord&) override {}
  void sampled(const ClusterSample&) override {}
  std::vector<AttemptRecord> attempts;
  std::vector<JobRecord> jobs;
};

EngineSetup setup() {
  EngineSetup setup;
  auto scheduler = test::schedulers().make("spread", {});
  setup.scheduler = std::move(*scheduler);
  setup.make_master = MasterBuilder(MasterOptions{}, 1);
  setup.paranoid = true;
  return setup;
}

// As worlds of real machines show them.
class ShownRounds final : public RoundObserver {
 public:
  explicit ShownRounds(RedisViews& views) : views_(views) {}
  void arrived(const Round& round) override { views_.arrived(round); }
  void commanded(std::span<const Command> commands) override { views_.commanded(commands); }

 private:
  RedisViews& views_;
};

std::uint64_t ended_jobs_of(const CountingSink& sink, JobOutcome outcome) {
  std::uint64_t count = 0;
  for (const JobRecord& job : sink.jobs) count += job.outcome == outcome ? 1 : 0;
  return count;
}

TEST(RealRun, EndsEveryJobAndDecidesAgainToItsOwnDigestFromItsLog) {
  const std::string run = "realrun" + std::to_string(getpid());
  const std::vector<Machine> machines = {
      {.name = "node-0", .capacity = Resources(800, 512)},
      {.name = "node-1", .capacity = Resources(800, 512)},
  };
  TemporaryFolder folder;
  std::string digest;
  std::size_t attempts = 0;
  {
    Names names;
    PrivateRedis redis(RedisPersistence::none);
    RedisConnection connection(redis.address());
    PieceFileWriter copy(folder.file("rounds.log"), run, LogCompression::zstd);
    RedisRoundLog log(connection, run, names, RedisDurability::acknowledged, &copy);
    RedisViews views(connection, run, names);
    RealFleet fleet({.run = run, .time_scale = 20, .heartbeat_period = seconds(1)}, machines,
                    [](const std::string& warning) { ADD_FAILURE() << warning; });
    ShownRounds shown(views);
    LocalCluster cluster({.run = run,
                          .coordinator = fleet.endpoint(),
                          .links = fleet.links(),
                          .programs = own_programs(),
                          .logs = folder.file("")},
                         machines);
    fleet.wait_for_agents(timeout, [&] { cluster.look(); });
    CountingSink sink;
    Engine engine(setup(), sink);
    SmallWorkload workload(names);
    const ReplayResult result =
        replay(engine, fleet, &workload, &log, [](const ReplayProgress&) { return true; },
               {.observers = {&shown}});
    EXPECT_EQ(result.outcome, RunOutcome::complete);
    EXPECT_EQ(ended_jobs_of(sink, JobOutcome::succeeded), job_count);
    for (const AttemptRecord& attempt : sink.attempts) {
      EXPECT_LE(attempt.allocated, attempt.account.started);
      EXPECT_LE(attempt.account.started, attempt.account.ended);
      EXPECT_LE(attempt.account.ended, attempt.reported);
      // 4 s of trace time are 0.2 s of wall time.
      EXPECT_GE(attempt.account.ended - attempt.account.started, milliseconds(3'500));
    }
    EXPECT_EQ(fleet.counters().launches_lost, 0u);
    log.finish();
    fleet.announce_end("the test is over");
    EXPECT_TRUE(fleet.wait_for_goodbyes(10s));
    cluster.stop([](const std::string& warning) { ADD_FAILURE() << warning; });
    digest = engine.digest().to_string();
    attempts = sink.attempts.size();
  }
  Names names;
  LogFileReader log(folder.file("rounds.log"), names);
  RecordedFleet recorded(log);
  CountingSink sink;
  Engine engine(setup(), sink);
  const ReplayResult result =
      replay(engine, recorded, nullptr, nullptr, [](const ReplayProgress&) { return true; });
  EXPECT_EQ(result.outcome, RunOutcome::complete);
  EXPECT_EQ(engine.digest().to_string(), digest);
  EXPECT_EQ(sink.attempts.size(), attempts);
  EXPECT_EQ(ended_jobs_of(sink, JobOutcome::succeeded), job_count);
  EXPECT_EQ(log.loss(), std::nullopt);
}

}  // namespace
}  // namespace tracebed
