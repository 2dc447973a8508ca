#include "coordinator/engine/kept_progress.h"

#include <gtest/gtest.h>

namespace tracebed {
namespace {

ContainerState container_of(std::uint32_t task, std::uint32_t progress = 0) {
  ContainerState container;
  container.task = {0, task};
  container.progress = progress;
  return container;
}

TaskWork ten_seconds() {
  return {
      {.duration = seconds(10), .cpu_time = seconds(4), .memory_mib = 64, .output_bytes = 1000}};
}

// A quarter of 10 s is done, then a third of the 7.5 s left: half in all.
TEST(KeptProgress, AddsUpOverAttempts) {
  KeptProgress kept;
  EXPECT_TRUE(kept.empty());
  kept.container_ended(container_of(3), false, ContainerEnd::checkpointed, 250'000);
  TaskWork work = ten_seconds();
  EXPECT_EQ(kept.resume({0, 3}, work), 250'000u);
  EXPECT_EQ(work.duration, milliseconds(7'500));
  EXPECT_EQ(work.cpu_time, milliseconds(3'000));
  EXPECT_EQ(work.memory_mib, 64);
  EXPECT_EQ(work.output_bytes, 750);
  kept.container_ended(container_of(3, 250'000), false, ContainerEnd::checkpointed, 333'334);
  work = ten_seconds();
  EXPECT_EQ(kept.resume({0, 3}, work), 500'000u);
  EXPECT_EQ(work.duration, seconds(5));
}

TEST(KeptProgress, IsEachTasksOwn) {
  KeptProgress kept;
  kept.container_ended(container_of(3), false, ContainerEnd::checkpointed, 250'000);
  TaskWork work = ten_seconds();
  EXPECT_EQ(kept.resume({0, 4}, work), 0u);
  EXPECT_EQ(work.duration, seconds(10));
}

TEST(KeptProgress, OutlivesAKilledAttemptAndEndsWithTheTask) {
  KeptProgress kept;
  kept.container_ended(container_of(3), false, ContainerEnd::checkpointed, 250'000);
  kept.container_ended(container_of(3, 250'000), false, ContainerEnd::preempted, 0);
  TaskWork work = ten_seconds();
  EXPECT_EQ(kept.resume({0, 3}, work), 250'000u);
  kept.container_ended(container_of(3, 250'000), false, ContainerEnd::succeeded, 0);
  EXPECT_TRUE(kept.empty());
}

TEST(KeptProgress, OfAGangIsThatOfItsSlowestPiece) {
  KeptProgress kept;
  kept.container_ended(container_of(0), true, ContainerEnd::checkpointed, 400'000);
  kept.container_ended(container_of(2), true, ContainerEnd::checkpointed, 300'000);
  TaskWork work = ten_seconds();
  EXPECT_EQ(kept.resume({0, 0}, work), 300'000u);
  work = ten_seconds();
  EXPECT_EQ(kept.resume({0, 2}, work), 300'000u);
}

TEST(KeptProgress, OfAGangNeedsAllItsPieces) {
  KeptProgress kept;
  kept.container_ended(container_of(0), true, ContainerEnd::killed, 0);
  kept.container_ended(container_of(2), true, ContainerEnd::checkpointed, 300'000);
  TaskWork work = ten_seconds();
  EXPECT_EQ(kept.resume({0, 0}, work), 0u);
  EXPECT_EQ(work.duration, seconds(10));
}

// What no multiplication of 64 bits could hold.
TEST(KeptProgress, IsExactForTheLargestAmounts) {
  KeptProgress kept;
  kept.container_ended(container_of(0), false, ContainerEnd::checkpointed, 500'000);
  TaskWork work{{.output_bytes = std::int64_t{1} << 62}};
  kept.resume({0, 0}, work);
  EXPECT_EQ(work.output_bytes, std::int64_t{1} << 61);
}

}  // namespace
}  // namespace tracebed
