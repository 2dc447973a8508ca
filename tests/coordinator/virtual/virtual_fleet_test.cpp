#include "coordinator/virtual/virtual_fleet.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <utility>

#include "coordinator/engine/doubles.h"
#include "coordinator/engine/replay.h"
#include "support/at_seconds.h"

namespace tracebed {
namespace {

using doubles::FirstFit;
using doubles::JobList;
using doubles::plain_job;
using doubles::plain_machine;
using doubles::plain_master;
using doubles::Records;

VirtualOptions ideal() {
  return VirtualOptions{.is_ideal = true};
}

VirtualOptions modelled() {
  VirtualOptions options;
  options.heartbeat_period = seconds(1);
  options.launch_latency.median = milliseconds(10);
  options.launch_latency.spread = 1;
  return options;
}

struct Outcome {
  Records records;
  ReplayResult result;
  std::string digest;
  EngineCounters counters;
};

Outcome run(
    const VirtualOptions& options, std::vector<Machine> machines, std::vector<Job> jobs,
    std::vector<MachineChange> changes = {},
    std::unique_ptr<Scheduler> scheduler = std::make_unique<FirstFit>(),
    const ReplayObserver& observer = [](const ReplayProgress&) { return true; }) {
  Outcome outcome;
  EngineSetup setup;
  setup.scheduler = std::move(scheduler);
  setup.make_master = plain_master;
  setup.paranoid = true;
  Engine engine(std::move(setup), outcome.records);
  VirtualFleet fleet(options, std::move(machines), std::move(changes));
  JobList list(std::move(jobs));
  outcome.result = replay(engine, fleet, &list, nullptr, observer);
  outcome.digest = engine.digest().to_string();
  outcome.counters = engine.counters();
  return outcome;
}

// Two vcores; jobs of (vcores, seconds) submitted at 0, 1, 2: (1, 10), (2, 5), (1, 3). First fit
// lets the third pass the second: the jobs end at 10, 15 and 5.
TEST(IdealMachines, RunAPublishedScheduleToTheMicrosecond) {
  const Outcome outcome = run(ideal(), {plain_machine(2)},
                              {plain_job(0, at_seconds(0), 1, seconds(10), StageKind::gang),
                               plain_job(1, at_seconds(1), 2, seconds(5), StageKind::gang),
                               plain_job(2, at_seconds(2), 1, seconds(3), StageKind::gang)});
  EXPECT_EQ(outcome.result.outcome, RunOutcome::complete);
  std::vector<TraceTime> finished(3);
  for (const JobRecord& job : outcome.records.jobs) finished[job.job.index()] = job.finished;
  EXPECT_THAT(finished, testing::ElementsAre(at_seconds(10), at_seconds(15), at_seconds(5)));
}

TEST(IdealMachines, HaveNoLaunchLatencyAndNoHeartbeatDelay) {
  const Outcome outcome =
      run(ideal(), {plain_machine(1)}, {plain_job(0, at_seconds(7), 2, seconds(3))});
  for (const AttemptRecord& attempt : outcome.records.attempts) {
    EXPECT_EQ(attempt.account.started, attempt.allocated);
    EXPECT_EQ(attempt.reported, attempt.account.ended);
    EXPECT_EQ(attempt.account.ended - attempt.account.started, attempt.nominal);
  }
  EXPECT_EQ(outcome.result.ended_at, at_seconds(13));
}

// Five units of 10 s on machines of two, two and one cores.
Job gang_of_five() {
  return plain_job(0, at_seconds(0), 5, seconds(10), StageKind::gang);
}
const std::vector<Machine> five_cores = {plain_machine(2), plain_machine(2), plain_machine(1)};

TEST(IdealMachines, EndAGangAtOnceWithAnAccountForEachContainer) {
  const Outcome outcome = run(ideal(), five_cores, {gang_of_five()});
  ASSERT_EQ(outcome.records.attempts.size(), 3u);
  const Duration cpu_times[] = {seconds(20), seconds(20), seconds(10)};
  for (std::size_t i = 0; i < 3; ++i) {
    const AttemptRecord& attempt = outcome.records.attempts[i];
    EXPECT_EQ(attempt.reported, at_seconds(10));
    EXPECT_EQ(attempt.account.started, at_seconds(0));
    EXPECT_EQ(attempt.account.cpu_time, cpu_times[i]);
  }
  EXPECT_EQ(outcome.records.attempts[2].account.memory_peak_mib, 512);
}

TEST(IdealMachines, LetTheRestOfAGangGoOnWhenAMachineLeaves) {
  const Outcome outcome = run(ideal(), five_cores, {gang_of_five()},
                              {{.at = at_seconds(4), .node = NodeId(1u), .up = false}});
  ASSERT_EQ(outcome.records.attempts.size(), 4u);
  EXPECT_EQ(outcome.records.attempts[0].end, ContainerEnd::node_lost);
  EXPECT_EQ(outcome.records.attempts[0].reported, at_seconds(4));
  for (std::size_t i : {1u, 2u}) {
    EXPECT_EQ(outcome.records.attempts[i].end, ContainerEnd::succeeded);
    EXPECT_EQ(outcome.records.attempts[i].reported, at_seconds(10));
  }
  // The two tasks that were lost run again where there is room.
  EXPECT_EQ(outcome.records.attempts[3].node, NodeId(0u));
  EXPECT_EQ(outcome.records.attempts[3].account.started, at_seconds(10));
  EXPECT_EQ(outcome.result.ended_at, at_seconds(20));
}

TEST(IdealMachines, EndAKilledGangPieceByPieceWithWhatItHadDone) {
  const Outcome outcome =
      run(ideal(), five_cores, {gang_of_five(), plain_job(1, at_seconds(4), 1, seconds(1))}, {},
          std::make_unique<FirstFit>(),
          [](const ReplayProgress& progress) { return progress.now < at_seconds(4); });
  ASSERT_EQ(outcome.records.attempts.size(), 3u);
  for (const AttemptRecord& attempt : outcome.records.attempts) {
    EXPECT_EQ(attempt.end, ContainerEnd::killed);
    EXPECT_EQ(attempt.account.ended, at_seconds(4));
    EXPECT_EQ(attempt.account.cpu_time, seconds(4) * attempt.units);
  }
}

// Of a job whose attempts may all fail, so that it is not awaited.
AttemptRecord first_attempt(const VirtualOptions& options, Job job) {
  int rounds = 0;
  const Outcome outcome =
      run(options, five_cores, {std::move(job)}, {}, std::make_unique<FirstFit>(),
          [&](const ReplayProgress&) { return ++rounds < 10; });
  return outcome.records.attempts.at(0);
}

TEST(IdealMachines, EndAGangAtItsMemoryLimitAsAnyTask) {
  Job job = gang_of_five();
  job.stages[0].runs[0].work.memory_mib = 1025;
  EXPECT_EQ(first_attempt(ideal(), std::move(job)).end, ContainerEnd::out_of_memory);
}

// Allocates only on heartbeats, as YARN's schedulers do.
class OnHeartbeat final : public Scheduler {
 public:
  void decide(const SchedulerInput& input, Decisions& decisions) override {
    for (const SchedulerEvent& event : input.events) {
      if (const auto* added = std::get_if<ApplicationAdded>(&event)) {
        decisions.accept(added->application);
      }
      const auto* updated = std::get_if<NodeUpdated>(&event);
      if (updated == nullptr) continue;
      Resources free = input.cluster.node(updated->node).free;
      input.cluster.asks.for_each([&](AskId id, const Ask& ask) {
        for (std::uint32_t i = 0; i < ask.pending && ask.demand.fits_in(free); ++i) {
          free -= ask.demand;
          decisions.allocate(id, updated->node);
        }
      });
    }
    pending_ = false;
    input.cluster.asks.for_each([&](AskId, const Ask& ask) { pending_ |= ask.pending > 0; });
  }
  HeartbeatInterest heartbeat_interest() const override {
    return {.any = pending_, .minimum = Resources(1000, 1024)};
  }

