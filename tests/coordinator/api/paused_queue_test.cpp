// A queue of runs while something is away that they need.
#include <atomic>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <mutex>

#include "coordinator/api/held_execution.h"
#include "core/input_error.h"
#include "support/eventually.h"
#include "support/temporary_folder.h"

namespace tracebed {
namespace {

using testing::ElementsAre;

// What the surroundings of a queue lack, as a test says.
class Obstacle {
 public:
  void set(const std::string& reason) {
    const std::lock_guard lock(mutex_);
    reason_ = reason;
  }
  RunQueue::Surroundings surroundings() {
    RunQueue::Surroundings surroundings;
    surroundings.obstacle = [this](const Experiment& experiment) {
      const std::lock_guard lock(mutex_);
      asked_.push_back(experiment.name);
      return reason_;
    };
    return surroundings;
  }
  // Waits until it was asked so often from now on; returns of which experiments.
  std::vector<std::string> asked(std::size_t times) {
    std::vector<std::string> asked;
    {
      const std::lock_guard lock(mutex_);
      asked_.clear();
    }
    EXPECT_TRUE(eventually([&] {
      const std::lock_guard lock(mutex_);
      asked = asked_;
      return asked.size() >= times;
    }));
    return asked;
  }

 private:
  std::mutex mutex_;
  std::string reason_;
  std::vector<std::string> asked_;
};

class PausedQueue : public testing::Test {
 protected:
  static constexpr RunQueue::Limits impatient{.look_again = std::chrono::milliseconds(1)};

  TemporaryFolder folder_;
  HeldExecution execution_;
};

TEST_F(PausedQueue, IsPausedWhileSomethingIsAwayAndGoesOnByItself) {
  Obstacle obstacle;
  obstacle.set("no Redis answers");
  RunQueue queue(folder_.path(), HeldExecution::read(), execution_.execute(), impatient,
                 obstacle.surroundings());
  EXPECT_EQ(queue.paused_for(), "");
  queue.submit(named("a"));
  queue.submit(named("b"));
  EXPECT_THAT(obstacle.asked(5), testing::Each("a"));
  EXPECT_EQ(queue.paused_for(), "no Redis answers");
  EXPECT_EQ(queue.find(2)->waits_for, "no Redis answers");
  EXPECT_EQ(queue.find(1)->state, RunState::waiting);
  EXPECT_EQ(queue.find(1)->ahead, 0u);
  obstacle.set("");
  execution_.wait_for_start(1);
  EXPECT_EQ(queue.paused_for(), "");
  EXPECT_EQ(queue.find(2)->waits_for, "");
  EXPECT_EQ(queue.find(1)->waits_for, "");
  execution_.let_one_end();
  execution_.let_one_end();
  EXPECT_EQ(ended(queue, 1).state, RunOutcome::complete);
  EXPECT_EQ(ended(queue, 2).state, RunOutcome::complete);
}

TEST_F(PausedQueue, ReadsARunOnceHoweverLongItIsPausedBeforeIt) {
  std::atomic<int> readings{0};
  const RunQueue::Read read = [&](const std::string& submission) {
    ++readings;
    return HeldExecution::read()(submission);
  };
  Obstacle obstacle;
  obstacle.set("the disk is full");
  RunQueue queue(folder_.path(), read, execution_.execute(), impatient, obstacle.surroundings());
  queue.submit(named("a"));
  obstacle.asked(10);
  obstacle.set("");
  execution_.wait_for_start(1);
  EXPECT_EQ(readings, 1);
  execution_.let_one_end();
  EXPECT_EQ(ended(queue, 1).name, "a");
}

TEST_F(PausedQueue, ARunIsCancelledWhileTheQueueIsPausedAndTheNextIsLookedAt) {
  Obstacle obstacle;
  obstacle.set("no Redis answers");
  RunQueue queue(folder_.path(), HeldExecution::read(), execution_.execute(), impatient,
                 obstacle.surroundings());
  queue.submit(named("a"));
  obstacle.asked(1);
  EXPECT_EQ(queue.cancel(1), RunState::waiting);
  EXPECT_TRUE(eventually([&] { return queue.paused_for().empty(); })) << "nothing waits";
  queue.submit(named("b"));
  EXPECT_THAT(obstacle.asked(2), testing::Each("b"));
  obstacle.set("");
  execution_.wait_for_start(1);
  execution_.let_one_end();
  EXPECT_EQ(ended(queue, 2).state, RunOutcome::complete);
  EXPECT_THAT(execution_.started(), ElementsAre("b"));
}

TEST_F(PausedQueue, ARunThatIsNoExperimentFailsAtOnceWhateverIsAway) {
  Obstacle obstacle;
  obstacle.set("no Redis answers");
  const RunQueue::Read read = [](const std::string& submission) -> Experiment {
    throw InputError(submission + " is no experiment any more");
  };
  RunQueue queue(folder_.path(), read, execution_.execute(), impatient, obstacle.surroundings());
  queue.submit(named("a"));
  EXPECT_EQ(ended(queue, 1).message, "a is no experiment any more");
}

TEST_F(PausedQueue, AQueueThatEndsWhilePausedLeavesItsRunsToTheNext) {
  Obstacle obstacle;
  obstacle.set("no Redis answers");
  {
    RunQueue queue(folder_.path(), HeldExecution::read(), execution_.execute(), impatient,
                   obstacle.surroundings());
    queue.submit(named("a"));
    obstacle.asked(1);
  }
  RunQueue queue(folder_.path(), HeldExecution::read(), execution_.execute());
  execution_.wait_for_start(1);
  execution_.let_one_end();
  EXPECT_EQ(ended(queue, 1).state, RunOutcome::complete);
}

TEST_F(PausedQueue, SaysWhenFoldersAreDeleted) {
  std::atomic<int> times{0};
  RunQueue::Surroundings surroundings;
  surroundings.folders_deleted = [&] {
    EXPECT_FALSE(std::filesystem::exists(folder_.path() / "1.deleted"));
    ++times;
    return true;
  };
  RunQueue queue(folder_.path(), HeldExecution::read(), execution_.execute(), {}, surroundings);
  EXPECT_TRUE(eventually([&] { return times == 1; })) << "what an earlier queue left";
  queue.submit(named("a"));
  execution_.let_one_end();
  ended(queue, 1);
  queue.remove(1);
  EXPECT_TRUE(eventually([&] { return times == 2; }));
}

}  // namespace
}  // namespace tracebed
