#include "coordinator/api/run_queue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <optional>
#include <signal.h>
#include <sys/resource.h>
#include <thread>

#include "coordinator/api/held_execution.h"
#include "core/input_error.h"
#include "support/eventually.h"
#include "support/temporary_folder.h"

namespace tracebed {
namespace {

using testing::ElementsAre;

Experiment named(const std::string& name) {
  Experiment experiment;
  experiment.name = name;
  experiment.source = "name = \"" + name + "\"\n";
  return experiment;
}

// Waits until the run has ended; its state is set by the queue's thread after the execution.
RunEntry ended(const RunQueue& queue, std::int64_t run) {
  EXPECT_TRUE(eventually([&] { return has_ended(queue.find(run)->state); }));
  return *queue.find(run);
}

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
  RunQueue queue(folder_.path(), execution_.execute());
  EXPECT_EQ(queue.submit(named("a")), 1);
  EXPECT_EQ(queue.submit(named("b")), 2);
  execution_.wait_for_start(1);
  EXPECT_EQ(queue.find(1)->state, RunState::running);
  EXPECT_EQ(queue.find(1)->progress->jobs_ended, 4u);
  EXPECT_EQ(queue.find(2)->state, RunState::waiting);
  execution_.let_one_end();
  execution_.wait_for_start(2);
  execution_.let_one_end();
  EXPECT_EQ(ended(queue, 1).state, RunState::finished);
  EXPECT_EQ(ended(queue, 2).state, RunState::finished);
  EXPECT_THAT(execution_.started(), ElementsAre("a", "b"));
  EXPECT_FALSE(queue.find(2)->progress);
}

TEST_F(RunQueueTest, AWaitingRunThatIsCancelledNeverStarts) {
  RunQueue queue(folder_.path(), execution_.execute());
  queue.submit(named("a"));
  execution_.wait_for_start(1);
  queue.submit(named("b"));
  queue.submit(named("c"));
  EXPECT_EQ(queue.cancel(2), RunState::waiting);
  EXPECT_EQ(queue.find(2)->state, RunState::cancelled);
  execution_.let_one_end();
  execution_.wait_for_start(2);
  execution_.let_one_end();
  EXPECT_EQ(ended(queue, 3).state, RunState::finished);
  EXPECT_THAT(execution_.started(), ElementsAre("a", "c"));
}

TEST_F(RunQueueTest, ARunningRunThatIsCancelledEndsAsCancelled) {
  RunQueue queue(folder_.path(), execution_.execute());
  queue.submit(named("a"));
  execution_.wait_for_start(1);
  EXPECT_EQ(queue.cancel(1), RunState::running);
  EXPECT_EQ(ended(queue, 1).state, RunState::cancelled);
  EXPECT_EQ(queue.cancel(1), RunState::cancelled);
  EXPECT_EQ(queue.cancel(7), std::nullopt);
}

TEST_F(RunQueueTest, AFailureIsKeptWithItsReasonAndTheNextRunGoesOn) {
  RunQueue queue(folder_.path(), execution_.execute());
  execution_.failure = std::make_exception_ptr(InputError("jobs.tsv:3: no number"));
  queue.submit(named("a"));
  execution_.let_one_end();
  EXPECT_EQ(ended(queue, 1).state, RunState::failed);
  EXPECT_EQ(queue.find(1)->message, "jobs.tsv:3: no number");
  execution_.failure = nullptr;
  queue.submit(named("b"));
  execution_.let_one_end();
  EXPECT_EQ(ended(queue, 2).state, RunState::finished);
}

TEST_F(RunQueueTest, ShowsTheQueuesOfTheRunThatGoesOnToWhoAsks) {
  RunQueue queue(folder_.path(), execution_.execute());
  EXPECT_FALSE(queue.snapshot(patience));
  queue.submit(named("a"));
  execution_.wait_for_start(1);
  EXPECT_EQ(execution_.shown(), 0);
  const auto first = queue.snapshot(patience);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->first, 1);
  EXPECT_EQ(first->second.label, "a");
  EXPECT_GE(first->second.at, trace_time(1));
  execution_.let_one_end();
  ended(queue, 1);
  EXPECT_FALSE(queue.snapshot(patience));
}

TEST_F(RunQueueTest, WhoAsksOftenIsShownTheSameForAWhile) {
  RunQueue queue(folder_.path(), execution_.execute());
  queue.submit(named("a"));
  execution_.wait_for_start(1);
  const auto began = std::chrono::steady_clock::now();
  for (int i = 0; i < 200; ++i) ASSERT_TRUE(queue.snapshot(patience));
  const auto took = std::chrono::steady_clock::now() - began;
  EXPECT_LE(execution_.shown(), 1 + took / std::chrono::milliseconds(500));
}

