// Which block gets another replica first, by HDFS' own rules.
#include "coordinator/storage/redundancy_queues.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tracebed {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Priority = RedundancyPriority;

BlockIndex block(unsigned number) {
  return BlockIndex(number);
}

struct PriorityRow {
  std::uint32_t live, decommissioning, expected;
  Priority priority;
};

TEST(RedundancyPriorities, AreThoseOfHdfs) {
  for (const PriorityRow& row :
       {PriorityRow{0, 0, 3, Priority::corrupt}, PriorityRow{0, 1, 3, Priority::highest},
        PriorityRow{1, 0, 3, Priority::highest}, PriorityRow{1, 2, 10, Priority::highest},
        PriorityRow{2, 0, 3, Priority::low}, PriorityRow{2, 0, 6, Priority::low},
        PriorityRow{2, 0, 7, Priority::very_low}, PriorityRow{3, 0, 10, Priority::very_low},
        PriorityRow{4, 0, 10, Priority::low}, PriorityRow{3, 0, 3, Priority::badly_distributed},
        PriorityRow{5, 0, 3, Priority::badly_distributed},
        PriorityRow{1, 0, 1, Priority::badly_distributed}}) {
    const ReplicaCounts counts{.live = row.live, .decommissioning = row.decommissioning};
    EXPECT_EQ(redundancy_priority(counts, row.expected), row.priority)
        << row.live << " of " << row.expected;
  }
}

class RedundancyOrder : public testing::Test {
 protected:
  RedundancyQueues queues_;
};

TEST_F(RedundancyOrder, GiveThemByPriorityAndThenInTheirOrder) {
  queues_.put(block(7), Priority::low);
  queues_.put(block(3), Priority::low);
  queues_.put(block(5), Priority::highest);
  queues_.put(block(1), Priority::very_low);
  EXPECT_THAT(queues_.choose(10), ElementsAre(block(5), block(1), block(7), block(3)));
  EXPECT_EQ(queues_.size(Priority::low), 2u) << "a chosen block stays until it is removed";
}

TEST_F(RedundancyOrder, NeverGiveABlockWithoutAGoodReplica) {
  queues_.put(block(1), Priority::corrupt);
  EXPECT_THAT(queues_.choose(10), IsEmpty());
  EXPECT_EQ(queues_.size(), 1u);
}

TEST_F(RedundancyOrder, ContinueBehindTheLastChoiceUntilAllHaveHadTheirTurn) {
  for (unsigned i = 0; i < 5; ++i) queues_.put(block(i), Priority::low);
  EXPECT_THAT(queues_.choose(2), ElementsAre(block(0), block(1)));
  EXPECT_THAT(queues_.choose(2), ElementsAre(block(2), block(3)));
  queues_.put(block(9), Priority::highest);
  EXPECT_THAT(queues_.choose(3), ElementsAre(block(9), block(4)));
  EXPECT_THAT(queues_.choose(2), ElementsAre(block(9), block(0))) << "from the begin again";
}

TEST_F(RedundancyOrder, MoveABlockWhosePriorityChanges) {
  queues_.put(block(1), Priority::low);
  queues_.put(block(2), Priority::low);
  queues_.put(block(1), Priority::low);
  EXPECT_THAT(queues_.choose(9), ElementsAre(block(1), block(2))) << "it keeps its place";
  queues_.put(block(2), Priority::highest);
  EXPECT_EQ(queues_.priority_of(block(2)), Priority::highest);
  EXPECT_EQ(queues_.size(), 2u);
  EXPECT_TRUE(queues_.remove(block(2)));
  EXPECT_FALSE(queues_.remove(block(2)));
  EXPECT_EQ(queues_.priority_of(block(2)), std::nullopt);
}

}  // namespace
}  // namespace tracebed