 private:
  bool pending_ = false;
};

TEST(IdealMachines, FollowEveryChangeByTheHeartbeatsThatMatter) {
  const Outcome outcome =
      run(ideal(), {plain_machine(1), plain_machine(1)},
          {plain_job(0, at_seconds(3), 4, seconds(2))}, {}, std::make_unique<OnHeartbeat>());
  EXPECT_EQ(outcome.result.ended_at, at_seconds(7));
}

// What was granted and given back in one round has no command.
TEST(IdealMachines, FollowAChangeWithoutCommandsByHeartbeats) {
  VirtualFleet fleet(ideal(), {plain_machine(1)}, {});
  Round round;
  const auto next = [&](bool has_cluster_changed) {
    fleet.execute({}, {.any = true, .minimum = {}, .has_cluster_changed = has_cluster_changed});
    round.clear();
    fleet.wait_until(at_seconds(5), round);
    return std::pair(round.now, round.arrivals.size());
  };
  EXPECT_EQ(next(false), std::pair(at_seconds(0), std::size_t{1})) << "it joins";
  EXPECT_EQ(next(false), std::pair(at_seconds(0), std::size_t{1})) << "and has a heartbeat";
  EXPECT_EQ(next(true), std::pair(at_seconds(0), std::size_t{1}));
  EXPECT_EQ(next(false), std::pair(at_seconds(5), std::size_t{0}));
}

TEST(ModelledMachines, ReportEndsWithTheNextHeartbeat) {
  const Outcome outcome =
      run(modelled(), {plain_machine(1)}, {plain_job(0, at_seconds(5), 1, seconds(2))});
  const AttemptRecord& attempt = outcome.records.attempts.at(0);
  EXPECT_EQ(attempt.account.started - attempt.allocated, milliseconds(10));
  EXPECT_EQ(attempt.account.ended - attempt.account.started, seconds(2));
  EXPECT_GE(attempt.reported, attempt.account.ended);
  EXPECT_LE(attempt.reported - attempt.account.ended, seconds(1));
}

// A machine with a container that runs for 100 s, from 0 on.
struct BusyMachine {
  VirtualFleet fleet;
  Round round;

