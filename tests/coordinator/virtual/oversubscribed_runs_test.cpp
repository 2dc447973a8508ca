// Whole runs, and random ones, on machines whose containers use more than there is.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "coordinator/engine/doubles.h"
#include "coordinator/engine/replay.h"
#include "coordinator/virtual/shared_machine.h"
#include "core/random.h"
#include "support/scheduler_parameters.h"
#include "support/schedulers.h"

namespace tracebed {
namespace {

using doubles::plain_machine;

// Tasks begin, are killed and are told to stop at random. Those that were killed begin again, and
// those that have kept their progress go on with the rest, until all of their work is done once.
TEST(OversubscribedRuns, DoAllWorkOnceWhateverIsInterrupted) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random = Random::stream(seed, "interruptions");
    test::SharedMachine machine;
    std::map<std::uint32_t, Work> running;
    std::uint32_t next = 0;
    Duration wanted{};
    Duration used{};
    Duration spent{};
    TraceTime now = at_seconds(0);
    const auto launch = [&](const Work& work) {
      running[next] = work;
      machine.launch(next++, work, false);
    };
    while (next < 30 || !running.empty()) {
      if (next < 30 && random.below(2) == 0) {
        const auto duration = milliseconds(static_cast<std::int64_t>(500 + random.below(20'000)));
        const auto cores = static_cast<std::int64_t>(random.below(4));
        const auto memory = static_cast<std::int64_t>(random.below(2'000));
        launch(test::computing(duration, cores, memory));
        wanted += cores * duration;
      } else if (!running.empty() && next < 200) {
        const auto victim =
            std::next(running.begin(), static_cast<long>(random.below(running.size())));
        const ContainerId container(victim->first);
        if (random.below(2) == 0) {
          machine.tell(KillContainer{container, NodeId(0u)});
        } else {
          machine.tell(CheckpointContainer{container, NodeId(0u)});
        }
      }
      now += milliseconds(static_cast<std::int64_t>(1 + random.below(4'000)));
      machine.go_to(now);
      for (auto& [container, work] : std::map<std::uint32_t, Work>(running)) {
        if (!machine.has_ended(container)) continue;
        const ContainerEnded& ended = machine.end_of(container, now);
        running.erase(container);
        spent += ended.account.cpu_time;
        if (ended.end == ContainerEnd::killed) {
          launch(work);
          continue;
        }
        used += ended.account.cpu_time;
        if (ended.end == ContainerEnd::succeeded) continue;
        ASSERT_EQ(ended.end, ContainerEnd::checkpointed);
        const double part = static_cast<double>(ended.account.progress) / whole_work;
        EXPECT_NEAR(to_seconds(ended.account.cpu_time), part * to_seconds(work.cpu_time), 1e-3);
        launch(rest_of({work}, ended.account.progress));
      }
    }
    // Progress is in millionths.
    EXPECT_NEAR(to_seconds(used), to_seconds(wanted), 0.05);
    EXPECT_LE(to_seconds(spent), 4.1 * to_seconds(now));
  }
}

// ---- whole runs ----

struct Outcome {
  doubles::Records records;
  ReplayResult result;
  std::string digest;
};

// Looks at what machines say that they use.
class ReportedUse final : public RoundObserver {
 public:
  explicit ReportedUse(const Machine& machine) : machine_(machine) {}
  void arrived(const Round& round) override {
    for (const Arrival& arrival : round.arrivals) {
      const auto* beat = std::get_if<NodeHeartbeat>(&arrival);
      if (beat == nullptr) continue;
      EXPECT_TRUE(beat->used.fits_in(machine_.capacity));
      is_full |= beat->used.milli_vcores() >= machine_.capacity.milli_vcores() - 1;
    }
  }
  void commanded(std::span<const Command> /*commands*/) override {}

  bool is_full = false;

 private:
  Machine machine_;
};

// Tasks ask for memory alone.
std::vector<Job> random_jobs(std::uint64_t seed) {
  Random random = Random::stream(seed, "jobs");
  std::vector<Job> jobs;
  for (std::uint32_t i = 0; i < 40; ++i) {
    Job job = doubles::plain_job(
        i, trace_time(i * 700'000), 1 + static_cast<std::uint32_t>(random.below(6)),
        milliseconds(100 + static_cast<std::int64_t>(random.below(9'000))));
    Stage& stage = job.stages[0];
    stage.demand = Resources(0, 200);
    Work& work = stage.runs[0].work;
    work.cpu_time = work.duration * static_cast<std::int64_t>(random.below(30)) / 10;
    work.memory_mib = static_cast<std::int64_t>(1 + random.below(200));
    jobs.push_back(std::move(job));
  }
  return jobs;
}

Outcome run(const VirtualOptions& options, const std::vector<Machine>& machines,
            std::vector<Job> jobs,
            std::unique_ptr<Scheduler> scheduler = std::make_unique<doubles::FirstFit>(),
            bool limit_vcores = false) {
  Outcome outcome;
  EngineSetup setup;
  setup.scheduler = std::move(scheduler);
  setup.make_master = doubles::plain_master;
  setup.paranoid = true;
  setup.limit_vcores = limit_vcores;
  Engine engine(std::move(setup), outcome.records);
  VirtualFleet fleet(options, machines, {});
  ReportedUse use(machines.at(0));
  doubles::JobList list(std::move(jobs));
  outcome.result = replay(engine, fleet, &list, nullptr, [](const ReplayProgress&) { return true; },
                          {.observers = {&use}});
  EXPECT_TRUE(use.is_full);
  outcome.digest = engine.digest().to_string();
  return outcome;
}

Duration lasted(const AttemptRecord& attempt) {
  return attempt.account.ended - attempt.account.started;
}

TEST(OversubscribedRuns, DoAllOfTheWorkAndNoMoreAtATimeThanTheyCan) {
  VirtualOptions options;
  options.deliver_every_heartbeat = true;
  const std::vector<Machine> machines(2, plain_machine(2));
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const std::vector<Job> jobs = random_jobs(seed);
    const Outcome outcome = run(options, machines, jobs);
    EXPECT_EQ(outcome.result.outcome, RunOutcome::complete);
    EXPECT_EQ(outcome.records.jobs.size(), jobs.size());
    bool was_slow = false;
    // Between any begin and any end, no more CPU time than the machine has.
    for (const Machine& machine : machines) {
      const NodeId node(static_cast<std::size_t>(&machine - machines.data()));
      for (const AttemptRecord& first : outcome.records.attempts) {
        if (first.node != node) continue;
        Duration within{};
        for (const AttemptRecord& other : outcome.records.attempts) {
          if (other.node == node && other.account.started >= first.account.started &&
              other.account.ended <= first.account.ended) {
            within += other.account.cpu_time;
          }
        }
        // Demands are in whole thousandths of cores.
        EXPECT_LE(within, 2 * lasted(first) * 101 / 100 + milliseconds(1));
      }
    }
    for (const AttemptRecord& attempt : outcome.records.attempts) {
      const Work& work = jobs[attempt.job.index()].stages[0].runs[0].work;
      EXPECT_EQ(attempt.account.cpu_time, work.cpu_time);
      EXPECT_GE(lasted(attempt), work.duration);
      was_slow |= lasted(attempt) > work.duration * 11 / 10;
    }
    EXPECT_TRUE(was_slow);
    EXPECT_EQ(run(options, machines, jobs).digest, outcome.digest);
  }
}

// Hadoop 1 gives slots, whatever tasks need. Eight maps of one core each, on four cores: with four
// slots in two waves, with eight in one of twice the time.
TEST(OversubscribedRuns, AreWhatMoreSlotsThanCoresMake) {
  std::map<std::string, std::vector<Duration>> times;
  for (const char* const slots : {"4", "8"}) {
    Job job = doubles::plain_job(0, at_seconds(0), 8, seconds(30));
    job.stages[0].demand = Resources(0, 0);
    SchedulerParameters parameters;
    parameters.settings = {{"map_slots", slots}};
    auto scheduler = test::schedulers().make("slot_fifo", parameters);
    ASSERT_TRUE(scheduler) << scheduler.error().message;
    const Outcome outcome =
        run(VirtualOptions{}, {plain_machine(4)}, {job}, std::move(scheduler.value()));
    EXPECT_EQ(outcome.result.outcome, RunOutcome::complete);
    for (const AttemptRecord& attempt : outcome.records.attempts) {
      times[slots].push_back(lasted(attempt));
    }
  }
  EXPECT_THAT(times["4"], testing::AllOf(testing::SizeIs(8), testing::Each(seconds(30))));
  EXPECT_THAT(times["8"],
              testing::AllOf(testing::SizeIs(8), testing::Each(testing::Gt(seconds(59)))));
}

// YARN's FIFO counts memory. Sixteen maps of 1 GiB and one vcore, which compute for 30 s, on four
// cores and 16 GiB: all at once, each with a quarter of a core, or in four waves where vcores are
// limited.
TEST(OversubscribedRuns, AreWhatCountingMemoryAloneMakes) {
  Machine machine = plain_machine(4);
  machine.capacity = Resources(4'000, 16'384);
  VirtualOptions options;
  options.deliver_every_heartbeat = true;
  const auto played = [&](bool limit_vcores, Duration computes) {
    Job job = doubles::plain_job(0, at_seconds(0), 16, seconds(30));
    job.stages[0].runs[0].work.cpu_time = computes;
    auto scheduler = test::schedulers().make("fifo", test::parameters_for("fifo"));
    EXPECT_TRUE(scheduler.has_value());
    return run(options, {machine}, {job}, std::move(scheduler.value()), limit_vcores);
  };
  const auto times = [](const Outcome& outcome) {
    std::vector<double> seconds;
    for (const AttemptRecord& attempt : outcome.records.attempts) {
      seconds.push_back(to_seconds(lasted(attempt)));
    }
    return seconds;
  };
  const Outcome together = played(false, seconds(30));
  EXPECT_THAT(times(together),
              testing::AllOf(testing::SizeIs(16), testing::Each(testing::DoubleNear(120, 0.1))));
  const Outcome in_waves = played(true, seconds(30));
  EXPECT_THAT(times(in_waves), testing::AllOf(testing::SizeIs(16), testing::Each(30)));
  EXPECT_GT(in_waves.result.ended_at, at_seconds(120));
  // They wait for three quarters of the time, so that there are cores for all of them.
  const Outcome waiting = played(false, milliseconds(7'500));
  EXPECT_THAT(times(waiting), testing::AllOf(testing::SizeIs(16), testing::Each(30)));
  EXPECT_LT(waiting.result.ended_at, at_seconds(40));
}

}  // namespace
}  // namespace tracebed
