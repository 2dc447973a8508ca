#include "traces/parts/record_sorter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "core/random.h"
#include "traces/parts/stage_order.h"

namespace tracebed {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> taken(RecordSorter& sorter) {
  std::vector<std::string> records;
  std::int64_t key = 0;
  std::string_view record;
  while (sorter.next(key, record)) {
    records.push_back(std::to_string(key) + std::string(record));
  }
  return records;
}

TEST(RecordSorter, KeepsTheOrderOfEqualKeys) {
  RecordSorter sorter;
  for (const auto& [key, text] :
       std::vector<std::pair<int, const char*>>{{3, "a"}, {1, ""}, {3, "b"}, {1, "c"}, {-5, "d"}}) {
    sorter.add(key, text);
  }
  EXPECT_THAT(taken(sorter), ElementsAre("-5d", "1", "1c", "3a", "3b"));
  EXPECT_EQ(sorter.runs_in_file(), 0u);
}

TEST(RecordSorter, GivesTheSameThroughAFileAsInMemory) {
  RecordSorter in_memory;
  RecordSorter in_file(5000);
  Random random(1);
  for (int i = 0; i < 20'000; ++i) {
    const auto key = random.between(0, 500);
    const std::string record(random.below(40), static_cast<char>('a' + i % 26));
    in_memory.add(key, record);
    in_file.add(key, record);
  }
  in_file.add(7, std::string(200'000, 'x'));
  in_memory.add(7, std::string(200'000, 'x'));
  EXPECT_GT(in_file.runs_in_file(), 50u);
  EXPECT_EQ(taken(in_file), taken(in_memory));
}

TEST(RecordSorter, MayHoldNothing) {
  RecordSorter sorter;
  EXPECT_TRUE(taken(sorter).empty());
}

TEST(StageOrder, IsTheFirstThatCanRunNext) {
  EXPECT_THAT(*order_of_stages({{2}, {}, {1}, {0, 2}}), ElementsAre(1, 2, 0, 3));
  EXPECT_FALSE(order_of_stages({{1}, {0}}));
  EXPECT_FALSE(order_of_stages({{0}}));
  EXPECT_TRUE(order_of_stages({})->empty());
}

TEST(StageOrder, ContractionKeepsWhoComesBeforeWhom) {
  // 0 ← 1 ← 2 ← 3, and 0 ← 3; 1 and 2 go.
  StageNeeds needs = {{}, {0}, {1}, {0, 2}};
  const auto order = *order_of_stages(needs);
  EXPECT_EQ(depth_of_stages(needs, order), 4u);
  contract_stages(needs, {true, false, false, true}, order);
  EXPECT_EQ(needs, (StageNeeds{{}, {}, {}, {0}}));
}

}  // namespace
}  // namespace tracebed
