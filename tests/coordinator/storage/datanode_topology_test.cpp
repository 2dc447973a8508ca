// Random choices among datanodes of racks.
#include "coordinator/storage/datanode_topology.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>

namespace tracebed {
namespace {

using Scope = DatanodeTopology::Scope;

NodeId node(unsigned number) {
  return NodeId(number);
}
RackId rack(unsigned number) {
  return RackId(number);
}

class RacksOfDatanodes : public testing::Test {
 protected:
  RacksOfDatanodes() {
    for (unsigned i = 0; i < 6; ++i) topology_.add(node(i), rack(i % 3));
    topology_.add(node(6), rack(2));
  }
  // How often each was chosen in 3,000 draws.
  std::map<unsigned, int> chosen(const Scope& scope, const std::vector<NodeId>& excluded) {
    std::map<unsigned, int> counts;
    for (int i = 0; i < 3'000; ++i) {
      if (const auto one = topology_.choose(scope, excluded, random_)) ++counts[one->value()];
    }
    return counts;
  }
  // Each of these, and nobody else, about as often.
  void expect_evenly(const std::map<unsigned, int>& counts, const std::vector<unsigned>& nodes) {
    std::vector<unsigned> seen;
    for (const auto& [each, count] : counts) {
      seen.push_back(each);
      EXPECT_NEAR(count, 3'000.0 / static_cast<double>(nodes.size()), 160) << each;
    }
    EXPECT_EQ(seen, nodes);
  }

  DatanodeTopology topology_;
  Random random_ = Random::stream(5, "topology");
};

TEST_F(RacksOfDatanodes, ChooseEvenlyInEveryScope) {
  EXPECT_EQ(topology_.nodes(), 7u);
  EXPECT_EQ(topology_.racks(), 3u);
  expect_evenly(chosen(Scope::any(), {}), {0, 1, 2, 3, 4, 5, 6});
  expect_evenly(chosen(Scope::any(), {node(0), node(5)}), {1, 2, 3, 4, 6});
  expect_evenly(chosen(Scope::within(rack(2)), {}), {2, 5, 6});
  expect_evenly(chosen(Scope::within(rack(2)), {node(1), node(5)}), {2, 6});
  expect_evenly(chosen(Scope::outside(rack(2)), {node(0), node(6)}), {1, 3, 4});
}

TEST_F(RacksOfDatanodes, ChooseNobodyWhereNobodyIsLeft) {
  EXPECT_TRUE(chosen(Scope::within(rack(0)), {node(0), node(3)}).empty());
  EXPECT_TRUE(chosen(Scope::within(rack(9)), {}).empty());
  EXPECT_FALSE(DatanodeTopology().choose(Scope::any(), {}, random_).has_value());
}

TEST_F(RacksOfDatanodes, FollowDatanodesThatMoveAndLeave) {
  topology_.add(node(0), rack(1));
  topology_.remove(node(3));
  topology_.remove(node(9));
  EXPECT_EQ(topology_.racks(), 2u) << "rack 0 has nobody";
  EXPECT_FALSE(topology_.rack_of(node(3)).is_valid());
  expect_evenly(chosen(Scope::within(rack(1)), {}), {0, 1, 4});
  expect_evenly(chosen(Scope::any(), {node(3)}), {0, 1, 2, 4, 5, 6});
}

}  // namespace
}  // namespace tracebed
