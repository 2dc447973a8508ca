#include "coordinator/api/run_queue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <optional>
#include <signal.h>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>

#include "coordinator/api/held_execution.h"
#include "core/input_error.h"
#include "support/eventually.h"
#include "support/temporary_folder.h"

namespace tracebed {
namespace {

using testing::ElementsAre;

// While it lives no file of this process can be made longer, as on a disk that is full.
class FullDisk {
 public:
  FullDisk() : handler_(::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit none{.rlim_cur = 0, .rlim_max = before_.rlim_max};
    EXPECT_EQ(::setrlimit(RLIMIT_FSIZE, &none), 0);
  }
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    ::signal(SIGXFSZ, handler_);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  rlimit before_ = {};
  void (*handler_)(int);
};

class RunQueueTest : public testing::Test {
 protected:
  TemporaryFolder folder_;
  HeldExecution execution_;
};

TEST_F(RunQueueTest, RunsOneExperimentAfterTheOther) {
  RunQueue queue(folder_.path(), HeldExecution::read(), execution_.execute());
  EXPECT_EQ(queue.submit(named("a")), 1);
  EXPECT_EQ(queue.submit(named("b")), 2);
  execution_.wait_for_start(1);
  EXPECT_EQ(queue.find(1)->state, RunState::running);
  EXPECT_EQ(queue.find(1)->progress->jobs_ended, 4u);
  EXPECT_EQ(queue.find(2)->state, RunState::waiting);
  execution_.let_one_end();
  execution_.wait_for_start(2);
  execution_.let_one_end();
  EXPECT_EQ(ended(queue, 1).state, RunOutcome::complete);
  EXPECT_EQ(ended(queue, 2).state, RunOutcome::complete);
  EXPECT_THAT(execution_.started(), ElementsAre("a", "b"));
  EXPECT_FALSE(queue.find(2)->progress);
}

TEST_F(RunQueueTest, AWaitingRunThatIsCancelledNeverStarts) {
  RunQueue queue(folder_.path(), HeldExecution::read(), execution_.execute());
  queue.submit(named("a"));
  execution_.wait_for_start(1);
  queue.submit(named("b"));
  queue.submit(named("c"));
  EXPECT_EQ(queue.cancel(2), RunState::waiting);
  EXPECT_EQ(queue.find(2)->state, RunOutcome::cancelled);
  execution_.let_one_end();
  execution_.wait_for_start(2);
  execution_.let_one_end();
  EXPECT_EQ(ended(queue, 3).state, RunOutcome::complete);
  EXPECT_THAT(execution_.started(), ElementsAre("a", "c"));
}

TEST_F(RunQueueTest, ARunningRunThatIsCancelledEndsAsCancelled) {
  RunQueue queue(folder_.path(), HeldExecution::read(), execution_.execute());
  queue.submit(named("a"));
  execution_.wait_for_start(1);
  EXPECT_EQ(queue.cancel(1), RunState::running);
  EXPECT_EQ(ended(queue, 1).state, RunOutcome::cancelled);
  EXPECT_EQ(queue.cancel(1), RunOutcome::cancelled);
  EXPECT_EQ(queue.cancel(7), std::nullopt);
}

TEST_F(RunQueueTest, AFailureIsKeptWithItsReasonAndTheNextRunGoesOn) {
  RunQueue queue(folder_.path(), HeldExecution::read(), execution_.execute());
  execution_.failure = std::make_exception_ptr(InputError("jobs.tsv:3: no number"));
  queue.submit(named("a"));
  execution_.let_one_end();
  EXPECT_EQ(ended(queue, 1).state, RunOutcome::failed);
  EXPECT_EQ(queue.find(1)->message, "jobs.tsv:3: no number");
  execution_.failure = nullptr;
  queue.submit(named("b"));
  execution_.let_one_end();
  EXPECT_EQ(ended(queue, 2).state, RunOutcome::complete);
}

TEST_F(RunQueueTest, ShowsTheRunThatGoesOnToWhoAsks) {
  RunQueue queue(folder_.path(), HeldExecution::read(), execution_.execute());
  EXPECT_FALSE(queue.snapshot(timeout));
  queue.submit(named("a"));
  execution_.wait_for_start(1);
  EXPECT_EQ(execution_.shown(), 0);
  const auto first = queue.snapshot(timeout);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->run, 1);
  EXPECT_EQ(first->snapshot->scheduler.label, "a");
  EXPECT_GE(first->snapshot->scheduler.at, trace_time(1));
  execution_.let_one_end();
  ended(queue, 1);
  EXPECT_FALSE(queue.snapshot(timeout));
}

TEST_F(RunQueueTest, WhoAsksOftenIsShownTheSameForAWhile) {
  RunQueue queue(folder_.path(), HeldExecution::read(), execution_.execute());
  queue.submit(named("a"));
  execution_.wait_for_start(1);
  const auto began = std::chrono::steady_clock::now();
  for (int i = 0; i < 200; ++i) ASSERT_TRUE(queue.snapshot(timeout));
  const auto took = std::chrono::steady_clock::now() - began;
  EXPECT_LE(execution_.shown(), 1 + took / std::chrono::milliseconds(500));
}

TEST_F(RunQueueTest, WhatShowsNothingIsNotWaitedForLongerThanAsked) {
  RunQueue queue(folder_.path(), HeldExecution::read(), execution_.execute());
  execution_.is_mute = true;
  queue.submit(named("a"));
  execution_.wait_for_start(1);
  EXPECT_FALSE(queue.snapshot(std::chrono::milliseconds(5)));
  execution_.let_one_end();
  ended(queue, 1);
}

TEST_F(RunQueueTest, WhoWaitsForTheQueuesOfARunIsLetGoWhenItEnds) {
  RunQueue queue(folder_.path(), HeldExecution::read(), execution_.execute());
  execution_.is_mute = true;
  queue.submit(named("a"));
  execution_.wait_for_start(1);
  std::thread ending([&] { execution_.let_one_end(); });
  EXPECT_FALSE(queue.snapshot(std::chrono::hours(1)));
  ending.join();
}

TEST_F(RunQueueTest, TakesNoMoreThanItsBound) {
  RunQueue queue(folder_.path(), HeldExecution::read(), execution_.execute());
  queue.submit(named("first"));
  execution_.wait_for_start(1);
  for (std::size_t i = 0; i < RunQueue::waiting_max; ++i) EXPECT_TRUE(queue.submit(named("more")));
  EXPECT_EQ(queue.submit(named("too-many")), std::nullopt);
}

TEST_F(RunQueueTest, ANewQueueListsWhatAnEarlierOneLeftAndRunsWhatWaited) {
  {
    RunQueue queue(folder_.path(), HeldExecution::read(), execution_.execute());
    queue.submit(named("a"));
    execution_.let_one_end();
    ended(queue, 1);
    queue.submit(named("b"));
    execution_.wait_for_start(2);
    queue.submit(named("c"));
  }  // ends b as cancelled, and leaves c to the next
  RunQueue queue(folder_.path(), HeldExecution::read(), execution_.execute());
  const std::vector<RunEntry> runs = queue.list(10);
  ASSERT_EQ(runs.size(), 3u);
  EXPECT_EQ(runs[1].state, RunOutcome::cancelled);
  EXPECT_EQ(runs[2].state, RunOutcome::complete);
  EXPECT_EQ(runs[2].name, "a");
  execution_.wait_for_start(3);
  execution_.let_one_end();
  EXPECT_EQ(ended(queue, 3).state, RunOutcome::complete);
  EXPECT_THAT(execution_.started(), ElementsAre("a", "b", "c"));
  EXPECT_EQ(queue.submit(named("d")), 4);
}

TEST_F(RunQueueTest, AWaitingRunThatCannotBeReadAgainFailsAndSaysSo) {
  {
    RunQueue queue(folder_.path(), HeldExecution::read(), execution_.execute());
    queue.submit(named("a"));
    execution_.wait_for_start(1);
    for (const char* name : {"b", "c", "d"}) queue.submit(named(name));
  }
  std::filesystem::remove(folder_.path() / "2/submission.bin");
  folder_.write("3/fcfs/rounds.log", "it had begun, which the disk did not take");
  const RunQueue::Read read = [](const std::string& submission) -> Experiment {
    throw InputError(submission + " is no experiment any more");
  };
  RunQueue queue(folder_.path(), read, execution_.execute());
  EXPECT_EQ(queue.find(2)->state, RunOutcome::failed);
  EXPECT_THAT(queue.find(2)->message, testing::HasSubstr("the submission cannot be read"));
  EXPECT_EQ(queue.find(3)->state, RunOutcome::failed);
  EXPECT_EQ(ended(queue, 4).message, "d is no experiment any more");
}

TEST_F(RunQueueTest, WhatIsNoRunIsSetAsideWithItsNumber) {
  folder_.write("1/state.json", "{\"run\": 1");
  folder_.write("1/rounds.log", "kept");
  folder_.write("2/state.json", "{\"run\": 2, \"state\": \"dancing\"}");
  folder_.write("2.incomplete/mine", "of an earlier time");
  folder_.write("3/experiment.toml", "");
  folder_.write("5", "a file");
  folder_.write("007/state.json", "");
  folder_.write("99999999999999999999/state.json", "");
  folder_.write("notes/readme", "mine");
  folder_.write("4.deleted/state.json", "half gone");
  RunQueue queue(folder_.path(), HeldExecution::read(), execution_.execute());
  EXPECT_TRUE(queue.list(10).empty());
  EXPECT_EQ(contents(folder_.path() / "1.incomplete/rounds.log"), "kept");
  EXPECT_TRUE(std::filesystem::exists(folder_.path() / "2.incomplete.2/state.json"));
  EXPECT_TRUE(std::filesystem::exists(folder_.path() / "3.incomplete/experiment.toml"));
  EXPECT_TRUE(eventually([&] { return !std::filesystem::exists(folder_.path() / "4.deleted"); }));
  EXPECT_EQ(contents(folder_.path() / "notes/readme"), "mine");
  folder_.write("9/experiment.toml", "put there meanwhile");
  for (const std::int64_t expected : {8, 10, 11}) EXPECT_EQ(queue.submit(named("a")), expected);
}

TEST_F(RunQueueTest, AFolderHasOneQueueWhichIsNamed) {
  RunQueue queue(folder_.path(), HeldExecution::read(), execution_.execute());
  EXPECT_THAT([&] { RunQueue(folder_.path(), HeldExecution::read(), execution_.execute()); },
              testing::ThrowsMessage<EnvironmentError>(testing::AllOf(
                  testing::HasSubstr(folder_.path().string() + " is in use by process " +
                                     std::to_string(::getpid())),
                  testing::HasSubstr("since 20"))));
}

TEST_F(RunQueueTest, KeepsTheLatestRunsThatHaveEnded) {
  RunQueue queue(folder_.path(), HeldExecution::read(), execution_.execute(), {.completed = 2});
  for (int run = 1; run <= 4; ++run) {
    EXPECT_EQ(queue.submit(named("a")), run);
    execution_.let_one_end();
    ended(queue, run);
  }
  EXPECT_TRUE(eventually([&] { return !queue.find(2); }));
  EXPECT_TRUE(eventually([&] { return !std::filesystem::exists(folder_.path() / "2"); }));
  EXPECT_TRUE(std::filesystem::exists(folder_.path() / "3"));
  EXPECT_EQ(queue.remove(3), RunOutcome::complete);
  EXPECT_EQ(queue.remove(3), std::nullopt);
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "3"));
  EXPECT_EQ(queue.submit(named("a")), 5);
  execution_.wait_for_start(5);
  EXPECT_EQ(queue.remove(5), RunState::running);
  execution_.let_one_end();
}

