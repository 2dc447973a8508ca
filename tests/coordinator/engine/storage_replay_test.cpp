// The replay loop around a run with storage: files come before jobs, and it may stay open.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coordinator/engine/doubles.h"
#include "coordinator/engine/replay.h"
#include "core/input_error.h"

namespace tracebed {
namespace {

using doubles::FirstFit;
using doubles::plain_job;
using doubles::plain_machine;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

// Nodes join at the beginning, their datanodes a second after each other; every container succeeds
// at once. What happens is written down.
class StoringFleet final : public Fleet {
 public:
  StoringFleet(std::uint32_t datanodes, std::vector<std::string>& story)
      : datanodes_(datanodes), story_(story) {}

  void execute(std::span<const Command> commands, const HeartbeatInterest&) override {
    for (const Command& command : commands) {
      if (std::holds_alternative<StoreReplicas>(command)) story_.emplace_back("store");
      if (const auto* launch = std::get_if<LaunchContainer>(&command)) {
        story_.emplace_back("launch");
        running_.push_back(*launch);
      }
    }
  }
  void begin_jobs() override { story_.emplace_back("begin"); }
  void wait_until(TraceTime deadline, Round& round) override {
    round.now = now_;
    for (; joined_ < 2; ++joined_) {
      round.arrivals.push_back(NodeJoined{NodeId(joined_), joined_});
      round.machines.push_back(plain_machine(4, "node" + std::to_string(joined_)));
    }
    for (const LaunchContainer& launch : running_) {
      round.arrivals.push_back(ContainerEnded{launch.container, launch.node,
                                              ContainerEnd::succeeded,
                                              ContainerAccount::nothing_at(now_)});
    }
    running_.clear();
    if (!round.arrivals.empty() || deadline <= now_) return;
    if (registered_ == datanodes_) {
      now_ = round.now = deadline;
      return;
    }
    now_ += seconds(1);
    round.now = now_;
    const NodeId node(registered_++);
    round.add_storage(DatanodeRegistered{node});
    round.add_storage(
        DatanodeHeartbeat{node, {std::int64_t{1} << 40, 0, std::int64_t{1} << 40, 0}});
  }

 private:
  std::uint32_t datanodes_;
  std::vector<std::string>& story_;
  TraceTime now_{};
  std::uint32_t joined_ = 0;
  std::uint32_t registered_ = 0;
  std::vector<LaunchContainer> running_;
};

class StorageReplay : public testing::Test {
 protected:
  ReplayResult run(std::vector<Job> jobs, const ReplayOptions& options,
                   const ReplayObserver& observer) {
    EngineSetup setup;
    setup.scheduler = std::make_unique<FirstFit>();
    setup.make_master = doubles::plain_master;
    setup.storage = NamenodeOptions();
    setup.paranoid = true;
    Engine engine(std::move(setup), records_);
    StoringFleet fleet(2, story_);
    doubles::JobList list(std::move(jobs));
    return replay(engine, fleet, &list, nullptr, observer, options);
  }
  Job reader(std::uint32_t tasks = 1) {
    Job job = plain_job(0, trace_time(0), tasks, seconds(10));
    job.stages[0].input_path = "/in/a";
    return job;
  }
  ReplayOptions with_file() {
    ReplayOptions options;
    options.preloads = {{.path = "/in/a", .size = 10, .replication = 2, .block_size = 100}};
    options.preloads_after = 2;
    return options;
  }
  static bool go_on(const ReplayProgress&) { return true; }

  std::vector<std::string> story_;
  doubles::Records records_;
};

TEST_F(StorageReplay, StoresFilesWhenItsDatanodesHaveComeAndBeforeAnyJob) {
  const ReplayResult result = run({reader()}, with_file(), go_on);
  EXPECT_EQ(result.outcome, RunOutcome::complete);
  EXPECT_THAT(story_, ElementsAre("store", "store", "begin", "launch"));
  ASSERT_EQ(records_.jobs.size(), 1u);
  EXPECT_EQ(records_.jobs[0].outcome, JobOutcome::succeeded);
}

TEST_F(StorageReplay, StopsWithTheReasonWhenAFileCannotBeStored) {
  ReplayOptions options = with_file();
  options.preloads[0].nodes = {{NodeId(7u)}};
  EXPECT_THAT([&] { run({reader()}, options, go_on); },
              ThrowsMessage<InputError>(HasSubstr("/in/a: ")));
  EXPECT_THAT(story_, ElementsAre());
}

TEST_F(StorageReplay, BeginsAtOnceWithoutFilesAndDatanodesToWaitFor) {
  run({plain_job(0, trace_time(0), 1, seconds(10))}, ReplayOptions(), go_on);
  EXPECT_THAT(story_, ElementsAre("begin", "launch"));
}

// Jobs as they arrive, and launches.
class WrittenRounds final : public RoundObserver {
 public:
  explicit WrittenRounds(std::vector<std::string>& story) : story_(story) {}
  void arrived(const Round& round) override {
    if (!round.jobs().empty()) story_.emplace_back("job arrived");
  }
  void commanded(std::span<const Command> commands) override {
    for (const Command& command : commands) {
      if (std::holds_alternative<LaunchContainer>(command)) story_.emplace_back("launch shown");
    }
  }

 private:
  std::vector<std::string>& story_;
};

TEST_F(StorageReplay, ShowsARoundBeforeItIsTakenAndItsCommandsOnceTheFleetHasThem) {
  WrittenRounds rounds(story_);
  ReplayOptions options;
  options.observers = {&rounds};
  run({plain_job(0, trace_time(0), 1, seconds(10))}, options, go_on);
  EXPECT_THAT(story_, ElementsAre("begin", "job arrived", "launch", "launch shown"));
}

TEST_F(StorageReplay, StaysOpenUntilItIsCancelled) {
  ReplayOptions options = with_file();
  options.keep_open = true;
  int rounds = 0;
  const ReplayResult result =
      run({}, options, [&](const ReplayProgress&) { return ++rounds < 1'000; });
  EXPECT_EQ(result.outcome, RunOutcome::cancelled);
  EXPECT_GE(rounds, 1'000);
  EXPECT_THAT(story_, ElementsAre("store", "store", "begin"));
}

TEST_F(StorageReplay, IsCancelledWhileItWaitsForItsDatanodes) {
  ReplayOptions options = with_file();
  options.preloads_after = 3;
  int rounds = 0;
  const ReplayResult result =
      run({reader()}, options, [&](const ReplayProgress&) { return ++rounds < 100; });
  EXPECT_EQ(result.outcome, RunOutcome::cancelled);
  EXPECT_THAT(story_, ElementsAre());
}

}  // namespace
}  // namespace tracebed