TEST_F(RunQueueTest, WhatShowsNothingIsNotWaitedForLongerThanAsked) {
  RunQueue queue(folder_.path(), execution_.execute());
  execution_.is_mute = true;
  queue.submit(named("a"));
  execution_.wait_for_start(1);
  EXPECT_FALSE(queue.snapshot(std::chrono::milliseconds(5)));
  execution_.let_one_end();
  ended(queue, 1);
}

TEST_F(RunQueueTest, WhoWaitsForTheQueuesOfARunIsLetGoWhenItEnds) {
  RunQueue queue(folder_.path(), execution_.execute());
  execution_.is_mute = true;
  queue.submit(named("a"));
  execution_.wait_for_start(1);
  std::thread ending([&] { execution_.let_one_end(); });
  EXPECT_FALSE(queue.snapshot(std::chrono::hours(1)));
  ending.join();
}

TEST_F(RunQueueTest, TakesNoMoreThanItsBound) {
  RunQueue queue(folder_.path(), execution_.execute());
  queue.submit(named("first"));
  execution_.wait_for_start(1);
  for (std::size_t i = 0; i < RunQueue::waiting_max; ++i) EXPECT_TRUE(queue.submit(named("more")));
  EXPECT_EQ(queue.submit(named("too-many")), std::nullopt);
}

TEST_F(RunQueueTest, ANewQueueListsWhatAnEarlierOneLeft) {
  {
    RunQueue queue(folder_.path(), execution_.execute());
    queue.submit(named("a"));
    execution_.let_one_end();
    ended(queue, 1);
    queue.submit(named("b"));
    execution_.wait_for_start(2);
    queue.submit(named("c"));
  }  // ends b as cancelled, and never starts c
  RunQueue queue(folder_.path(), execution_.execute());
  const std::vector<RunEntry> runs = queue.list(10);
  ASSERT_EQ(runs.size(), 3u);
  EXPECT_EQ(runs[0].state, RunState::failed);
  EXPECT_EQ(runs[0].message, "its coordinator ended before it began");
  EXPECT_EQ(runs[1].state, RunState::cancelled);
  EXPECT_EQ(runs[2].state, RunState::finished);
  EXPECT_EQ(runs[2].name, "a");
  EXPECT_EQ(queue.submit(named("d")), 4);
}

TEST_F(RunQueueTest, FoldersThatAreNotRunsAreLeftAlone) {
  folder_.write("1/state.json", "{\"run\": 1");
  folder_.write("notes/readme", "mine");
  folder_.write("2/state.json", "{\"run\": 2, \"state\": \"dancing\"}");
  RunQueue queue(folder_.path(), execution_.execute());
  EXPECT_TRUE(queue.list(10).empty());
}

TEST_F(RunQueueTest, RefusesAStateFolderThatIsAFile) {
  const auto file = folder_.write("state", "");
  EXPECT_THROW(RunQueue(file, execution_.execute()), EnvironmentError);
}

TEST_F(RunQueueTest, ARunGoesOnWhoseStateAFullDiskDoesNotTakeAndItIsWrittenLater) {
  RunQueue queue(folder_.path(), execution_.execute());
  {
    std::optional<FullDisk> full;
    queue.submit(named("a"));
    execution_.wait_for_start(1);
    full.emplace();
    execution_.let_one_end();
    EXPECT_EQ(ended(queue, 1).state, RunState::finished);
    EXPECT_EQ(load_entry(folder_.path() / "1")->state, RunState::running);
  }
  EXPECT_TRUE(
      eventually([&] { return load_entry(folder_.path() / "1")->state == RunState::finished; }));
}

TEST_F(RunQueueTest, ASubmissionThatAFullDiskDoesNotTakeIsRefusedAndLeavesNothing) {
  RunQueue queue(folder_.path(), execution_.execute());
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
  EXPECT_EQ(ended(queue, 1).state, RunState::finished);
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
  RunQueue queue(folder_.path(), execution_.execute());
  EXPECT_EQ(queue.find(1)->state, RunState::failed);
  EXPECT_EQ(load_entry(entry.folder)->state, RunState::running);
  full.reset();
  EXPECT_TRUE(eventually([&] { return load_entry(entry.folder)->state == RunState::failed; }));
}

}  // namespace
}  // namespace tracebed