TEST_F(RunQueueTest, ListsComeInPages) {
  RunQueue queue(folder_.path(), HeldExecution::read(), execution_.execute());
  for (int i = 0; i < 7; ++i) queue.submit(named("a"));
  const auto ids = [](const std::vector<RunEntry>& runs) {
    std::vector<std::int64_t> numbers;
    for (const RunEntry& run : runs) numbers.push_back(run.id);
    return numbers;
  };
  EXPECT_THAT(ids(queue.list(3)), ElementsAre(7, 6, 5));
  EXPECT_THAT(ids(queue.list(3, 5)), ElementsAre(4, 3, 2));
  EXPECT_THAT(ids(queue.list(3, 0, 5)), ElementsAre(2, 1));
  EXPECT_THAT(ids(queue.list(3, 1)), testing::IsEmpty());
  EXPECT_THAT(ids(queue.list(2, 100, 1)), ElementsAre(6, 5));
}

TEST_F(RunQueueTest, ARunTakesABoundedNumberOfChanges) {
  constexpr std::int64_t changes_max = RunQueue::waiting_changes_max + 20;
  RunQueue queue(folder_.path(), HeldExecution::read(), execution_.execute(),
                 {.changes = changes_max});
  queue.submit(named("a"));
  execution_.wait_for_start(1);
  const auto refusal = [&](const RequestedChange& wish) -> std::string {
    try {
      queue.change(1, wish);
      return "";
    } catch (const InputError& error) {
      return error.what();
    }
  };
  const AdministratorRequest drain{.node = "node1"};
  for (std::size_t i = 0; i < RunQueue::refreshes_max; ++i) {
    EXPECT_EQ(refusal(RequestedRefresh{"config", "<a/>"}), "");
  }
  EXPECT_THAT(refusal(RequestedRefresh{"config", "<a/>"}),
              testing::HasSubstr("changes are pending for run 1"));
  for (std::size_t i = RunQueue::refreshes_max; i < RunQueue::waiting_changes_max; ++i) {
    EXPECT_EQ(refusal(drain), "");
  }
  EXPECT_THAT(refusal(drain), testing::HasSubstr("100 changes are pending for run 1"));
  execution_.takes_changes = true;
  std::string last;
  ASSERT_TRUE(eventually([&] {
    last = refusal(drain);
    return last.find("the maximum for a run") != std::string::npos;
  })) << last;
  ASSERT_TRUE(eventually([&] { return queue.find(1)->changes_made == changes_max; }));
  EXPECT_EQ(queue.find(1)->changes.size(), RunEntry::changes_max);
  EXPECT_EQ(queue.find(1)->changes.back().number, changes_max);
  execution_.let_one_end();
  EXPECT_EQ(ended(queue, 1).changes.size(), RunEntry::changes_max);
}

