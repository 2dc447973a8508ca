#include "core/memory_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/random.h"

namespace tracebed {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Optional;

struct Block {
  int input = 0;
  int number = 0;
  auto operator<=>(const Block&) const = default;
};

constexpr std::int64_t capacity = 10;

TEST(MemoryStore, KeepsWhatFits) {
  MemoryStore<Block> store;
  EXPECT_TRUE(store.empty());
  EXPECT_THAT(store.put({1, 1}, 6, capacity), Optional(IsEmpty()));
  EXPECT_THAT(store.put({1, 2}, 4, capacity), Optional(IsEmpty()));
  EXPECT_TRUE(store.contains({1, 1}));
  EXPECT_FALSE(store.has_room_for({1, 3}, 1, capacity)) << "not for one of the same input";
  EXPECT_EQ(store.put({1, 3}, 1, capacity), std::nullopt);
  EXPECT_FALSE(store.put({2, 1}, 11, capacity)) << "it alone is too large";
  EXPECT_TRUE(store.contains({1, 1})) << "nothing is dropped in vain";
}

// By hand: of another input's blocks the one that was used longest ago goes first, as many as are
// needed.
TEST(MemoryStore, DropsBlocksOfOtherInputsThatWereUsedLongestAgo) {
  MemoryStore<Block> store;
  for (const int number : {1, 2, 3}) (void)store.put({1, number}, 3, capacity);
  store.use({1, 1});
  EXPECT_THAT(store.put({2, 1}, 4, capacity), Optional(ElementsAre(Block{1, 2})));
  EXPECT_FALSE(store.contains({1, 2}));
  EXPECT_THAT(store.put({2, 2}, 6, capacity), Optional(ElementsAre(Block{1, 3}, Block{1, 1})));
  EXPECT_FALSE(store.has_room_for({2, 3}, 1, capacity));
  EXPECT_EQ(store.first(), (Block{2, 1}));
}

TEST(MemoryStore, HasTheRoomOfWhatIsErased) {
  MemoryStore<Block> store;
  (void)store.put({1, 1}, 10, capacity);
  store.erase({1, 1});
  EXPECT_TRUE(store.empty());
  EXPECT_TRUE(store.put({1, 2}, 10, capacity));
}

TEST(MemoryStore, NeverKeepsMoreThanItsCapacityNorDropsOfTheSameInput) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    MemoryStore<Block> store;
    std::map<Block, std::int64_t> kept;
    for (int step = 0; step < 300; ++step) {
      const Block block{static_cast<int>(random.below(3)), static_cast<int>(random.below(12))};
      if (store.contains(block)) {
        store.use(block);
        continue;
      }
      const auto bytes = static_cast<std::int64_t>(random.below(5)) + 1;
      const bool has_room = store.has_room_for(block, bytes, capacity);
      const auto dropped = store.put(block, bytes, capacity);
      ASSERT_EQ(dropped.has_value(), has_room);
      if (!dropped) continue;
      for (const Block& other : *dropped) {
        ASSERT_NE(other.input, block.input);
        ASSERT_EQ(kept.erase(other), 1u);
      }
      kept[block] = bytes;
      std::int64_t sum = 0;
      for (const auto& [one, size] : kept) {
        ASSERT_TRUE(store.contains(one));
        sum += size;
      }
      ASSERT_LE(sum, capacity);
    }
  }
}

}  // namespace
}  // namespace tracebed
