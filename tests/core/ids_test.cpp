#include "core/ids.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <type_traits>
#include <unordered_set>

namespace tracebed {
namespace {

static_assert(!std::is_convertible_v<JobId, ApplicationId>, "ids of different things do not mix");
static_assert(!std::is_constructible_v<NodeId, ContainerId>);
static_assert(!std::is_convertible_v<std::uint32_t, NodeId>, "a number becomes an id only by name");
static_assert(!std::is_convertible_v<NodeId, std::uint32_t>);
static_assert(sizeof(NodeId) == 4);

TEST(Ids, TheIdOfNothingIsInvalidAndSortsLast) {
  EXPECT_FALSE(NodeId().is_valid());
  EXPECT_TRUE(NodeId(0u).is_valid());
  EXPECT_GT(NodeId(), NodeId(4'000'000'000u));
}

TEST(Ids, OrderIsThatOfTheNumbers) {
  EXPECT_LT(JobId(1u), JobId(2u));
  EXPECT_EQ(JobId(7u), JobId(std::size_t{7}));
  EXPECT_EQ(JobId(7u).value(), 7u);
  EXPECT_EQ(JobId(7u).index(), std::size_t{7});
}

TEST(Ids, TheIdOfNothingSurvivesItsOwnIndex) {
  EXPECT_EQ(NodeId(NodeId().index()), NodeId());
}

TEST(IdsDeathTest, AnIndexThatNeedsMoreThan32BitsIsAFailedInvariant) {
  const std::size_t too_large = std::size_t{std::numeric_limits<std::uint32_t>::max()} + 1;
  EXPECT_EXIT(static_cast<void>(ContainerId(too_large)), testing::ExitedWithCode(70),
              "an id fits in 32 bits");
}

TEST(Ids, CanBeKeysOfHashTables) {
  const std::unordered_set<UserId> users{UserId(1u), UserId(2u), UserId(1u)};
  EXPECT_EQ(users.size(), 2u);
  EXPECT_TRUE(users.contains(UserId(2u)));
  EXPECT_FALSE(users.contains(UserId(3u)));
}

}  // namespace
}  // namespace tracebed
