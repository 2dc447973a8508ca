// What a master in a container may do, action by action.
#include "coordinator/engine/call_check.h"

#include <gtest/gtest.h>
#include <map>

namespace tracebed {
namespace {

// Application 0 has an ask in slot 1 for two units near node 0, container 0 for its master,
// container 1 granted, container 2 running and container 3 of an attempt that has failed; container
// 4 is another application's and container 5 has ended.
class CallCheck : public testing::Test {
 protected:
  CallCheck() {
    cluster_.nodes.resize(2);
    cluster_.racks = 1;
    Ask& ask = cluster_.asks.emplace_at(AskId(0u));
    ask.priority = 20;
    ask.nodes = {{NodeId(0u), 1}};
    ask.racks = {{RackId(0u), 2}};
    asks_ = {AskId(), AskId(0u)};
    for (std::uint32_t i = 0; i < 6; ++i) {
      Container& container = cluster_.containers.emplace_at(ContainerId(i));
      container.application = ApplicationId(i == 4 ? 1u : 0u);
      container.is_launched = i != 1;
      ContainerState& state = states_.emplace_at(ContainerId(i));
      state.is_held = i == 2;
      state.is_orphan = i == 3;
    }
    cluster_.containers.erase(ContainerId(5u));
  }

  ActionVerdict judged(const MasterAction& action) const {
    return judge({trace_time(100), ApplicationId(0u), cluster_, states_, stage_tasks_, asks_,
                  ContainerId(0u)},
                 action);
  }
  static LaunchTask launch_in(std::uint32_t container) {
    LaunchTask launch;
    launch.container = ContainerId(container);
    launch.task = {1, 2};
    launch.waiting_since = trace_time(99);
    return launch;
  }
  static SetAsk ask(AskSlot slot) {
    SetAsk ask;
    ask.slot = slot;
    ask.priority = 20;
    ask.demand = Resources(1000, 1024);
    ask.pending = 13;
    return ask;
  }

