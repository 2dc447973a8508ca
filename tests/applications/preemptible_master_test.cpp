#include "applications/preemption/preemptible_master.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tracebed {
namespace {

// Four maps of 1 vcore and a reduce of 2 that began last; the youngest map is still held.
class PreemptibleMasterTest : public testing::Test {
 protected:
  PreemptibleMasterTest() {
    for (std::uint32_t i = 0; i < 4; ++i) {
      add(i, Resources(1000, 1024), StageKind::map, trace_time((i + 1) * 1'000'000));
    }
    add(4, Resources(2000, 2048), StageKind::reduce, trace_time(9'000'000));
    held_[3].work_begun = never;
  }
  void add(std::uint32_t id, Resources resources, StageKind kind, TraceTime begun) {
    held_.push_back({.container = ContainerId(id),
                     .node = NodeId(id % 2),
                     .resources = resources,
                     .task = {0, id},
                     .work_begun = begun});
    kinds_.push_back(kind);
  }
  void preempt(std::uint32_t count, std::vector<std::uint32_t> suggested = {}, NodeId node = {}) {
    message_.negotiable.emplace();
    message_.negotiable->requests.push_back(
        {.node = node, .capability = Resources(1000, 1024), .count = count});
    for (const std::uint32_t id : suggested) {
      message_.negotiable->containers.push_back({ContainerId(id)});
    }
  }
  void owe_strictly(std::uint32_t id) { message_.strict = {{{ContainerId(id)}}}; }

  // "k3 c1": kills 3, checkpoints 1.
  std::string answer(PreemptionPolicy policy) {
    MasterActions actions;
    yield(policy, trace_time(20'000'000), message_, held_, kinds_, actions);
    std::string text;
    for (const MasterAction& action : actions) {
      const auto* kill = std::get_if<KillTask>(&action);
      const ContainerId id =
          kill != nullptr ? kill->container : std::get<CheckpointTask>(action).container;
      text += (text.empty() ? "" : " ") + std::string(kill != nullptr ? "k" : "c") +
              std::to_string(id.value());
    }
    return text;
  }

  std::vector<HeldContainer> held_;
  std::vector<StageKind> kinds_;
  PreemptionMessage message_;
};

TEST_F(PreemptibleMasterTest, GivesTheNewestFirstUntilTheAmountIsCovered) {
  preempt(1);
  EXPECT_EQ(answer(PreemptionPolicy::newest_first), "k3") << "a held one has not begun at all";
  preempt(2);
  EXPECT_EQ(answer(PreemptionPolicy::newest_first), "k3 k4");
}

TEST_F(PreemptibleMasterTest, GivesTheCheapestFirst) {
  // Lost: 3 nothing, 4 11 s × 2, 2 17 s, 1 18 s, 0 19 s.
  preempt(4);
  EXPECT_EQ(answer(PreemptionPolicy::cheapest_first), "k3 k2 k1 k0");
}

TEST_F(PreemptibleMasterTest, GivesReducesBeforeMaps) {
  preempt(3);
  EXPECT_EQ(answer(PreemptionPolicy::reduces_first), "k4 k3");
}

TEST_F(PreemptibleMasterTest, HasSuggestedTasksKeepTheirProgress) {
  preempt(2, {0, 3});
  EXPECT_EQ(answer(PreemptionPolicy::checkpoint), "k3 c0") << "one that is held has none to keep";
}

TEST_F(PreemptibleMasterTest, CountsWhatIsGoingAlready) {
  held_[4].is_going = true;
  preempt(2);
  EXPECT_EQ(answer(PreemptionPolicy::newest_first), "");
  preempt(3);
  EXPECT_EQ(answer(PreemptionPolicy::newest_first), "k3");
}

TEST_F(PreemptibleMasterTest, GivesFromTheNodeThatIsDrained) {
  preempt(2, {1, 3}, NodeId(1u));
  EXPECT_EQ(answer(PreemptionPolicy::newest_first), "k3 k1");
}

TEST_F(PreemptibleMasterTest, GivesExactlyWhatAStrictContractNames) {
  owe_strictly(1);
  EXPECT_EQ(answer(PreemptionPolicy::newest_first), "k1");
  EXPECT_EQ(answer(PreemptionPolicy::checkpoint), "c1");
  owe_strictly(77);
  EXPECT_EQ(answer(PreemptionPolicy::newest_first), "") << "not its own, or ended meanwhile";
}

TEST_F(PreemptibleMasterTest, CoversNoAmountWithWhatAStrictContractNames) {
  owe_strictly(1);
  preempt(1);
  EXPECT_EQ(answer(PreemptionPolicy::newest_first), "k1 k3");
  held_[1].is_going = true;
  EXPECT_EQ(answer(PreemptionPolicy::newest_first), "k3") << "nor when it is going already";
}

TEST_F(PreemptibleMasterTest, IgnoresEverythingIfItIsToldTo) {
  preempt(2);
  owe_strictly(1);
  EXPECT_EQ(answer(PreemptionPolicy::ignore), "");
}

// Proves: 7.kill-policy
TEST_F(PreemptibleMasterTest, OfHadoopKillsAllThatIsNamedInBothContracts) {
  preempt(1, {0, 2});
  owe_strictly(1);
  EXPECT_EQ(answer(PreemptionPolicy::hadoop_kill), "k1 k0 k2");
}

// Proves: 7.checkpoint-policy
TEST_F(PreemptibleMasterTest, OfHadoopCheckpointsReducesAndNoMaps) {
  add(5, Resources(2000, 2048), StageKind::reduce, trace_time(12'000'000));
  preempt(3, {0, 1});
  EXPECT_EQ(answer(PreemptionPolicy::hadoop_checkpoint), "c5 c4");
  message_ = {};
  owe_strictly(1);
  EXPECT_EQ(answer(PreemptionPolicy::hadoop_checkpoint), "");
}

TEST_F(PreemptibleMasterTest, GivesAGangWhole) {
  kinds_.assign(kinds_.size(), StageKind::gang);
  held_[3].work_begun = trace_time(1);
  preempt(1);
  EXPECT_EQ(answer(PreemptionPolicy::checkpoint), "c0 c1 c2 c3 c4");
}

}  // namespace
}  // namespace tracebed
