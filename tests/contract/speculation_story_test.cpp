// Speculative execution from a task that is slow to the attempt that counts, on virtual time:
// schedulers, the engine, job masters and modelled machines together.
#include <gtest/gtest.h>
#include <map>
#include <set>

#include "applications/hosting/calling_master.h"
#include "applications/masters.h"
#include "contract/list_source.h"
#include "contract/suite_schedulers.h"
#include "coordinator/engine/engine.h"
#include "coordinator/engine/replay.h"
#include "coordinator/virtual/virtual_fleet.h"
#include "core/random.h"
#include "core/round_log.h"

namespace tracebed {
namespace {

class SpeculationRecords final : public RecordSink {
 public:
  void attempt_ended(const AttemptRecord& record) override { attempts.push_back(record); }
  void job_ended(const JobRecord& record) override { jobs.push_back(record); }
  void preemption_ended(const PreemptionRecord&) override {}
  void sampled(const ClusterSample&) override {}

  std::vector<AttemptRecord> attempts;
  std::vector<JobRecord> jobs;
};

class KeptRounds final : public RoundLog, public RoundSource {
 public:
  void append(const Round& round) override { rounds_.push_back(round); }
  void commit() override {}
  bool next(Round& round) override {
    round.clear();
    if (next_ == rounds_.size()) return false;
    round = rounds_[next_++];
    return true;
  }
  bool has_progress() const {
    for (const Round& round : rounds_) {
      for (const Arrival& arrival : round.arrivals) {
        if (std::holds_alternative<AttemptProgress>(arrival)) return true;
      }
    }
    return false;
  }

 private:
  std::vector<Round> rounds_;
  std::size_t next_ = 0;
};

class RoundsAsFleet final : public Fleet {
 public:
  explicit RoundsAsFleet(RoundSource& rounds) : rounds_(rounds) {}
  void execute(std::span<const Command>, const HeartbeatInterest&) override {}
  void wait_until(TraceTime, Round& round) override {
    if (!rounds_.next(round)) round.now = never;
  }

 private:
  RoundSource& rounds_;
};

struct SpeculationPlay {
  std::string scheduler = "fifo";
  MasterOptions masters;
  VirtualOptions machines_behave;
  std::vector<Machine> machines;
  std::vector<MachineChange> changes;
  std::vector<Job> jobs;
  bool has_masters_in_containers = false;
};

struct Played {
  SpeculationRecords records;
  EngineCounters counters;
  Digest digest;
  bool has_progress = false;

