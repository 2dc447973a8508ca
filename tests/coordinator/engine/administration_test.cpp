#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coordinator/engine/told_engine.h"

namespace tracebed {
namespace {

using doubles::FirstFit;
using doubles::plain_job;

class OperatorOrders : public doubles::ToldEngine {
 protected:
  OperatorOrders() {
    build(std::make_unique<FirstFit>());
    join(0, 2);
    join(1, 2);
    submit(plain_job(0, now_, 4, seconds(100)));
  }
  void order(AdministratorCommandKind kind, std::uint32_t node, Duration grace = seconds(30)) {
    arrive(AdministratorCommand{.kind = kind, .node = NodeId(node), .grace = grace});
  }
  void pass(Duration time) {
    now_ += time;
    Round round = at();
    step(round);
  }
  const Node& node(std::uint32_t id) const { return engine_->cluster().node(NodeId(id)); }
};

TEST_F(OperatorOrders, ADrainedNodeTakesNoMoreAndIsEmptiedAtTheDeadline) {
  order(AdministratorCommandKind::drain, 0);
  EXPECT_FALSE(node(0).alive);
  EXPECT_TRUE(node(0).is_present);
  EXPECT_EQ(node(0).containers, 2u);
  EXPECT_EQ(engine_->cluster().capacity, Resources(2000, 2048));
  pass(seconds(29));
  EXPECT_TRUE(sent<KillContainer>().empty());
  pass(seconds(1));
  EXPECT_EQ(sent<KillContainer>().size(), 2u);
  end(0, ContainerEnd::killed);
  end(1, ContainerEnd::killed);
  EXPECT_EQ(node(0).containers, 0u);
  EXPECT_TRUE(sent<LaunchContainer>().empty()) << "the other node is full";
  ASSERT_EQ(records_.preemptions.size(), 2u);
  EXPECT_EQ(records_.preemptions[0].purpose, PreemptionPurpose::drain);
  EXPECT_EQ(records_.preemptions[0].end, PreemptionEnd::forced);
}

TEST_F(OperatorOrders, ANodeComesBackWithWhatStillRunsOnIt) {
  order(AdministratorCommandKind::drain, 0);
  end(0);
  order(AdministratorCommandKind::undrain, 0);
  EXPECT_TRUE(node(0).alive);
  EXPECT_EQ(node(0).free, Resources(1000, 1024));
  EXPECT_EQ(engine_->cluster().capacity, Resources(4000, 4096));
  pass(seconds(60));
  EXPECT_TRUE(sent<KillContainer>().empty()) << "it is not wanted back any more";
  EXPECT_EQ(records_.preemptions.back().end, PreemptionEnd::cancelled);
}

TEST_F(OperatorOrders, ANodeThatLeavesWhileItIsDrainedStaysOutWhenItReturns) {
  order(AdministratorCommandKind::drain, 0);
  arrive(NodeLost{NodeId(0u)});
  EXPECT_FALSE(node(0).is_present);
  join(0, 2);
  EXPECT_TRUE(node(0).is_present);
  EXPECT_FALSE(node(0).alive);
  order(AdministratorCommandKind::undrain, 0);
  EXPECT_TRUE(node(0).alive);
  EXPECT_EQ(node(0).free, Resources()) << "what was lost with it is placed there again";
}

// Keeps what it is told of nodes that left.
class NodeListener final : public ApplicationMaster {
 public:
  explicit NodeListener(std::vector<NodeId>& lost) : lost_(lost) {}
  void start(TraceTime, MasterActions&) override {}
  void granted(TraceTime, const Grant&, MasterActions&) override {}
  void attempt_ended(TraceTime, const AttemptEnd&, MasterActions&) override {}
  void node_lost(TraceTime, NodeId node, MasterActions&) override { lost_.push_back(node); }

 private:
  std::vector<NodeId>& lost_;
};

TEST_F(OperatorOrders, MastersHearThatANodeIsGoneWhenAGangWasTheLastToRunThere) {
  std::vector<NodeId> lost;
  build(std::make_unique<FirstFit>(),
        [&](ApplicationId, Job& job, const ClusterModel&) -> std::unique_ptr<ApplicationMaster> {
          if (job.kind != JobKind::rigid) return std::make_unique<NodeListener>(lost);
          return std::make_unique<doubles::PlainMaster>(job);
        });
  join(0, 2);
  submit(plain_job(0, now_, 1, seconds(100)));
  submit(plain_job(1, now_, 2, seconds(100), StageKind::gang));
  order(AdministratorCommandKind::drain, 0);
  EXPECT_TRUE(lost.empty());
  arrive(GangEnded{.first = ContainerId(0u), .containers = 1});
  EXPECT_EQ(lost, std::vector{NodeId(0u)});
}

TEST_F(OperatorOrders, AMovedContainerIsAskedForStrictly) {
  arrive(AdministratorCommand{
      .kind = AdministratorCommandKind::move, .container = ContainerId(3u), .grace = seconds(30)});
  pass(seconds(30));
  ASSERT_EQ(sent<KillContainer>().size(), 1u);
  EXPECT_EQ(sent<KillContainer>()[0].container, ContainerId(3u));
  end(3, ContainerEnd::killed);
  ASSERT_EQ(records_.preemptions.size(), 1u);
  EXPECT_EQ(records_.preemptions[0].kind, PreemptionKind::strict);
  EXPECT_EQ(records_.preemptions[0].purpose, PreemptionPurpose::move);
}

TEST_F(OperatorOrders, AnOrderForWhatIsGoneMeansNothing) {
  arrive(
      AdministratorCommand{.kind = AdministratorCommandKind::move, .container = ContainerId(77u)});
  order(AdministratorCommandKind::drain, 9);
  order(AdministratorCommandKind::undrain, 1);
  EXPECT_TRUE(sent<KillContainer>().empty());
  EXPECT_TRUE(node(1).alive);
}

}  // namespace
}  // namespace tracebed
