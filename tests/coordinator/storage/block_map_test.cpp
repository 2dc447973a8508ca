// Where replicas are, and what a datanode's full report changes of it.
#include "coordinator/storage/block_map.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>

#include "core/random.h"

namespace tracebed {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const InodeId some_file{1u};
const NodeId left{0u};
const NodeId right{2u};

class Blocks : public testing::Test {
 protected:
  // A complete block of 100 bytes with a finalized replica on each.
  BlockIndex complete(std::initializer_list<NodeId> nodes) {
    const BlockIndex block = map_.allocate(some_file, first_generation_stamp);
    map_.set_length(block, 100, first_generation_stamp);
    map_.complete(block);
    for (const NodeId node : nodes) map_.put_replica(block, node, ReplicaState::finalized);
    return block;
  }
  static ReportedReplica reported(BlockIndex block, std::int64_t length = 100,
                                  std::uint32_t stamp = first_generation_stamp) {
    return {id_of(block), stamp, length, ReportedState::finalized};
  }
  std::vector<NodeId> nodes_of(BlockIndex block) const {
    std::vector<NodeId> nodes;
    for (const StoredReplica& replica : map_.block(block).replicas) nodes.push_back(replica.node);
    return nodes;
  }
  BlockMap map_;
};

TEST_F(Blocks, HaveTheIdsThatHdfsGives) {
  const BlockIndex first = complete({});
  EXPECT_EQ(id_of(first), 1'073'741'825u);
  EXPECT_EQ(map_.find(1'073'741'825u), first);
  EXPECT_EQ(map_.find(1'073'741'824u), std::nullopt);
  EXPECT_EQ(map_.find(1'073'741'826u), std::nullopt);
  EXPECT_EQ(map_.find(0), std::nullopt);
}

TEST_F(Blocks, KeepReplicasInTheOrderOfTheirPipelineAndBlocksOfANodeAscending) {
  const BlockIndex first = complete({right, left});
  const BlockIndex second = complete({left});
  const BlockIndex third = complete({});
  map_.put_replica(third, right, ReplicaState::finalized);
  map_.put_replica(second, right, ReplicaState::finalized);
  EXPECT_THAT(nodes_of(first), ElementsAre(right, left));
  EXPECT_THAT(map_.blocks_on(right), ElementsAre(first, second, third));
  EXPECT_THAT(map_.blocks_on(left), ElementsAre(first, second));
  EXPECT_THAT(map_.blocks_on(NodeId(1u)), IsEmpty());
  EXPECT_TRUE(map_.remove_replica(second, right));
  EXPECT_FALSE(map_.remove_replica(second, right));
  EXPECT_THAT(map_.blocks_on(right), ElementsAre(first, third));
}

TEST_F(Blocks, HaveOneReplicaOnANodeWhoseStateChanges) {
  const BlockIndex block = complete({left});
  map_.put_replica(block, left, ReplicaState::corrupt);
  EXPECT_THAT(map_.block(block).replicas, ElementsAre(StoredReplica{left, ReplicaState::corrupt}));
  EXPECT_THAT(map_.blocks_on(left), ElementsAre(block));
}

TEST_F(Blocks, OfAReportAreComparedWithThoseKnown) {
  const BlockIndex kept = complete({left});
  const BlockIndex missing = complete({left});
  const BlockIndex found = complete({right});
  const BlockIndex old_stamp = complete({left});
  const BlockIndex short_one = complete({right});
  const BlockIndex deleted = complete({left});
  map_.free(deleted);
  const std::vector<ReportedReplica> report{
      reported(kept),
      reported(found),
      reported(old_stamp, 100, first_generation_stamp - 1),
      reported(short_one, 99),
      reported(deleted),
      {id_of(deleted) + 7, first_generation_stamp, 1, ReportedState::finalized}};
  const ReportDifference difference = map_.compare(left, report);
  EXPECT_THAT(difference.added, ElementsAre(found));
  EXPECT_THAT(difference.removed, ElementsAre(missing));
  EXPECT_THAT(difference.corrupt, ElementsAre(old_stamp, short_one));
  EXPECT_THAT(difference.deleted, ElementsAre(id_of(deleted), id_of(deleted) + 7));
}

// BlockManager.checkReplicaCorrupt, isBlockUnderConstruction.
TEST_F(Blocks, AreJudgedByTheStateOfBothSides) {
  using enum BlockState;
  using enum ReportedState;
  using Verdict = ReplicaVerdict;
  constexpr std::uint32_t stamp = first_generation_stamp + 5;
  struct Row {
    BlockState block;
    ReportedState reported;
    std::uint32_t stamp;
    std::int64_t length;
    ReplicaVerdict verdict;
  };
  for (const Row& row : {
           Row{complete, finalized, stamp, 50, Verdict::good},
           Row{complete, finalized, stamp, 49, Verdict::corrupt},
           Row{complete, finalized, stamp - 1, 50, Verdict::corrupt},
           Row{complete, finalized, stamp + 1, 50, Verdict::corrupt},
           Row{complete, being_written, stamp, 20, Verdict::late},
           Row{complete, being_written, stamp - 1, 20, Verdict::corrupt},
           Row{complete, waiting_to_be_recovered, stamp, 50, Verdict::corrupt},
           Row{committed, finalized, stamp, 50, Verdict::good},
           Row{committed, finalized, stamp, 51, Verdict::corrupt},
           Row{committed, finalized, stamp - 1, 50, Verdict::corrupt},
           Row{committed, being_written, stamp, 50, Verdict::under_construction},
           Row{committed, waiting_to_be_recovered, stamp, 50, Verdict::under_construction},
           Row{under_construction, finalized, stamp, 7, Verdict::under_construction},
           Row{under_construction, finalized, stamp + 1, 7, Verdict::under_construction},
           Row{under_construction, finalized, stamp - 1, 7, Verdict::corrupt},
           Row{under_construction, being_written, stamp - 1, 7, Verdict::under_construction},
           Row{under_construction, waiting_to_be_recovered, stamp, 7, Verdict::under_construction},
           Row{under_recovery, finalized, stamp - 1, 7, Verdict::under_construction},
           Row{under_recovery, being_written, stamp, 7, Verdict::under_construction},
       }) {
    map_ = {};
    const BlockIndex block = map_.allocate(some_file, stamp);
    map_.set_length(block, 50, stamp);
    map_.set_state(block, row.block);
    EXPECT_EQ(map_.judge({id_of(block), row.stamp, row.length, row.reported}), row.verdict)
        << "block " << static_cast<int>(row.block) << ", replica " << static_cast<int>(row.reported)
        << ", stamp " << row.stamp << ", length " << row.length;
  }
}

TEST_F(Blocks, ThatAreBeingWrittenAreReportedApart) {
  const BlockIndex open = map_.allocate(some_file, first_generation_stamp);
  const std::vector<ReportedReplica> report{
      {id_of(open), first_generation_stamp, 12, ReportedState::being_written}};
  const ReportDifference difference = map_.compare(left, report);
  EXPECT_EQ(difference.under_construction, report);
  EXPECT_THAT(difference.added, IsEmpty());
}

// The comparison against one that looks at each block by itself.
TEST_F(Blocks, OfRandomReportsAreComparedAsOneByOne) {
  Random random = Random::stream(3, "block reports");
  for (int round = 0; round < 200; ++round) {
    map_ = {};
    std::vector<ReportedReplica> report;
    ReportDifference expected;
    for (int i = 0; i < 30; ++i) {
      const bool is_known = random.chance(0.5);
      const bool is_reported = random.chance(0.5);
      const bool is_freed = random.chance(0.2);
      const bool is_good = random.chance(0.7);
      const BlockIndex block = is_known ? complete({left}) : complete({});
      if (is_freed) map_.free(block);
      if (is_reported) report.push_back(reported(block, is_good ? 100 : 7));
      if (is_reported && is_freed) {
        expected.deleted.push_back(id_of(block));
      } else if (is_reported && !is_good) {
        expected.corrupt.push_back(block);
      } else if (is_reported && !is_known) {
        expected.added.push_back(block);
      } else if (!is_reported && is_known) {
        expected.removed.push_back(block);
      }
    }
    const ReportDifference difference = map_.compare(left, report);
    EXPECT_EQ(difference.added, expected.added);
    EXPECT_EQ(difference.removed, expected.removed);
    EXPECT_EQ(difference.corrupt, expected.corrupt);
    EXPECT_EQ(difference.deleted, expected.deleted);
  }
}

}  // namespace
}  // namespace tracebed