  ClusterModel cluster_;
  ContainerStates states_;
  std::vector<std::uint32_t> stage_tasks_{10, 3};
  AskList asks_;
};

constexpr ActionVerdict allowed = ActionVerdict::allowed;
constexpr ActionVerdict late = ActionVerdict::late;
constexpr ActionVerdict repeated = ActionVerdict::repeated;
constexpr ActionVerdict foreign = ActionVerdict::foreign;
constexpr ActionVerdict refused = ActionVerdict::refused;

TEST_F(CallCheck, ContainersAreItsOwnAndNotItsMastersNorAnothers) {
  for (const auto& [container, verdict] : std::map<std::uint32_t, ActionVerdict>{{0, foreign},
                                                                                 {1, allowed},
                                                                                 {2, allowed},
                                                                                 {3, late},
                                                                                 {4, foreign},
                                                                                 {5, late},
                                                                                 {6, foreign}}) {
    EXPECT_EQ(judged(KillTask{ContainerId(container)}), verdict) << container;
  }
  EXPECT_EQ(judged(KillTask{ContainerId()}), foreign);
}

TEST_F(CallCheck, WhatIsGivenUpTwiceIsRepeatedAndWhatWasTakenByForceIsLate) {
  Container& running = *cluster_.containers.find(ContainerId(2u));
  ContainerState& state = states_[ContainerId(2u)];
  state.is_checkpointing = true;
  EXPECT_EQ(judged(CheckpointTask{ContainerId(2u)}), repeated);
  EXPECT_EQ(judged(KillTask{ContainerId(2u)}), allowed) << "it does not wait for the progress";
  running.is_being_killed = true;
  EXPECT_EQ(judged(KillTask{ContainerId(2u)}), repeated);
  EXPECT_EQ(judged(CheckpointTask{ContainerId(2u)}), late);
  state.is_preempted = true;
  EXPECT_EQ(judged(KillTask{ContainerId(2u)}), late);
}

TEST_F(CallCheck, ATaskIsLaunchedOnceInAnOwnContainerAndIsOneOfTheJob) {
  EXPECT_EQ(judged(launch_in(1)), allowed);
  EXPECT_EQ(judged(launch_in(2)), refused);
  EXPECT_EQ(judged(launch_in(4)), foreign);
  EXPECT_EQ(judged(launch_in(5)), late);
  LaunchTask launch = launch_in(1);
  launch.task = {1, 3};
  EXPECT_EQ(judged(launch), refused) << "the stage has three tasks";
  launch.task = {2, 0};
  EXPECT_EQ(judged(launch), refused) << "there are two stages";
  launch = launch_in(1);
  launch.waiting_since = trace_time(101);
  EXPECT_EQ(judged(launch), refused) << "it cannot have waited since tomorrow";
  launch = launch_in(1);
  launch.work.cpu_time = Duration(-1);
  EXPECT_EQ(judged(launch), refused);
  launch = launch_in(1);
  launch.work.input_cached_on = 2;
  EXPECT_EQ(judged(launch), allowed);
  launch.work.input_cached_on = 3;
  EXPECT_EQ(judged(launch), refused) << "there are two machines, counted from one";
}

// Container 2 runs task (0, 0).
TEST_F(CallCheck, ADuplicateIsOfATaskThatRunsInOneOtherOwnContainer) {
  LaunchTask launch = launch_in(1);
  launch.beside = ContainerId(2u);
  EXPECT_EQ(judged(launch), refused) << "of another task";
  launch.task = {0, 0};
  EXPECT_EQ(judged(launch), allowed);
  for (const auto& [beside, verdict] : std::map<std::uint32_t, ActionVerdict>{
           {0, foreign}, {1, refused}, {3, allowed}, {4, foreign}, {5, allowed}, {6, foreign}}) {
    launch.beside = ContainerId(beside);
    EXPECT_EQ(judged(launch), verdict) << beside;
  }
  launch.beside = ContainerId(2u);
  states_[ContainerId(2u)].twin = ContainerId(3u);
  EXPECT_EQ(judged(launch), refused) << "it has a duplicate";
}

TEST_F(CallCheck, OnlyHeldTasksAreLetGoAndOnlyUnusedContainersGivenBack) {
  EXPECT_EQ(judged(ContinueTask{ContainerId(2u)}), allowed);
  EXPECT_EQ(judged(ContinueTask{ContainerId(1u)}), refused);
  EXPECT_EQ(judged(ReleaseContainer{ContainerId(1u)}), allowed);
  EXPECT_EQ(judged(ReleaseContainer{ContainerId(2u)}), refused);
}

TEST_F(CallCheck, OnlyItsOwnTasksThatRunAreCheckpointed) {
  EXPECT_EQ(judged(CheckpointTask{ContainerId(0u)}), foreign) << "its own container";
  EXPECT_EQ(judged(CheckpointTask{ContainerId(1u)}), refused) << "nothing runs in it";
  EXPECT_EQ(judged(CheckpointTask{ContainerId(2u)}), allowed);
  EXPECT_EQ(judged(CheckpointTask{ContainerId(3u)}), late) << "of a master that failed";
  EXPECT_EQ(judged(CheckpointTask{ContainerId(4u)}), foreign) << "another's";
  EXPECT_EQ(judged(CheckpointTask{ContainerId(5u)}), late) << "it has ended";
  EXPECT_EQ(judged(CheckpointTask{ContainerId(6u)}), foreign) << "never was";
  EXPECT_EQ(judged(CheckpointTask{ContainerId()}), foreign);
  cluster_.containers.find(ContainerId(2u))->is_being_killed = true;
  EXPECT_EQ(judged(CheckpointTask{ContainerId(2u)}), late) << "it is killed already";
}

TEST_F(CallCheck, AsksAreForItsTasksAtPlacesThatExist) {
  EXPECT_EQ(judged(ask(1)), allowed);
  EXPECT_EQ(judged(ask(2)), allowed);
  EXPECT_EQ(judged(ask(0)), refused) << "that is the ask for the master's own container";
  EXPECT_EQ(judged(ask(5'000)), refused);
  const auto spoilt = [&](auto spoil) {
    SetAsk wrong = ask(1);
    spoil(wrong);
    return judged(wrong);
  };
  EXPECT_EQ(spoilt([](SetAsk& a) { a.pending = 14; }), refused) << "the job has thirteen tasks";
  EXPECT_EQ(spoilt([](SetAsk& a) { a.is_master = true; }), refused);
  EXPECT_EQ(spoilt([](SetAsk& a) { a.priority = 5; }), refused);
  EXPECT_EQ(spoilt([](SetAsk& a) { a.kind = StageKind::gang; }), refused);
  EXPECT_EQ(spoilt([](SetAsk& a) { a.demand = Resources(-1, 5); }), refused);
  EXPECT_EQ(spoilt([](SetAsk& a) { a.nodes = {{NodeId(2u), 1}}; }), refused);
  EXPECT_EQ(spoilt([](SetAsk& a) { a.nodes = {{NodeId(1u), 1}, {NodeId(0u), 1}}; }), refused);
  EXPECT_EQ(spoilt([](SetAsk& a) { a.racks = {{RackId(1u), 1}}; }), refused);
}

TEST_F(CallCheck, NoMorePlacesAreTakenBackThanWereStated) {
  EXPECT_EQ(judged(AdjustPlaces{1, {NodeId(0u)}, {RackId(0u), RackId(0u)}}), allowed);
  EXPECT_EQ(judged(AdjustPlaces{1, {NodeId(0u), NodeId(0u)}, {}}), late);
  EXPECT_EQ(judged(AdjustPlaces{2, {}, {}}), refused);
  EXPECT_EQ(judged(CloseAsk{1}), allowed);
  EXPECT_EQ(judged(CloseAsk{0}), refused);
}

TEST_F(CallCheck, WhatIsTheEnginesOrTheHostsIsRefused) {
  EXPECT_EQ(judged(HeartbeatAt{}), refused);
  EXPECT_EQ(judged(LaunchMasterProcess{}), refused);
  EXPECT_EQ(judged(FinishApplication{JobOutcome::rejected, ""}), refused);
  EXPECT_EQ(judged(FinishApplication{JobOutcome::failed, ""}), allowed);
}

}  // namespace
}  // namespace tracebed
