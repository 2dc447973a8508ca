// Random failures of datanodes and replicas: nothing that had a good replica is lost, and when all
// is well again every block has its replication.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coordinator/storage/stored_cluster.h"
#include "core/random.h"

namespace tracebed {
namespace {

class Simulation {
 public:
  explicit Simulation(std::uint64_t seed)
      : random_(Random::stream(seed, "failures")), cluster_({4, 3, 4}, {}, seed) {
    for (int i = 0; i < 40; ++i) {
      const auto node = [&](unsigned first, unsigned count) {
        return first + static_cast<unsigned>(random_.below(count));
      };
      blocks_.push_back(cluster_.block({node(0, 4), node(4, 3), node(7, 4)}));
    }
  }

  void run(int seconds) {
    for (; second_ < seconds; second_ += 3) {
      cluster_.set_time(second_);
      for (unsigned i = 0; i < nodes; ++i) {
        if (cluster_.is_alive(NodeId(i))) cluster_.beat(NodeId(i));
      }
      fail();
      work();
      check();
    }
  }
  // Everything is repaired: datanodes come back and nothing fails any more.
  void settle() {
    is_calm_ = true;
    for (unsigned i = 0; i < nodes; ++i) {
      if (!cluster_.is_alive(NodeId(i))) cluster_.start(NodeId(i));
    }
    run(second_ + 1'500);
    for (const BlockIndex block : blocks_) {
      EXPECT_EQ(cluster_.manager_.counts(block), (ReplicaCounts{.live = 3}))
          << "block " << block.value();
    }
    EXPECT_EQ(cluster_.manager_.queues().size(), 0u);
    EXPECT_EQ(cluster_.manager_.pending_transfers(), 0u);
    EXPECT_EQ(cluster_.manager_.deletions(), 0u);
    // Both sides agree on who has what.
    for (unsigned i = 0; i < nodes; ++i) {
      const auto known = cluster_.blocks_.blocks_on(NodeId(i));
      EXPECT_EQ(std::set<BlockIndex>(known.begin(), known.end()), cluster_.held_[NodeId(i)]);
    }
  }

 private:
  static constexpr unsigned nodes = 11;

  NodeId any_node() { return NodeId(static_cast<unsigned>(random_.below(nodes))); }
  std::size_t dead() const {
    std::size_t count = 0;
    for (unsigned i = 0; i < nodes; ++i) count += cluster_.is_alive(NodeId(i)) ? 0u : 1u;
    return count;
  }

  void fail() {
    if (is_calm_) return;
    const NodeId node = any_node();
    if (random_.chance(0.05) && dead() < 2) cluster_.stop(node);
    if (random_.chance(0.1) && !cluster_.is_alive(node)) cluster_.start(node);
    const BlockIndex block = blocks_[random_.below(blocks_.size())];
    // Never the last good one.
    if (random_.chance(0.1) && cluster_.held_[node].contains(block) && cluster_.is_alive(node) &&
        cluster_.manager_.counts(block).live > 1) {
      cluster_.manager_.replica_corrupt(block, node, cluster_.now_);
    }
  }

  void work() {
    for (const TransferReplica& transfer : cluster_.plan()) under_way_.push_back(transfer);
    std::vector<TransferReplica> later;
    for (const TransferReplica& transfer : under_way_) {
      const bool is_lost = !is_calm_ && random_.chance(0.1);
      if (random_.chance(0.5)) {
        if (!is_lost && cluster_.is_alive(transfer.source)) cluster_.finish(transfer);
      } else {
        later.push_back(transfer);
      }
    }
    under_way_ = std::move(later);
    for (unsigned i = 0; i < nodes; ++i) {
      if (cluster_.is_alive(NodeId(i)) && random_.chance(0.7)) cluster_.delete_on(NodeId(i));
    }
  }

  void check() {
    for (const BlockIndex block : blocks_) {
      const ReplicaCounts counts = cluster_.manager_.counts(block);
      EXPECT_LE(counts.live, 3u) << "more than that are excess";
      // With at most two datanodes dead, and never the last good replica spoiled.
      const bool is_with_the_dead = counts.live == 0;
      if (is_with_the_dead) {
        EXPECT_GT(dead(), 0u) << "block " << block.value() << " is lost";
      }
    }
  }

  Random random_;
  test::StoredCluster cluster_;
  std::vector<BlockIndex> blocks_;
  std::vector<TransferReplica> under_way_;
  int second_ = 0;
  bool is_calm_ = false;
};

TEST(RedundancySimulation, LosesNothingAndSettlesUnderManySeeds) {
  for (std::uint64_t seed = 1; seed <= 60 && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Simulation simulation(seed);
    simulation.run(900);
    simulation.settle();
  }
}

}  // namespace
}  // namespace tracebed