  Duration lasted() const { return records.jobs.back().finished.time_since_epoch(); }
};

EngineSetup setup_of(const SpeculationPlay& play) {
  EngineSetup setup;
  setup.scheduler = make_for_suite(play.scheduler, 1);
  setup.make_master = MasterBuilder(play.masters, 1);
  setup.paranoid = true;
  if (play.has_masters_in_containers) {
    setup.master_containers.emplace().demand = Resources(1'000, 1'024);
  }
  return setup;
}

// Runs it, and decides its rounds again.
Played run(const SpeculationPlay& play) {
  const auto on = [](const ReplayProgress&) { return true; };
  Played played;
  Engine engine(setup_of(play), played.records);
  VirtualFleet fleet(play.machines_behave, play.machines, play.changes);
  fleet.host_masters(
      [builder = MasterBuilder(play.masters, 1)](const LaunchMaster& command) mutable {
        Job job = *command.job;
        return std::make_unique<CallingMaster>(builder.build(job, *command.nodes),
                                               command.application, command.attempt, seconds(1));
      });
  ListSource source(play.jobs);
  KeptRounds rounds;
  EXPECT_EQ(replay(engine, fleet, &source, &rounds, on).outcome, RunOutcome::complete);
  engine.verify();
  played.counters = engine.counters();
  played.digest = engine.digest();
  played.has_progress = rounds.has_progress();
  SpeculationRecords again;
  Engine repeated(setup_of(play), again);
  RoundsAsFleet recorded(rounds);
  (void)replay(repeated, recorded, nullptr, nullptr, on);
  EXPECT_EQ(repeated.digest(), engine.digest());
  return played;
}

Job map_reduce_job(std::size_t id, std::uint32_t maps, std::uint32_t reduces, Duration duration) {
  Job job;
  job.id = JobId(id);
  job.kind = JobKind::map_reduce;
  const auto add = [&](StageKind kind, std::uint32_t tasks) {
    if (tasks == 0) return;
    Stage& stage = job.stages.emplace_back();
    stage.kind = kind;
    stage.demand = Resources(1'000, 1'024);
    stage.runs.push_back({tasks, Work{duration, duration, 1'024, 0, 0, 0}});
  };
  add(StageKind::map, maps);
  add(StageKind::reduce, reduces);
  return job;
}

// Five machines with room for one task, of which the last has a fifth of the others' speed, and a
// job of five maps of 100 s. On ideal machines: four of them end at 100 s, the slow one at 500 s.
SpeculationPlay one_slow_machine(SpeculationRule rule) {
  SpeculationPlay play;
  play.masters.map_reduce.speculation.rule = rule;
  play.masters.replication = 0;
  play.machines_behave.is_ideal = true;
  for (int i = 0; i < 5; ++i) {
    play.machines.push_back({"n" + std::to_string(i), "/r", Resources(1'000, 1'024), {}});
  }
  play.machines[4].speed = 200;
  play.jobs = {map_reduce_job(0, 5, 0, seconds(100))};
  return play;
}

TEST(SpeculationStory, WithoutARuleTheJobWaitsForTheSlowMachine) {
  const Played played = run(one_slow_machine(SpeculationRule::none));
  EXPECT_EQ(played.lasted(), seconds(500));
  EXPECT_FALSE(played.has_progress);
  EXPECT_EQ(played.counters.attempts_duplicated, 0u);
}

// The master asks at 60 s; there is room at 100 s, and the duplicate lasts 100 s. By
// DefaultSpeculator it is asked for then: nothing was done before.
TEST(SpeculationStory, ADuplicateOfTheSlowTaskEndsTheJobEarlier) {
  const std::map<SpeculationRule, Duration> expected = {
      {SpeculationRule::late, seconds(200)},
      {SpeculationRule::hadoop_0_20, seconds(200)},
      {SpeculationRule::hadoop_3, seconds(201)}};
  for (const auto& [rule, lasted] : expected) {
    SCOPED_TRACE(static_cast<int>(rule));
    const Played played = run(one_slow_machine(rule));
    EXPECT_LE(played.lasted(), lasted);
    EXPECT_GE(played.lasted(), seconds(200));
    EXPECT_EQ(played.counters.attempts_duplicated, 1u);
    EXPECT_EQ(played.counters.attempts_superseded, 1u);
    ASSERT_EQ(played.records.attempts.size(), 6u);
    EXPECT_EQ(played.records.jobs.front().attempts, 6u);
    for (const AttemptRecord& attempt : played.records.attempts) {
      const bool is_slow = attempt.node == NodeId(4u);
      EXPECT_EQ(attempt.end, is_slow ? ContainerEnd::killed : ContainerEnd::succeeded);
      if (!is_slow) continue;
      // What it did is recorded: a fifth of its CPU time in 200 s, twice that of the trace.
      EXPECT_NEAR(to_seconds(attempt.account.cpu_time), to_seconds(played.lasted()), 1);
    }
  }
}

// Machines that have heartbeats, latencies and ends that move, and masters that hear late.
TEST(SpeculationStory, ADuplicateEndsTheJobEarlierOnModelledMachines) {
  SpeculationPlay play = one_slow_machine(SpeculationRule::late);
  play.machines_behave.is_ideal = false;
  const Played played = run(play);
  EXPECT_LT(played.lasted(), seconds(210));
  EXPECT_TRUE(played.has_progress);
  play.masters.map_reduce.speculation.rule = SpeculationRule::none;
  EXPECT_GT(run(play).lasted(), seconds(490));
}

// They take room for a task each, and hear of everything up to a second later.
TEST(SpeculationStory, ADuplicateEndsTheJobEarlierThatHasItsMasterInAContainer) {
  for (const SpeculationRule rule :
       {SpeculationRule::late, SpeculationRule::hadoop_0_20, SpeculationRule::hadoop_3}) {
    SCOPED_TRACE(static_cast<int>(rule));
    SpeculationPlay play = one_slow_machine(rule);
    play.has_masters_in_containers = true;
    play.machines.insert(play.machines.begin(), {"m", "/r", Resources(1'000, 1'024), {}});
    const Played played = run(play);
    EXPECT_LT(played.lasted(), seconds(210));
    EXPECT_EQ(played.counters.attempts_duplicated, 1u);
    EXPECT_EQ(played.counters.master_actions_refused, 0u);
    EXPECT_EQ(played.counters.master_actions_foreign, 0u);
  }
}

SpeculationPlay random_play(std::uint64_t seed) {
  Random random = Random::stream(seed, "speculation");
  SpeculationPlay play;
  const std::vector<std::string_view> schedulers = suite_schedulers();
  play.scheduler = schedulers[random.below(schedulers.size())];
  constexpr std::array rules{SpeculationRule::late, SpeculationRule::hadoop_0_20,
                             SpeculationRule::hadoop_3};
  SpeculationOptions& speculation = play.masters.map_reduce.speculation;
  speculation.rule = rules[random.below(rules.size())];
  speculation.least_run = seconds(random.between(1, 20));
  speculation.has_percentiles = random.chance(0.3);
  speculation.retry_after_some = seconds(random.between(1, 15));
  play.masters.map_reduce.are_lost_outputs_awaited = random.chance(0.5);
  play.masters.replication = random.chance(0.5) ? 3 : 0;
  play.masters.preemption_policy =
      random.chance(0.5) ? PreemptionPolicy::checkpoint : PreemptionPolicy::newest_first;
  play.machines_behave.is_ideal = random.chance(0.3);
  play.machines_behave.seed = seed;
  play.machines_behave.node_expiry = seconds(random.between(2, 30));
  if (random.chance(0.3)) play.machines_behave.faults.exceeded_memory = 0.05;
  play.machines_behave.faults.seed = seed;
  const auto machines = static_cast<std::size_t>(random.between(3, 8));
  for (std::size_t i = 0; i < machines; ++i) {
    play.machines.push_back(
        {"n" + std::to_string(i), "/r" + std::to_string(i % 2), Resources(2'000, 2'048), {}});
    if (!random.chance(0.4)) continue;
    play.machines.back().speed = static_cast<std::uint32_t>(random.between(100, 999));
  }
  if (random.chance(0.5)) {
    const NodeId node(random.below(machines));
    const TraceTime at(seconds(random.between(5, 100)));
    play.changes = {{at, node, false}, {at + seconds(random.between(1, 60)), node, true}};
  }
  play.has_masters_in_containers = random.chance(0.3);
  for (std::size_t i = 0; i < 4; ++i) {
    const auto tasks = [&](std::int64_t least) {
      return static_cast<std::uint32_t>(random.between(least, 12));
    };
    play.jobs.push_back(map_reduce_job(i, tasks(1), tasks(0), seconds(random.between(5, 60))));
    play.jobs.back().submit = TraceTime(seconds(static_cast<std::int64_t>(20 * i)));
  }
  return play;
}

class SpeculationSeeds : public testing::TestWithParam<std::uint64_t> {};

// A map may succeed once more when its output is lost; a reduce never.
TEST_P(SpeculationSeeds, EveryTaskSucceedsOnceWhateverHappens) {
  const SpeculationPlay play = random_play(GetParam());
  const Played played = run(play);
  ASSERT_EQ(played.records.jobs.size(), play.jobs.size());
  std::map<JobId, std::uint32_t> masters;  // the last attempt at each
  std::map<std::tuple<JobId, std::uint32_t, TaskRef>, std::uint32_t> successes;
  std::set<std::tuple<JobId, std::uint32_t, TaskRef, std::uint32_t>> attempts;
  for (const AttemptRecord& attempt : played.records.attempts) {
    const std::uint32_t by = attempt.application_attempt;
    masters[attempt.job] = std::max(masters[attempt.job], by);
    if (!attempt.launched || attempt.is_master) continue;
    const TaskRef task{attempt.stage, attempt.task};
    EXPECT_TRUE(attempts.insert({attempt.job, by, task, attempt.attempt}).second)
        << "attempts at a task have numbers of their own";
    if (attempt.end == ContainerEnd::succeeded) ++successes[{attempt.job, by, task}];
  }
  for (const JobRecord& record : played.records.jobs) {
    if (record.outcome != JobOutcome::succeeded) continue;
    const Job& job = play.jobs[record.job.index()];
    for (std::uint16_t stage = 0; stage < job.stages.size(); ++stage) {
      for (std::uint32_t task = 0; task < task_count(job.stages[stage]); ++task) {
        const std::uint32_t count =
            successes[{record.job, masters[record.job], TaskRef{stage, task}}];
        const bool may_be_repeated =
            job.stages[stage].kind == StageKind::map && !play.changes.empty();
        EXPECT_GE(count, 1u) << "stage " << stage << " task " << task;
        EXPECT_TRUE(count == 1 || may_be_repeated) << "stage " << stage << " task " << task;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, SpeculationSeeds, testing::Range<std::uint64_t>(1, 121));

TEST(SpeculationSeedStories, HaveAllThatMayHappen) {
  std::uint64_t duplicated = 0;
  std::uint64_t superseded = 0;
  std::uint64_t lost = 0;
  std::uint64_t calls = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const Played played = run(random_play(seed));
    duplicated += played.counters.attempts_duplicated;
    superseded += played.counters.attempts_superseded;
    lost += played.counters.nodes_lost;
    calls += played.counters.master_calls;
    EXPECT_EQ(played.counters.master_actions_refused, 0u) << seed;
    EXPECT_EQ(played.counters.master_actions_foreign, 0u) << seed;
    EXPECT_LE(played.counters.attempts_superseded, played.counters.attempts_duplicated);
  }
  EXPECT_GT(duplicated, 100u);
  EXPECT_GT(superseded, 50u);
  EXPECT_GT(lost, 10u);
  EXPECT_GT(calls, 1'000u);
}

}  // namespace
}  // namespace tracebed
