// What executors keep in memory of input that several stages read.
#include "applications/executors/cached_inputs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tracebed {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr ExecutorPlace first{ExecutorId(0u), NodeId(1u), RackId(0u)};
constexpr ExecutorPlace second{ExecutorId(1u), NodeId(1u), RackId(0u)};  // on the same machine
constexpr ExecutorPlace third{ExecutorId(2u), NodeId(2u), RackId(0u)};

// Two tasks that read 100 bytes each.
Stage reading(const std::string& path) {
  Stage stage;
  stage.input_path = path;
  Work work;
  work.input_bytes = 100;
  stage.runs = {{2, work}};
  return stage;
}

TEST(CachedInputs, KeepWhatTwoStagesRead) {
  const Stage stages[] = {reading("/a"), reading("/b"), reading("/a")};
  CachedInputs cached(stages, 1'000);
  EXPECT_TRUE(cached.is_shared(0));
  EXPECT_FALSE(cached.is_shared(1));
  cached.was_read({0, 1}, third);
  cached.was_read({1, 0}, third);
  EXPECT_THAT(cached.holders({2, 1}), ElementsAre(third));
  EXPECT_THAT(cached.holders({2, 0}), IsEmpty());
  EXPECT_THAT(cached.holders({1, 0}), IsEmpty());
}

TEST(CachedInputs, KeepNothingOfStagesThatReadInOtherParts) {
  Stage whole = reading("/a");
  whole.runs.front().count = 1;
  whole.runs.front().work.input_bytes = 200;
  const Stage stages[] = {reading("/a"), whole, reading(""), reading("")};
  const CachedInputs cached(stages, 1'000);
  for (std::uint16_t stage = 0; stage < 4; ++stage) EXPECT_FALSE(cached.is_shared(stage));
}

TEST(CachedInputs, KeepNothingWithoutRoom) {
  const Stage stages[] = {reading("/a"), reading("/a")};
  EXPECT_FALSE(CachedInputs(stages, 0).is_shared(0));
  CachedInputs small(stages, 99);
  small.was_read({0, 0}, first);
  EXPECT_THAT(small.holders({1, 0}), IsEmpty());
}

// MemoryStore.evictBlocksToFreeSpace: blocks of one input do not displace each other.
TEST(CachedInputs, KeepTheFirstBlocksOfAnInputThatDoesNotFit) {
  const Stage stages[] = {reading("/a"), reading("/a")};
  CachedInputs cached(stages, 150);
  cached.was_read({0, 0}, first);
  cached.was_read({0, 1}, first);
  EXPECT_THAT(cached.holders({1, 0}), ElementsAre(first));
  EXPECT_THAT(cached.holders({1, 1}), IsEmpty());
  cached.was_read({0, 1}, second);
  EXPECT_THAT(cached.holders({1, 1}), ElementsAre(second)) << "each executor has room of its own";
}

// Room for two: block 0 of /a was used after block 1, which goes.
TEST(CachedInputs, DropBlocksOfOtherInputsThatWereUsedLongestAgo) {
  const Stage stages[] = {reading("/a"), reading("/b"), reading("/a"), reading("/b")};
  CachedInputs cached(stages, 200);
  cached.was_read({0, 0}, first);
  cached.was_read({0, 1}, first);
  EXPECT_EQ(cached.take({2, 0}, first), first);
  cached.was_read({1, 0}, first);
  EXPECT_THAT(cached.holders({2, 0}), ElementsAre(first));
  EXPECT_THAT(cached.holders({2, 1}), IsEmpty());
  EXPECT_THAT(cached.holders({3, 0}), ElementsAre(first));
}

TEST(CachedInputs, AreTakenFromTheExecutorItselfThenFromOneOnItsMachine) {
  const Stage stages[] = {reading("/a"), reading("/a")};
  CachedInputs cached(stages, 1'000);
  EXPECT_EQ(cached.take({0, 0}, first), std::nullopt);
  cached.was_read({0, 0}, third);
  EXPECT_EQ(cached.take({1, 0}, first), third);
  cached.was_read({0, 0}, second);
  EXPECT_EQ(cached.take({1, 0}, first), second);
  EXPECT_EQ(cached.take({1, 0}, third), third);
}

TEST(CachedInputs, GoWithTheirExecutor) {
  const Stage stages[] = {reading("/a"), reading("/a")};
  CachedInputs cached(stages, 1'000);
  cached.was_read({0, 0}, first);
  cached.was_read({0, 1}, first);
  cached.was_read({0, 0}, third);
  cached.forget(first.executor);
  cached.forget(second.executor);
  EXPECT_THAT(cached.holders({1, 0}), ElementsAre(third));
  EXPECT_THAT(cached.holders({1, 1}), IsEmpty());
}

}  // namespace
}  // namespace tracebed