  explicit BusyMachine(const VirtualOptions& options) : fleet(options, {plain_machine(1)}, {}) {
    go_to(at_seconds(0));
    LaunchContainer launch;
    launch.container = ContainerId(0u);
    launch.node = NodeId(0u);
    launch.limits = Resources(1'000, 1'024);
    launch.work = {Work{.duration = seconds(100)}};
    tell({launch});
  }
  void tell(const std::vector<Command>& commands) {
    fleet.execute(commands, {.any = false, .minimum = {}});
  }
  // Or to what arrives before.
  void go_to(TraceTime time) {
    round.clear();
    fleet.wait_until(time, round);
  }
  bool has_reported_end() const {
    return std::any_of(round.arrivals.begin(), round.arrivals.end(), [](const Arrival& arrival) {
      return std::holds_alternative<ContainerEnded>(arrival);
    });
  }
};

// What the engine commands at the time of a heartbeat is reported with the next one, whether the
// heartbeat, which reported nothing, was delivered or left out.
TEST(ModelledMachines, ReportWhatIsKilledAtAHeartbeatWithTheNextOne) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    VirtualOptions options = modelled();
    options.seed = seed;
    options.deliver_every_heartbeat = true;
    BusyMachine first(options);
    first.go_to(never);
    const TraceTime heartbeat = first.round.now + seconds(2);
    for (const bool is_delivered : {true, false}) {
      options.deliver_every_heartbeat = is_delivered;
      BusyMachine machine(options);
      while (machine.round.now < heartbeat) machine.go_to(heartbeat);
      EXPECT_EQ(machine.round.arrivals.size(), is_delivered ? 1u : 0u);
      machine.tell({KillContainer{ContainerId(0u), NodeId(0u)}});
      do machine.go_to(at_seconds(50));
      while (!machine.has_reported_end() && machine.round.now < at_seconds(50));
      EXPECT_EQ(machine.round.now, heartbeat + seconds(1));
    }
  }
}

TEST(ModelledMachines, ReportEndsAtOnceIfHeartbeatsMayComeOutOfBand) {
  VirtualOptions options = modelled();
  options.out_of_band_heartbeat = true;
  const Outcome outcome =
      run(options, {plain_machine(1)}, {plain_job(0, at_seconds(5), 1, seconds(2))});
  const AttemptRecord& attempt = outcome.records.attempts.at(0);
  EXPECT_EQ(attempt.reported, attempt.account.ended);
}

