#include "coordinator/engine/engine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coordinator/engine/doubles.h"
#include "coordinator/engine/told_engine.h"

namespace tracebed {
namespace {

using doubles::FirstFit;
using doubles::gpu_dimension;
using doubles::plain_job;
using doubles::plain_machine;
using doubles::plain_master;
using doubles::Records;
using doubles::ScriptedScheduler;

class EngineTest : public doubles::ToldEngine {};

TEST_F(EngineTest, LaunchesEveryTaskThatFitsAndTheRestWhenRoomBecomesFree) {
  build(std::make_unique<FirstFit>());
  join(0, 2);
  submit(plain_job(0, now_, 3, seconds(10)));
  ASSERT_EQ(sent<LaunchContainer>().size(), 2u);
  EXPECT_EQ(engine_->cluster().node(NodeId(0u)).free, Resources(0, 0));

  now_ += seconds(10);
  end(0);
  ASSERT_EQ(sent<LaunchContainer>().size(), 1u);
  EXPECT_EQ(sent<LaunchContainer>()[0].task, (TaskRef{0, 2}));

  end(1);
  EXPECT_FALSE(engine_->is_idle());
  now_ += seconds(10);
  end(2);
  EXPECT_TRUE(engine_->is_idle());
  ASSERT_EQ(records_.jobs.size(), 1u);
  EXPECT_EQ(records_.jobs[0].outcome, JobOutcome::succeeded);
  EXPECT_EQ(records_.jobs[0].attempts, 3u);
  EXPECT_EQ(records_.jobs[0].finished, trace_time(20'000'000));
}

// With what was allocated when it came; a node that comes back has reported nothing.
TEST_F(EngineTest, KeepsWhatTheLastHeartbeatReported) {
  build(std::make_unique<FirstFit>());
  now_ = trace_time(1'000'000);
  join(0, 2);
  const auto report = [&]() -> const NodeReport& {
    return engine_->cluster().node(NodeId(0u)).report;
  };
  EXPECT_EQ(report(), (NodeReport{.at = now_}));
  submit(plain_job(0, now_, 1, seconds(10)));
  EXPECT_EQ(report().allocated, Resources()) << "it has not reported since";
  now_ += seconds(3);
  arrive(NodeHeartbeat{NodeId(0u), Resources(700, 300), 250});
  EXPECT_EQ(report(), (NodeReport{Resources(700, 300), 250, Resources(1'000, 1'024), now_}));
  arrive(NodeLost{NodeId(0u)});
  now_ += seconds(1);
  join(0, 2);
  EXPECT_EQ(report(), (NodeReport{.at = now_}));
}

TEST_F(EngineTest, KeepsAKilledContainersRoomUntilItsEndIsReported) {
  build(std::make_unique<FirstFit>());
  join(0, 2);
  submit(plain_job(0, now_, 2, seconds(10)));
  end(0, ContainerEnd::failed);  // fails the job, whose other task is killed
  ASSERT_EQ(sent<KillContainer>().size(), 1u);
  EXPECT_EQ(sent<KillContainer>()[0].container, ContainerId(1u));
  EXPECT_EQ(records_.jobs.at(0).outcome, JobOutcome::failed);
  EXPECT_EQ(engine_->cluster().node(NodeId(0u)).free, Resources(1000, 1024));
  EXPECT_FALSE(engine_->is_idle());

  end(1, ContainerEnd::killed);
  EXPECT_EQ(engine_->cluster().node(NodeId(0u)).free, Resources(2000, 2048));
  EXPECT_TRUE(engine_->is_idle());
}

// Proves: 8.node-removed
TEST_F(EngineTest, EndsTheContainersOfALostNodeAndRunsTheirTasksElsewhere) {
  build(std::make_unique<FirstFit>());
  join(0, 1);
  submit(plain_job(0, now_, 1, seconds(10)));
  join(1, 1);
  arrive(NodeLost{NodeId(0u)});
  ASSERT_EQ(records_.attempts.size(), 1u);
  EXPECT_EQ(records_.attempts[0].end, ContainerEnd::node_lost);
  ASSERT_EQ(sent<LaunchContainer>().size(), 1u);
  EXPECT_EQ(sent<LaunchContainer>()[0].node, NodeId(1u));
  EXPECT_FALSE(engine_->cluster().node(NodeId(0u)).alive);
}

TEST_F(EngineTest, CountsAReportOfAContainerThatWasLostAndIgnoresIt) {
  build(std::make_unique<FirstFit>());
  join(0, 1);
  submit(plain_job(0, now_, 1, seconds(10)));
  arrive(NodeLost{NodeId(0u)});
  end(0);
  EXPECT_EQ(engine_->counters().late_reports, 1u);
  EXPECT_TRUE(records_.jobs.empty());
}

TEST_F(EngineTest, ANodeThatComesBackHasItsCapacityFreeAgain) {
  build(std::make_unique<FirstFit>());
  join(0, 4);
  arrive(NodeLost{NodeId(0u)});
  join(0, 8);
  EXPECT_EQ(engine_->cluster().node(NodeId(0u)).free, Resources(8000, 8192));
  EXPECT_EQ(engine_->cluster().capacity, Resources(8000, 8192));
}

TEST_F(EngineTest, RejectsAJobThatNoMachineCouldEverHold) {
  build(std::make_unique<FirstFit>());
  join(0, 2);
  Job large = plain_job(0, now_, 1, seconds(1));
  large.stages[0].demand = Resources(3000, 1024);
  submit(large);
  ASSERT_EQ(records_.jobs.size(), 1u);
  EXPECT_EQ(records_.jobs[0].outcome, JobOutcome::rejected);
  EXPECT_THAT(records_.jobs[0].diagnostics, testing::HasSubstr("larger than every machine"));

  submit(plain_job(1, now_, 3, seconds(1), StageKind::gang));
  EXPECT_EQ(records_.jobs.at(1).outcome, JobOutcome::rejected);
  EXPECT_THAT(records_.jobs[1].diagnostics, testing::HasSubstr("more at once"));
  EXPECT_TRUE(engine_->is_idle());
}

TEST_F(EngineTest, LaunchesSayWhichDevicesAContainerHas) {
  devices_.set(gpu_dimension, 1'000);
  build(std::make_unique<FirstFit>());
  join_with_gpus(0, 4, 2);
  Job parts = plain_job(0, now_, 2, seconds(10));
  parts.stages[0].demand[gpu_dimension] = 600;
  submit(parts);
  const auto launched = sent<LaunchContainer>();
  ASSERT_EQ(launched.size(), 2u);
  EXPECT_EQ(launched[0].devices, (DeviceShares{{gpu_dimension, 0, 600}}));
  EXPECT_EQ(launched[1].devices, (DeviceShares{{gpu_dimension, 1, 600}}));
  submit(plain_job(1, now_, 1, seconds(10)));
  EXPECT_EQ(sent<LaunchContainer>().at(0).devices, DeviceShares());
}

TEST_F(EngineTest, EachContainerOfAGangHasDevicesOfItsOwnNode) {
  devices_.set(gpu_dimension, 1'000);
  build(std::make_unique<FirstFit>());
  join_with_gpus(0, 2, 3);
  join_with_gpus(1, 4, 2);
  Job gang = plain_job(0, now_, 3, seconds(5), StageKind::gang);
  gang.stages[0].demand[gpu_dimension] = 1'000;
  submit(gang);
  const auto gangs = sent<LaunchGangContainers>();
  ASSERT_EQ(gangs.size(), 1u);
  std::vector<DeviceShares> devices;
  visit_containers(gangs[0], [&](const LaunchContainer& one) { devices.push_back(one.devices); });
  ASSERT_EQ(devices.size(), 2u);
  EXPECT_EQ(devices[0], (DeviceShares{{gpu_dimension, 0, 1'000}, {gpu_dimension, 1, 1'000}}));
  EXPECT_EQ(devices[1], (DeviceShares{{gpu_dimension, 0, 1'000}}));
  submit(plain_job(1, now_, 2, seconds(5), StageKind::gang));
  EXPECT_TRUE(sent<LaunchGangContainers>().at(0).devices.empty());
}

TEST_F(EngineTest, PlacesAGangWholeOnSeveralNodes) {
  build(std::make_unique<FirstFit>());
  join(0, 2);
  join(1, 2);
  submit(plain_job(0, now_, 3, seconds(5), StageKind::gang));
  const auto gangs = sent<LaunchGangContainers>();
  ASSERT_EQ(gangs.size(), 1u);
  std::vector<LaunchContainer> launched;
  visit_containers(gangs[0], [&](const LaunchContainer& one) { launched.push_back(one); });
  ASSERT_EQ(launched.size(), 2u);
  EXPECT_EQ(launched[0].limits, Resources(2000, 2048));
  EXPECT_EQ(launched[0].work.cpu_time, seconds(10));
  EXPECT_EQ(launched[1].container, ContainerId(1u));
  EXPECT_EQ(launched[1].node, NodeId(1u));
  EXPECT_EQ(launched[1].task, (TaskRef{0, 2}));
  EXPECT_EQ(launched[1].limits, Resources(1000, 1024));
  EXPECT_EQ(launched[1].work.duration, seconds(5));
  end(0);
  EXPECT_FALSE(engine_->is_idle());
  end(1);
  EXPECT_TRUE(engine_->is_idle());
}

GangEnded whole_gang_of(std::uint32_t containers) {
  GangEnded ended{ContainerId(0u), containers, {}};
  ended.account.cpu_time = seconds(5);
  ended.account.memory_peak_mib = 100;
  return ended;
}

TEST_F(EngineTest, AGangThatEndsAtOnceIsAccountedForByContainer) {
  build(std::make_unique<FirstFit>());
  join(0, 2);
  join(1, 2);
  submit(plain_job(0, now_, 3, seconds(5), StageKind::gang));
  arrive(whole_gang_of(2));
  EXPECT_TRUE(engine_->is_idle());
  EXPECT_EQ(records_.jobs.at(0).outcome, JobOutcome::succeeded);
  ASSERT_EQ(records_.attempts.size(), 2u);
  EXPECT_EQ(records_.attempts[0].account.cpu_time, seconds(10));
  EXPECT_EQ(records_.attempts[0].account.memory_peak_mib, 200);
  EXPECT_EQ(records_.attempts[1].container, ContainerId(1u));
  EXPECT_EQ(records_.attempts[1].account.cpu_time, seconds(5));
  arrive(whole_gang_of(2));
  EXPECT_EQ(engine_->counters().late_reports, 2u);
}

TEST_F(EngineTest, WhatIsLeftOfAGangEndsContainerByContainer) {
  build(std::make_unique<FirstFit>());
  join(0, 2);
  join(1, 2);
  submit(plain_job(0, now_, 3, seconds(5), StageKind::gang));
  arrive(NodeLost{NodeId(1u)});  // with the third task; it is asked for again
  arrive(whole_gang_of(2));
  EXPECT_EQ(engine_->counters().late_reports, 1u);
  EXPECT_FALSE(engine_->is_idle());
  ASSERT_EQ(sent<LaunchContainer>().size(), 1u);
  end(2);
  EXPECT_TRUE(engine_->is_idle());
  EXPECT_EQ(records_.jobs.at(0).outcome, JobOutcome::succeeded);
  EXPECT_EQ(records_.jobs.at(0).attempts, 3u);
}

// Proves: 8.app-removed
TEST_F(EngineTest, CancellingEndsEveryJobAndKillsEveryContainer) {
  build(std::make_unique<FirstFit>());
  join(0, 1);
  submit(plain_job(0, now_, 1, seconds(10)));
  submit(plain_job(1, now_, 1, seconds(10)));
  arrive(RunCancelled{CancelReason::user});
  EXPECT_EQ(sent<KillContainer>().size(), 1u);
  ASSERT_EQ(records_.jobs.size(), 2u);
  EXPECT_EQ(records_.jobs[0].outcome, JobOutcome::killed);
  EXPECT_EQ(records_.jobs[1].outcome, JobOutcome::killed);
  submit(plain_job(2, now_, 1, seconds(10)));
  EXPECT_EQ(records_.jobs.at(2).outcome, JobOutcome::killed);
  EXPECT_EQ(engine_->cancellation(), CancelReason::user);
}

// Proves: 8.app-removed
TEST_F(EngineTest, EndsAnApplicationThatTheSchedulerEnds) {
  int refused = 0;
  int removed = 0;
  build(std::make_unique<ScriptedScheduler>([&](const SchedulerInput& input, Decisions& decisions) {
    for (const SchedulerEvent& event : input.events) {
      if (const auto* added = std::get_if<ApplicationAdded>(&event)) {
        decisions.accept(added->application);
      } else if (const auto* changed = std::get_if<AskChanged>(&event)) {
        decisions.allocate(changed->ask, NodeId(0u));
        decisions.end_application(input.cluster.asks[changed->ask].application, "enough of it");
      } else if (std::holds_alternative<ApplicationRemoved>(event)) {
        ++removed;
        decisions.end_application(ApplicationId(0u), "once more");
      }
      refused += std::holds_alternative<Refused>(event) ? 1 : 0;
    }
  }));
  join(0, 1);
  submit(plain_job(0, now_, 1, seconds(10)));
  ASSERT_EQ(records_.jobs.size(), 1u);
  EXPECT_EQ(records_.jobs[0].outcome, JobOutcome::killed);
  EXPECT_EQ(records_.jobs[0].diagnostics, "enough of it");
  EXPECT_EQ(sent<KillContainer>().size(), 1u);
  EXPECT_EQ(removed, 1);
  EXPECT_EQ(refused, 1);
}

TEST_F(EngineTest, WakesTheSchedulerWhenItAskedToBe) {
  int ticks = 0;
  build(std::make_unique<ScriptedScheduler>([&](const SchedulerInput& input, Decisions& decisions) {
    for (const SchedulerEvent& event : input.events) {
      ticks += std::holds_alternative<Tick>(event) ? 1 : 0;
      if (std::holds_alternative<NodeAdded>(event)) decisions.wake_at(trace_time(5'000'000));
    }
  }));
  join(0, 1);
  EXPECT_EQ(engine_->next_deadline(), trace_time(5'000'000));
  now_ = trace_time(5'000'000);
  Round round = at();
  step(round);
  EXPECT_EQ(ticks, 1);
  EXPECT_EQ(engine_->next_deadline(), never);
}

// A scheduler that insists on a decision that can't be committed wastes its own calls, not the run.
TEST_F(EngineTest, OutlastsASchedulerThatRepeatsARefusedDecision) {
  int calls = 0;
  build(std::make_unique<ScriptedScheduler>([&](const SchedulerInput&, Decisions& decisions) {
    ++calls;
    decisions.allocate(AskId(7u), NodeId(0u));
  }));
  join(0, 1);
  EXPECT_EQ(calls, 2);
  EXPECT_EQ(engine_->counters().refusals, 2u);
}

TEST_F(EngineTest, LetsAHeldTaskBeginWhenItsMasterSaysSo) {
  class Holding final : public ApplicationMaster {
   public:
    void start(TraceTime, MasterActions& actions) override {
      actions.push_back(SetAsk{.demand = Resources(1000, 1024), .pending = 1});
    }
    void granted(TraceTime now, const Grant& grant, MasterActions& actions) override {
      container_ = grant.container;
      actions.push_back(LaunchTask{.container = container_, .is_held = true});
      actions.push_back(HeartbeatAt{now + seconds(3)});
    }
    void attempt_ended(TraceTime, const AttemptEnd&, MasterActions& actions) override {
      actions.push_back(FinishApplication{});
    }
    void node_lost(TraceTime, NodeId, MasterActions&) override {}
    void heartbeat(TraceTime, const Resources&, MasterActions& actions) override {
      actions.push_back(ContinueTask{container_});
    }

   private:
    ContainerId container_;
  };
  build(std::make_unique<FirstFit>(),
        [](ApplicationId, Job&, const ClusterModel&) { return std::make_unique<Holding>(); });
  join(0, 1);
  submit(plain_job(0, now_, 1, seconds(10)));
  EXPECT_TRUE(sent<LaunchContainer>().at(0).is_held);
  EXPECT_EQ(engine_->next_deadline(), trace_time(3'000'000));
  now_ = trace_time(3'000'000);
  Round round = at();
  step(round);
  ASSERT_EQ(sent<ContinueContainer>().size(), 1u);
  end(0);
  EXPECT_EQ(records_.attempts.at(0).work_begun, trace_time(3'000'000));
}

struct RefusalCase {
  std::string name;
  RefusalReason reason;
  std::function<void(Decisions&)> decide;  // after the application and a gang were asked for
};

class RefusalTest : public EngineTest, public testing::WithParamInterface<RefusalCase> {};

// Node 0 is alive with two vcores and node 1 was lost. Ask 0 wants one unit of one vcore, ask 1 a
// gang of two, ask 2 is closed, ask 3 wants three vcores.
TEST_P(RefusalTest, ComesBackAsAnEventAndChangesNothing) {
  class Asking final : public ApplicationMaster {
   public:
    void start(TraceTime, MasterActions& actions) override {
      actions.push_back(SetAsk{.slot = 0, .demand = Resources(1000, 1), .pending = 1});
      actions.push_back(
          SetAsk{.slot = 1, .demand = Resources(1000, 1), .pending = 2, .kind = StageKind::gang});
      actions.push_back(SetAsk{.slot = 2, .demand = Resources(1000, 1), .pending = 0});
      actions.push_back(SetAsk{.slot = 3, .demand = Resources(3000, 1), .pending = 1});
    }
    void granted(TraceTime, const Grant&, MasterActions&) override {}
    void attempt_ended(TraceTime, const AttemptEnd&, MasterActions&) override {}
    void node_lost(TraceTime, NodeId, MasterActions&) override {}
  };
  std::vector<RefusalReason> refusals;
  bool is_asked = false;
  build(std::make_unique<ScriptedScheduler>([&](const SchedulerInput& input, Decisions& decisions) {
          for (const SchedulerEvent& event : input.events) {
            if (const auto* refused = std::get_if<Refused>(&event)) {
              refusals.push_back(refused->reason);
            }
            if (const auto* added = std::get_if<ApplicationAdded>(&event)) {
              decisions.accept(added->application);
            }
            if (std::holds_alternative<NodeUpdated>(event)) is_asked = true;
          }
          if (is_asked) GetParam().decide(decisions);
          is_asked = false;
        }),
        [](ApplicationId, Job&, const ClusterModel&) { return std::make_unique<Asking>(); });
  join(0, 2);
  join(1, 4);
  submit(plain_job(0, now_, 1, seconds(1)));
  arrive(NodeLost{NodeId(1u)});
  arrive(NodeHeartbeat{NodeId(0u), {}});
  EXPECT_THAT(refusals, testing::ElementsAre(GetParam().reason));
  EXPECT_EQ(engine_->cluster().containers.size(), 0u);
  EXPECT_EQ(engine_->counters().allocations, 0u);
}

const GangPiece gang_short[] = {{NodeId(0u), 1}};
const GangPiece gang_dead[] = {{NodeId(1u), 2}};
const GangPiece gang_twice[] = {{NodeId(0u), 1}, {NodeId(0u), 1}};
const GangPiece gang_of_plain[] = {{NodeId(0u), 1}};

INSTANTIATE_TEST_SUITE_P(
    OfEveryKind, RefusalTest,
    testing::Values(RefusalCase{"UnknownAsk", RefusalReason::unknown_ask,
                                [](Decisions& d) { d.allocate(AskId(99u), NodeId(0u)); }},
                    RefusalCase{"UnknownNode", RefusalReason::node_not_alive,
                                [](Decisions& d) { d.allocate(AskId(0u), NodeId(99u)); }},
                    RefusalCase{"DeadNode", RefusalReason::node_not_alive,
                                [](Decisions& d) { d.allocate(AskId(0u), NodeId(1u)); }},
                    RefusalCase{"TooLarge", RefusalReason::does_not_fit,
                                [](Decisions& d) { d.allocate(AskId(3u), NodeId(0u)); }},
                    RefusalCase{"NothingWanted", RefusalReason::ask_closed,
                                [](Decisions& d) { d.allocate(AskId(2u), NodeId(0u)); }},
                    RefusalCase{"OneOfAGang", RefusalReason::gang_incomplete,
                                [](Decisions& d) { d.allocate(AskId(1u), NodeId(0u)); }},
                    RefusalCase{"PartOfAGang", RefusalReason::gang_incomplete,
                                [](Decisions& d) { d.allocate_gang(AskId(1u), gang_short); }},
                    RefusalCase{"GangOnDeadNode", RefusalReason::node_not_alive,
                                [](Decisions& d) { d.allocate_gang(AskId(1u), gang_dead); }},
                    RefusalCase{"GangNamingANodeTwice", RefusalReason::gang_incomplete,
                                [](Decisions& d) { d.allocate_gang(AskId(1u), gang_twice); }},
                    RefusalCase{"GangForAPlainAsk", RefusalReason::gang_incomplete,
                                [](Decisions& d) { d.allocate_gang(AskId(0u), gang_of_plain); }},
                    RefusalCase{"UnknownContainer", RefusalReason::unknown_container,
                                [](Decisions& d) { d.kill(ContainerId(5u), "test"); }},
                    RefusalCase{"UnknownApplication", RefusalReason::unknown_application,
                                [](Decisions& d) { d.accept(ApplicationId(9u)); }},
                    RefusalCase{"AcceptedTwice", RefusalReason::already_answered,
                                [](Decisions& d) { d.accept(ApplicationId(0u)); }},
                    RefusalCase{"RejectedAfterAcceptance", RefusalReason::already_answered,
                                [](Decisions& d) { d.reject(ApplicationId(0u), "test"); }},
                    RefusalCase{"WakeUpInThePast", RefusalReason::invalid_wake_up,
                                [](Decisions& d) { d.wake_at(trace_time(0)); }}),
    [](const testing::TestParamInfo<RefusalCase>& test) { return test.param.name; });

}  // namespace
}  // namespace tracebed