TEST_F(RunQueueTest, AnOrderForANodeThatTheRunDoesNotHaveIsRefusedAtOnce) {
  RunQueue queue(folder_.path(), HeldExecution::read(), execution_.execute());
  execution_.nodes = {"node1", "node2"};
  queue.submit(named("a"));
  execution_.wait_for_start(1);
  EXPECT_EQ(queue.change(1, AdministratorRequest{.node = "node2"})->state, RunState::running);
  EXPECT_THAT([&] { queue.change(1, AdministratorRequest{.node = "node3"}); },
              testing::ThrowsMessage<InputError>("there is no node \"node3\" in the run"));
  execution_.let_one_end();
}

TEST_F(RunQueueTest, WarningsAndChangesOfARunOutliveItsCoordinator) {
  const auto check = [](const RunEntry& run) {
    ASSERT_EQ(run.changes.size(), 1u);
    EXPECT_EQ(run.changes[0].number, 1);
    EXPECT_GT(run.changes[0].at, 0);
    EXPECT_EQ(run.changes[0].trace_at, trace_time(5));
    EXPECT_FALSE(run.changes[0].was_taken);
    EXPECT_EQ(run.warnings.size(), RunEntry::warnings_max);
    EXPECT_THAT(run.warnings.at(0), testing::StartsWith("warning 0 xxx"));
    EXPECT_LE(run.warnings.at(0).size(), RunEntry::text_bytes_max);
    EXPECT_THAT(run.warnings.back(), testing::HasSubstr("more warnings were raised than are kept"));
  };
  execution_.warnings = 200;
  execution_.takes_changes = true;
  {
    RunQueue queue(folder_.path(), HeldExecution::read(), execution_.execute());
    queue.submit(named("a"));
    execution_.wait_for_start(1);
    queue.change(1, AdministratorRequest{.node = "node1"});
    EXPECT_TRUE(eventually([&] { return queue.find(1)->changes_made == 1; }));
    check(*queue.find(1));
    execution_.let_one_end();
    check(ended(queue, 1));
    EXPECT_TRUE(queue.list(1).at(0).warnings.empty());
  }
  RunQueue queue(folder_.path(), HeldExecution::read(), execution_.execute());
  check(*queue.find(1));
}