TEST(ModelledMachines, LeaveOutOnlyHeartbeatsThatChangeNothing) {
  std::vector<Job> jobs;
  for (std::uint32_t i = 0; i < 40; ++i) {
    jobs.push_back(plain_job(i, trace_time(i * 777'777), 1 + i % 7, milliseconds(900 + 431 * i)));
  }
  const std::vector<Machine> machines(5, plain_machine(3));
  for (const LatencySpread& jitter : {LatencySpread{}, LatencySpread{milliseconds(30), 4}}) {
    VirtualOptions options = modelled();
    options.heartbeat_jitter = jitter;
    const Outcome skipping = run(options, machines, jobs, {}, std::make_unique<OnHeartbeat>());
    options.deliver_every_heartbeat = true;
    const Outcome all = run(options, machines, jobs, {}, std::make_unique<OnHeartbeat>());
    EXPECT_EQ(skipping.digest, all.digest);
    EXPECT_LT(skipping.counters.heartbeats, all.counters.heartbeats);
  }
}

TEST(ModelledMachines, SendHeartbeatsLateIfTheyHaveJitter) {
  VirtualOptions options = modelled();
  const auto reported_after = [&] {
    const Outcome outcome =
        run(options, {plain_machine(1)}, {plain_job(0, at_seconds(5), 1, seconds(2))});
    return outcome.records.attempts.at(0).reported;
  };
  const TraceTime punctual = reported_after();
  options.heartbeat_jitter = {milliseconds(2), 1};
  EXPECT_EQ(reported_after(), punctual + milliseconds(2));
}

TEST(ModelledMachines, ThrottleATaskThatWantsMoreCpuThanItsContainerHas) {
  Job job = plain_job(0, at_seconds(0), 1, seconds(2));
  job.stages[0].runs[0].work.cpu_time = seconds(6);
  const Outcome outcome = run(modelled(), {plain_machine(4)}, {job});
  const ContainerAccount& account = outcome.records.attempts.at(0).account;
  EXPECT_EQ(account.ended - account.started, seconds(6));
}

TEST(ModelledMachines, EndATaskAtItsMemoryLimitAsOutOfMemory) {
  Job job = plain_job(0, at_seconds(0), 1, seconds(2));
  job.stages[0].runs[0].work.memory_mib = 1025;
  const AttemptRecord first = first_attempt(modelled(), std::move(job));
  EXPECT_EQ(first.end, ContainerEnd::out_of_memory);
  EXPECT_EQ(first.account.memory_peak_mib, 1024);
}

TEST(ModelledMachines, EndAttemptsThatAreToExceedTheirMemoryAtTheirLimit) {
  VirtualOptions options = modelled();
  options.faults.exceeded_memory = 1;
  const AttemptRecord first = first_attempt(options, plain_job(0, at_seconds(0), 1, seconds(2)));
  EXPECT_EQ(first.end, ContainerEnd::out_of_memory);
  EXPECT_EQ(first.account.memory_peak_mib, 1024);
}

TEST(IdealMachines, EndGangsThatAreToExceedTheirMemoryPieceByPiece) {
  VirtualOptions options = ideal();
  options.faults.exceeded_memory = 1;
  EXPECT_EQ(first_attempt(options, gang_of_five()).end, ContainerEnd::out_of_memory);
}

TEST(ModelledMachines, AreGivenUpWhenTheyWereSilentForTooLong) {
  VirtualOptions options = modelled();
  options.node_expiry = seconds(30);
  const Outcome outcome = run(options, {plain_machine(1), plain_machine(1)},
                              {plain_job(0, at_seconds(0), 1, seconds(60))},
                              {{.at = at_seconds(20), .node = NodeId(0u), .up = false}});
  ASSERT_EQ(outcome.records.attempts.size(), 2u);
  EXPECT_EQ(outcome.records.attempts[0].end, ContainerEnd::node_lost);
  EXPECT_EQ(outcome.records.attempts[0].reported, at_seconds(50));
  EXPECT_EQ(outcome.records.attempts[1].node, NodeId(1u));
  EXPECT_EQ(outcome.result.outcome, RunOutcome::complete);
}

TEST(ModelledMachines, ThatComeBackBeforeTheyAreGivenUpHaveLostTheirContainers) {
  const Outcome outcome =
      run(modelled(), {plain_machine(1)}, {plain_job(0, at_seconds(0), 1, seconds(60))},
          {{.at = at_seconds(20), .node = NodeId(0u), .up = false},
           {.at = at_seconds(25), .node = NodeId(0u), .up = true}});
  ASSERT_EQ(outcome.records.attempts.size(), 2u);
  EXPECT_EQ(outcome.records.attempts[0].reported, at_seconds(25));
  EXPECT_EQ(outcome.records.attempts[1].allocated, at_seconds(25));
}

TEST(VirtualMachines, MayJoinLate) {
  const Outcome outcome = run(ideal(), {plain_machine(1), plain_machine(4)},
                              {plain_job(0, at_seconds(0), 1, seconds(1))},
                              {{.at = at_seconds(9), .node = NodeId(0u), .up = true}});
  EXPECT_EQ(outcome.records.attempts.at(0).node, NodeId(1u));
}

TEST(Replay, GivesUpWhenOpenJobsCanNeverGoOn) {
  const Outcome outcome =
      run(ideal(), {plain_machine(1)}, {plain_job(0, at_seconds(5), 1, seconds(1))},
          {{.at = at_seconds(1), .node = NodeId(0u), .up = false}});
  EXPECT_EQ(outcome.result.outcome, RunOutcome::stalled);
  EXPECT_EQ(outcome.records.jobs.at(0).outcome, JobOutcome::killed);
  ASSERT_TRUE(outcome.result.stall);
  EXPECT_EQ(outcome.result.stall->kind, StallKind::no_machines);
  ASSERT_EQ(outcome.result.stall->reasons.size(), 1u);
  EXPECT_EQ(outcome.result.stall->reasons[0].jobs, 1u);
  EXPECT_EQ(outcome.result.stall->reasons[0].text,
            "no machine that is there has 1024 MiB and 1 vcores, even if it were empty");
}

TEST(Replay, WaitsForAMachineThatIsToComeBack) {
  const Outcome outcome =
      run(ideal(), {plain_machine(1)}, {plain_job(0, at_seconds(5), 1, seconds(1))},
          {{.at = at_seconds(1), .node = NodeId(0u), .up = false},
           {.at = at_seconds(90'000), .node = NodeId(0u), .up = true}});
  EXPECT_EQ(outcome.result.outcome, RunOutcome::complete);
  EXPECT_EQ(outcome.result.ended_at, at_seconds(90'001));
}

TEST(Replay, CancelsWhenTheObserverSaysSo) {
  const Outcome outcome = run(
      ideal(), {plain_machine(1)},
      {plain_job(0, at_seconds(0), 1, seconds(100)), plain_job(1, at_seconds(50), 1, seconds(100))},
      {}, std::make_unique<FirstFit>(), [](const ReplayProgress&) { return false; });
  EXPECT_EQ(outcome.result.outcome, RunOutcome::cancelled);
  ASSERT_EQ(outcome.records.jobs.size(), 1u);
  EXPECT_EQ(outcome.records.jobs[0].outcome, JobOutcome::killed);
  EXPECT_EQ(outcome.records.attempts.at(0).end, ContainerEnd::killed);
}

TEST(Replay, EndsAtOnceOnAnEmptyWorkload) {
  EXPECT_EQ(run(ideal(), {plain_machine(1)}, {}).result.outcome, RunOutcome::complete);
}

TEST(Replay, HasEqualDigestsForEqualRunsAndOthersForOthers) {
  std::vector<Job> jobs;
  for (std::uint32_t i = 0; i < 30; ++i) {
    jobs.push_back(plain_job(i, trace_time(i * 500'000), 1 + i % 5, milliseconds(700 + 97 * i)));
  }
  const std::vector<Machine> machines(3, plain_machine(2));
  const std::string digest = run(modelled(), machines, jobs).digest;
  EXPECT_EQ(run(modelled(), machines, jobs).digest, digest);
  VirtualOptions other_seed = modelled();
  other_seed.seed = 2;
  EXPECT_NE(run(other_seed, machines, jobs).digest, digest);
}

TEST(LatencyModel, HasTheMedianAndSpreadItWasGiven) {
  LatencyModel model({milliseconds(4), 3}, Random(1));
  std::vector<Duration> draws;
  for (int i = 0; i < 20'000; ++i) draws.push_back(model.draw());
  std::sort(draws.begin(), draws.end());
  EXPECT_NEAR(to_seconds(draws[10'000]), 0.004, 0.0001);
  EXPECT_NEAR(to_seconds(draws[19'000]), 0.012, 0.0005);
}

// The overhead is beside the work: the record has it as contention, not as nominal time.
TEST(ModelledMachines, LetATaskLastLongerThanItsWorkByItsOverhead) {
  VirtualOptions options = modelled();
  options.task_overhead = {milliseconds(70), 1};
  const Outcome outcome = run(options, {plain_machine(1)}, {plain_job(0, {}, 1, seconds(2))});
  const AttemptRecord& attempt = outcome.records.attempts.at(0);
  EXPECT_EQ(attempt.account.ended - attempt.account.started, milliseconds(2'070));
  EXPECT_EQ(attempt.nominal, seconds(2));
}

TEST(IdealMachines, HaveNoOverheadOfTasks) {
  VirtualOptions options = ideal();
  options.task_overhead = {milliseconds(70), 1};
  const Outcome outcome = run(options, {plain_machine(1)}, {plain_job(0, {}, 1, seconds(2))});
  const AttemptRecord& attempt = outcome.records.attempts.at(0);
  EXPECT_EQ(attempt.account.ended - attempt.account.started, seconds(2));
}

}  // namespace
}  // namespace tracebed
