#include "core/task_faults.h"

#include <gtest/gtest.h>

namespace tracebed {
namespace {

const Resources limits(500, 100);

TEST(TaskFaults, AreNoneUnlessAskedFor) {
  const TaskFaults faults;
  EXPECT_FALSE(faults.ignores_checkpoint(ContainerId(7u)));
  const TaskWork work = {Work{.memory_mib = 80}};
  EXPECT_EQ(faults.work_in(ContainerId(7u), limits, work), work);
}

TEST(TaskFaults, MakeAnAttemptTouchTwiceTheMemoryOfItsContainer) {
  const TaskFaults faults{.exceeded_memory = 1};
  const TaskWork work = faults.work_in(ContainerId(7u), limits, {Work{.duration = seconds(3)}});
  EXPECT_EQ(work.memory_mib, 200);
  EXPECT_EQ(work.duration, seconds(3));
}

// The least limit that a container gets is 4 MiB, and a task's program has some of what it is to
// touch in any case.
TEST(TaskFaults, ExceedTheLeastMemoryThatAContainerGets) {
  const TaskFaults faults{.exceeded_memory = 1};
  EXPECT_EQ(faults.work_in(ContainerId(7u), Resources(500, 1), {}).memory_mib, 16);
}

TEST(TaskFaults, ExceedNoLimitWhereThereIsNone) {
  const TaskFaults faults{.exceeded_memory = 1};
  const TaskWork work = {Work{.memory_mib = 80}};
  EXPECT_EQ(faults.work_in(ContainerId(7u), Resources(500, 0), work), work);
}

TEST(TaskFaults, TakeTheirPartOfAllAttemptsOnceMoreWithTheSameSeed) {
  const TaskFaults faults{.exceeded_memory = 0.25, .seed = 5};
  const TaskFaults same = faults;
  const TaskFaults other{.exceeded_memory = 0.25, .seed = 6};
  int drawn = 0;
  int differ = 0;
  for (std::uint32_t i = 0; i < 10'000; ++i) {
    drawn += faults.exceeds_memory(ContainerId(i)) ? 1 : 0;
    EXPECT_EQ(faults.exceeds_memory(ContainerId(i)), same.exceeds_memory(ContainerId(i)));
    differ += faults.exceeds_memory(ContainerId(i)) != other.exceeds_memory(ContainerId(i)) ? 1 : 0;
  }
  EXPECT_NEAR(drawn, 2'500, 250);
  EXPECT_GT(differ, 0);
}

TEST(TaskFaults, AnIgnoredCheckpointIsPartOfTheWork) {
  const TaskFaults faults{.ignored_checkpoints = 0.5};
  int ignored = 0;
  for (std::uint32_t i = 0; i < 100; ++i) {
    const bool is_drawn = faults.ignores_checkpoint(ContainerId(i));
    EXPECT_EQ(faults.work_in(ContainerId(i), limits, {}).ignores_checkpoint, is_drawn);
    ignored += is_drawn ? 1 : 0;
  }
  EXPECT_GT(ignored, 0);
}

TEST(TaskFaults, OfOneKindSayNothingOfTheOther) {
  const TaskFaults faults{.ignored_checkpoints = 0.5, .exceeded_memory = 0.5};
  int both = 0;
  for (std::uint32_t i = 0; i < 10'000; ++i) {
    const ContainerId container(i);
    both += faults.ignores_checkpoint(container) && faults.exceeds_memory(container) ? 1 : 0;
  }
  EXPECT_NEAR(both, 2'500, 250);
}

}  // namespace
}  // namespace tracebed