TEST(ClippedText, HasNoHalfOfACharacter) {
  EXPECT_EQ(clipped("short", 5), "short");
  EXPECT_EQ(clipped("longer", 5), "lo…");
  EXPECT_EQ(clipped("läng", 4), "l…");
}

TEST_F(RunQueueTest, RefusesAStateFolderThatIsAFile) {
  const auto file = folder_.write("state", "");
  EXPECT_THROW(RunQueue(file, HeldExecution::read(), execution_.execute()), EnvironmentError);
}

TEST_F(RunQueueTest, ARunGoesOnWhoseStateAFullDiskDoesNotTakeAndItIsWrittenLater) {
  RunQueue queue(folder_.path(), HeldExecution::read(), execution_.execute());
  {
    std::optional<FullDisk> full;
    queue.submit(named("a"));
    execution_.wait_for_start(1);
    full.emplace();
    execution_.let_one_end();
    EXPECT_EQ(ended(queue, 1).state, RunOutcome::complete);
    EXPECT_EQ(load_entry(folder_.path() / "1")->state, RunState::running);
  }
  EXPECT_TRUE(
      eventually([&] { return load_entry(folder_.path() / "1")->state == RunOutcome::complete; }));
}

TEST_F(RunQueueTest, ASubmissionThatAFullDiskDoesNotTakeIsRefusedAndLeavesNothing) {
  RunQueue queue(folder_.path(), HeldExecution::read(), execution_.execute());
  {
    const FullDisk full;
    EXPECT_THAT([&] { queue.submit(named("a")); },
                testing::ThrowsMessage<EnvironmentError>(testing::HasSubstr("cannot be written")));
  }
  EXPECT_THAT(queue.list(10), testing::IsEmpty());
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "1"));
  EXPECT_EQ(queue.submit(named("a")), 1);
  execution_.wait_for_start(1);
  execution_.let_one_end();
  EXPECT_EQ(ended(queue, 1).state, RunOutcome::complete);
}

TEST_F(RunQueueTest, ACoordinatorStartsOnAFullDiskAndListsWhatItsPredecessorLeft) {
  std::filesystem::create_directory(folder_.path() / "1");
  RunEntry entry;
  entry.id = 1;
  entry.name = "a";
  entry.state = RunState::running;
  entry.folder = folder_.path() / "1";
  save_entry(entry);
  std::optional<FullDisk> full(std::in_place);
  RunQueue queue(folder_.path(), HeldExecution::read(), execution_.execute());
  EXPECT_EQ(queue.find(1)->state, RunOutcome::failed);
  EXPECT_EQ(load_entry(entry.folder)->state, RunState::running);
  full.reset();
  EXPECT_TRUE(eventually([&] { return load_entry(entry.folder)->state == RunOutcome::failed; }));
}

}  // namespace
}  // namespace tracebed
