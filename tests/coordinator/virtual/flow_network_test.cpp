#include "coordinator/virtual/flow_network.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <vector>

#include "support/at_seconds.h"

namespace tracebed {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;

using Path = std::vector<LinkId>;

std::vector<std::uint64_t> flows_ended_by(FlowNetwork& network, TraceTime now) {
  std::vector<std::uint64_t> ended;
  network.take_ended(now, ended);
  return ended;
}

TEST(FlowNetwork, GivesOneFlowTheLeastRateOfItsPath) {
  FlowNetwork network;
  const Path path = {network.add_link(5'000), network.add_link(1'000), network.add_link({})};
  EXPECT_EQ(network.next_end(), never);
  network.begin(path, {.tag = 1, .bytes = 5'000}, at_seconds(10));
  EXPECT_EQ(network.next_end(), at_seconds(15));
  EXPECT_THAT(flows_ended_by(network, at_seconds(14)), ElementsAre());
  EXPECT_THAT(flows_ended_by(network, at_seconds(15)), ElementsAre(1));
  EXPECT_EQ(network.next_end(), never);
}

// 1 has 2,000 bytes alone and 3,000 of the shared rate; 2 then has what is left alone.
TEST(FlowNetwork, SharesALinkEquallyWhileFlowsOverlap) {
  FlowNetwork network;
  const Path path = {network.add_link(1'000)};
  network.begin(path, {.tag = 1, .bytes = 5'000}, at_seconds(0));
  network.begin(path, {.tag = 2, .bytes = 4'000}, at_seconds(2));
  EXPECT_EQ(network.next_end(), at_seconds(8));
  EXPECT_THAT(flows_ended_by(network, at_seconds(8)), ElementsAre(1));
  EXPECT_EQ(network.next_end(), at_seconds(9));
  EXPECT_THAT(flows_ended_by(network, at_seconds(20)), ElementsAre(2));
}

// Three flows share the first link; one of them passes the second, where it leaves two thirds to
// the flow that passes the third, too, which leaves two thirds of that to the last one.
TEST(FlowNetwork, GivesWhatABottleneckLeavesToTheOthers) {
  FlowNetwork network(0);
  const LinkId first = network.add_link(3'000);
  const LinkId second = network.add_link(3'000);
  const LinkId third = network.add_link(6'000);
  const auto begin = [&](Path path) {
    return network.begin(path, {.tag = 0, .bytes = 1'000'000}, at_seconds(0));
  };
  const FlowId a = begin({first});
  const FlowId b = begin({first});
  const FlowId c = begin({first, second});
  const FlowId d = begin({second, third});
  const FlowId e = begin({third});
  EXPECT_DOUBLE_EQ(network.rate_of(a), 1'000);
  EXPECT_DOUBLE_EQ(network.rate_of(b), 1'000);
  EXPECT_DOUBLE_EQ(network.rate_of(c), 1'000);
  EXPECT_DOUBLE_EQ(network.rate_of(d), 2'000);
  EXPECT_DOUBLE_EQ(network.rate_of(e), 4'000);
  network.cancel(a, at_seconds(0));
  network.cancel(b, at_seconds(0));
  EXPECT_DOUBLE_EQ(network.rate_of(c), 1'500);
  EXPECT_DOUBLE_EQ(network.rate_of(d), 1'500);
  EXPECT_DOUBLE_EQ(network.rate_of(e), 4'500);
}

// Of 1,000 three quarters to the first; what its second link leaves of that goes to the other.
TEST(FlowNetwork, SharesALinkByTheWeightsOfItsFlows) {
  FlowNetwork network(0);
  const LinkId shared = network.add_link(1'000);
  const LinkId slow = network.add_link(600);
  const FlowId heavy =
      network.begin(Path{shared, slow}, {.tag = 1, .bytes = 1'000'000, .weight = 3}, at_seconds(0));
  const FlowId light = network.begin(Path{shared}, {.tag = 2, .bytes = 1'000'000}, at_seconds(0));
  EXPECT_DOUBLE_EQ(network.rate_of(heavy), 600);
  EXPECT_DOUBLE_EQ(network.rate_of(light), 400);
  const FlowId third =
      network.begin(Path{shared}, {.tag = 3, .bytes = 1'000'000, .weight = 6}, at_seconds(0));
  EXPECT_DOUBLE_EQ(network.rate_of(heavy), 300);
  EXPECT_DOUBLE_EQ(network.rate_of(light), 100);
  EXPECT_DOUBLE_EQ(network.rate_of(third), 600);
}

TEST(FlowNetwork, GivesNoFlowMoreThanItsOwnRate) {
  FlowNetwork network(0);
  const Path path = {network.add_link(1'000)};
  const FlowId slow =
      network.begin(path, {.tag = 1, .bytes = 1'000, .rate_max = 100}, at_seconds(0));
  const FlowId other = network.begin(path, {.tag = 2, .bytes = 9'000}, at_seconds(0));
  EXPECT_DOUBLE_EQ(network.rate_of(slow), 100);
  EXPECT_DOUBLE_EQ(network.rate_of(other), 900);
  const FlowId alone = network.begin({}, {.tag = 3, .bytes = 1'000, .rate_max = 50}, at_seconds(0));
  EXPECT_DOUBLE_EQ(network.rate_of(alone), 50);
}

TEST(FlowNetwork, EndsFlowsInOrderWhenLookedAtLate) {
  FlowNetwork network;
  const Path path = {network.add_link(1'000)};
  network.begin(path, {.tag = 7, .bytes = 3'000}, at_seconds(0));
  network.begin(path, {.tag = 5, .bytes = 1'000}, at_seconds(0));
  network.begin(path, {.tag = 3, .bytes = 1'000}, at_seconds(0));
  EXPECT_THAT(flows_ended_by(network, at_seconds(100)), ElementsAre(5, 3, 7));
}

TEST(FlowNetwork, LeavesTheRateToOthersWhenOneIsCancelled) {
  FlowNetwork network;
  const Path path = {network.add_link(1'000)};
  const FlowId first = network.begin(path, {.tag = 1, .bytes = 4'000}, at_seconds(0));
  network.begin(path, {.tag = 2, .bytes = 4'000}, at_seconds(0));
  EXPECT_EQ(network.cancel(first, at_seconds(4)), 2'000);
  EXPECT_EQ(network.cancel(first, at_seconds(4)), 0);
  EXPECT_EQ(network.next_end(), at_seconds(6));
}

TEST(FlowNetwork, EndsFlowsAtOnceWithoutALimitOrWithoutBytes) {
  FlowNetwork network;
  const LinkId unlimited = network.add_link({});
  const LinkId slow = network.add_link(1);
  network.begin(Path{unlimited}, {.tag = 1, .bytes = std::int64_t{1} << 60}, at_seconds(3));
  network.begin(Path{slow}, {.tag = 2, .bytes = 0}, at_seconds(3));
  network.begin(Path{slow}, {.tag = 3, .bytes = 0, .due = at_seconds(9)}, at_seconds(3));
  EXPECT_EQ(network.next_end(), at_seconds(3));
  EXPECT_THAT(flows_ended_by(network, at_seconds(3)), ElementsAre(1, 2, 3));
}

// Alone, 100 B/s are enough for it; the other has the rest.
TEST(FlowNetwork, GivesPacedFlowsWhatTheyNeedAndOthersTheRest) {
  FlowNetwork network;
  const Path path = {network.add_link(1'000)};
  network.begin(path, {.tag = 1, .bytes = 1'000, .due = at_seconds(10)}, at_seconds(0));
  network.begin(path, {.tag = 2, .bytes = 4'500}, at_seconds(0));
  EXPECT_EQ(network.next_end(), at_seconds(5));
  EXPECT_THAT(flows_ended_by(network, at_seconds(5)), ElementsAre(2));
  EXPECT_EQ(network.next_end(), at_seconds(10));
  network.begin({}, {.tag = 3, .bytes = 1'000, .due = at_seconds(7)}, at_seconds(5));
  EXPECT_EQ(network.next_end(), at_seconds(7));
}

// 1 needs 600 B/s and gets 500 while 2 is there, so that it is 300 bytes behind after 3 s; from
// then on it needs 643, which 3, which begins, leaves it.
TEST(FlowNetwork, LetsPacedFlowsCatchUp) {
  FlowNetwork network(0);
  const Path path = {network.add_link(1'000)};
  const FlowId first =
      network.begin(path, {.tag = 1, .bytes = 6'000, .due = at_seconds(10)}, at_seconds(0));
  const FlowId second = network.begin(path, {.tag = 2, .bytes = 9'000}, at_seconds(0));
  EXPECT_DOUBLE_EQ(network.rate_of(first), 500);
  EXPECT_EQ(network.cancel(second, at_seconds(3)), 1'500);
  EXPECT_THAT(network.rate_of(first), DoubleNear(4'500.0 / 7, 1e-9));
  network.begin(path, {.tag = 3, .bytes = 700, .rate_max = 100}, at_seconds(3));
  EXPECT_THAT(flows_ended_by(network, at_seconds(10)), ElementsAre(1, 3));
}

// Once it is late it takes all it gets: 10 s at half of the rate, then all of it.
TEST(FlowNetwork, GivesLatePacedFlowsTheirFullShare) {
  FlowNetwork network;
  const Path path = {network.add_link(1'000)};
  network.begin(path, {.tag = 1, .bytes = 8'000, .due = at_seconds(8)}, at_seconds(0));
  network.begin(path, {.tag = 2, .bytes = 5'000}, at_seconds(0));
  EXPECT_THAT(flows_ended_by(network, at_seconds(10)), ElementsAre(2));
  EXPECT_EQ(network.next_end(), at_seconds(13));
}

TEST(FlowNetwork, TakesChangesAtTheirTime) {
  FlowNetwork network;
  const Path path = {network.add_link(1'000)};
  const FlowId first = network.begin(path, {.tag = 1, .bytes = 9'000}, at_seconds(0));
  network.begin(path, {.tag = 2, .bytes = 9'000}, at_seconds(4));
  EXPECT_EQ(network.cancel(first, at_seconds(6)), 5'000);
  EXPECT_EQ(network.next_end(), at_seconds(14));
}

}  // namespace
}  // namespace tracebed
