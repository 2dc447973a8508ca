#include "coordinator/engine/relocation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tracebed {

bool operator==(const Relocation& a, const std::pair<std::uint32_t, std::uint32_t>& b) {
  return a.container.value() == b.first && a.destination.value() == b.second;
}

namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Pair = std::pair<std::uint32_t, std::uint32_t>;  // container, destination

class RelocationTest : public testing::Test {
 protected:
  RelocationTest() { cluster_.applications.emplace_at(ApplicationId(0u)); }

  // Each has room for two containers.
  Node& add_node(std::uint32_t speed = 1'000, std::int32_t io_pressure = -1) {
    Node& node = cluster_.nodes.emplace_back();
    node.id = NodeId(cluster_.nodes.size() - 1);
    node.alive = true;
    node.is_present = true;
    node.capacity = node.free = Resources(2'000, 2'048);
    node.speed = speed;
    node.report.io_pressure = io_pressure;
    return node;
  }
  // A container in which a task has run since the beginning.
  Container& run_on(std::uint32_t node, Locality locality = Locality::none_asked) {
    const ContainerId id = cluster_.containers.next_id();
    Container& container = cluster_.containers.emplace_at(id);
    container.application = ApplicationId(0u);
    container.node = NodeId(node);
    container.resources = Resources(1'000, 1'024);
    states_.emplace_at(id).task = {0, id.value()};
    container.is_launched = true;
    container.locality = locality;
    cluster_.nodes[node].free -= container.resources;
    return container;
  }
  std::vector<Relocation> choose(RelocationPolicy& policy,
                                 TraceTime now = TraceTime(seconds(100))) {
    return policy.choose(
        now, cluster_, states_,
        [&](ApplicationId, TaskRef, std::vector<NodeId>& nodes) {
          nodes.insert(nodes.end(), input_.begin(), input_.end());
        },
        [&](ContainerId id) { return wanted_ == id; }, most_);
  }
  std::vector<Relocation> choose() {
    RelocationPolicy policy(options_);
    return choose(policy);
  }

  ContainerState& newest_state() { return states_[states_.last_up_to(ContainerId(1'000u))]; }

  RelocationOptions options_;
  ClusterModel cluster_;
  ContainerStates states_;
  std::vector<NodeId> input_;  // of every task
  ContainerId wanted_;
  std::uint32_t most_ = 10;
};

TEST_F(RelocationTest, ATaskGoesToTheFastestNodeThatIsFasterByTheFactor) {
  options_.for_speed = true;
  add_node(1'000);
  add_node(1'240);
  add_node(2'000);
  add_node(2'000);
  run_on(0);
  EXPECT_THAT(choose(), ElementsAre(Pair{0, 2}));
  cluster_.nodes[2].alive = cluster_.nodes[3].alive = false;
  EXPECT_THAT(choose(), IsEmpty()) << "1.24 times is not 1.25 times";
  cluster_.nodes[1].speed = 1'250;
  EXPECT_THAT(choose(), ElementsAre(Pair{0, 1}));
}

TEST_F(RelocationTest, RoomIsPromisedOnce) {
  options_.for_speed = true;
  add_node(500);
  add_node(1'000);
  run_on(0);
  run_on(0);
  run_on(1);
  EXPECT_THAT(choose(), ElementsAre(Pair{0, 1}));
}

TEST_F(RelocationTest, ARemoteTaskGoesToANodeThatHasItsInput) {
  options_.for_locality = true;
  for (int i = 0; i < 4; ++i) add_node();
  input_ = {NodeId(3u), NodeId(1u)};
  run_on(0, Locality::off_switch);
  run_on(2, Locality::rack);
  run_on(2, Locality::none_asked);
  run_on(1, Locality::node);
  EXPECT_THAT(choose(), ElementsAre(Pair{0, 1}, Pair{1, 3}));
}

TEST_F(RelocationTest, TasksLeaveAHotNodeForTheCalmestAndStayWhereNoneIsCalm) {
  options_.for_io = true;
  add_node(1'000, 400);
  add_node(1'000, -1);
  add_node(1'000, 100);
  add_node(1'000, 20);
  run_on(0);
  EXPECT_THAT(choose(), ElementsAre(Pair{0, 3}));
  cluster_.nodes[0].report.io_pressure = 399;
  EXPECT_THAT(choose(), IsEmpty());
  cluster_.nodes[0].report.io_pressure = 900;
  cluster_.nodes[2].report.io_pressure = cluster_.nodes[3].report.io_pressure = 101;
  EXPECT_THAT(choose(), IsEmpty()) << "a node that does not tell is not known to be calm";
}

TEST_F(RelocationTest, NothingGoesToAHotNodeForAnotherReason) {
  options_.for_io = options_.for_speed = true;
  add_node(1'000, 0);
  add_node(4'000, 500);
  add_node(2'000, 0);
  run_on(0);
  EXPECT_THAT(choose(), ElementsAre(Pair{0, 2}));
}

TEST_F(RelocationTest, ATaskIsRelocatedOnce) {
  options_.for_speed = true;
  add_node(500);
  add_node(1'000);
  run_on(0);
  RelocationPolicy policy(options_);
  EXPECT_THAT(choose(policy), ElementsAre(Pair{0, 1}));
  EXPECT_THAT(choose(policy), IsEmpty());
}

TEST_F(RelocationTest, WhatIsNotAtWorkOrWantedAlreadyStays) {
  options_.for_speed = true;
  add_node(500);
  add_node(500);
  add_node(500);
  add_node(500);
  for (int i = 0; i < 4; ++i) add_node(1'000);
  run_on(0).is_launched = false;
  run_on(0);
  newest_state().is_held = true;
  run_on(1).is_being_killed = true;
  run_on(1);
  newest_state().is_checkpointing = true;
  run_on(2).is_master = true;
  run_on(2);
  newest_state().is_orphan = true;
  run_on(3).units = 2;
  run_on(3);
  wanted_ = ContainerId(7u);
  EXPECT_THAT(choose(), IsEmpty());
  wanted_ = ContainerId();
  EXPECT_THAT(choose(), ElementsAre(Pair{7, 4}));
}

TEST_F(RelocationTest, ATaskThatWasJustBegunStays) {
  options_.for_speed = true;
  options_.settled = seconds(30);
  add_node(500);
  add_node(1'000);
  run_on(0).allocated = TraceTime(seconds(71));
  EXPECT_THAT(choose(), IsEmpty());
  cluster_.containers[ContainerId(0u)].allocated = TraceTime(seconds(70));
  EXPECT_THAT(choose(), ElementsAre(Pair{0, 1}));
}

TEST_F(RelocationTest, NoMoreAreChosenThanMayBeUnderWay) {
  options_.for_speed = true;
  add_node(500);
  add_node(1'000);
  run_on(0);
  run_on(0);
  most_ = 1;
  EXPECT_THAT(choose(), ElementsAre(Pair{0, 1}));
}

}  // namespace
}  // namespace tracebed
