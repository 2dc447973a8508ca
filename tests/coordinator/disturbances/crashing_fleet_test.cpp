// Machines that are to fail: when the world is told, and that a run does not give up before.
#include "coordinator/disturbances/crashing_fleet.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coordinator/engine/told_engine.h"
#include "core/input_error.h"
#include "support/at_seconds.h"

namespace tracebed {
namespace {

using doubles::FirstFit;
using doubles::plain_job;
using doubles::plain_machine;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::ThrowsMessage;

// In which nothing arrives, so that each wait ends at its deadline.
class SilentFleet final : public Fleet {
 public:
  void execute(std::span<const Command>, const HeartbeatInterest&) override {}
  void wait_until(TraceTime deadline, Round& round) override { round.now = deadline; }
};

class ToldWorld final : public RunWorld {
 public:
  struct Change {
    std::uint32_t node = 0;
    TraceTime at;
    std::string what;
    bool operator==(const Change&) const = default;
  };

  void arrived(const Round& /*round*/) override {}
  void commanded(std::span<const Command> /*commands*/) override {}
  Fleet& fleet() override { return fleet_; }
  RoundLog* log() override { return nullptr; }
  std::optional<FileChecksum> log_checksum() const override { return std::nullopt; }
  RecordSink* records() override { return nullptr; }
  std::string isolation() const override { return ""; }
  std::vector<std::pair<std::string, std::uint64_t>> counters() const override { return {}; }
  std::vector<MachineLoad> machine_loads() const override { return {}; }
  std::optional<ReadBytes> served_bytes() const override { return std::nullopt; }
  void look_at(const StorageView& /*namenode*/) override {}
  void serve(const Namenode& /*namenode*/) override {}
  void end_service() override {}
  DecisionThreads* decision_threads() override { return nullptr; }
  void crash(NodeId node, TraceTime now, bool comes_back) override {
    changes_.push_back({node.value(), now, comes_back ? "falls" : "goes"});
  }
  void bring_back(NodeId node, TraceTime now) override {
    changes_.push_back({node.value(), now, "comes"});
  }
  void close() override {}
  void give_up() override {}

  std::vector<Change> changes_;

 private:
  SilentFleet fleet_;
};
using Change = ToldWorld::Change;

// Two machines; one task runs on each.
class CrashingFleetTest : public doubles::ToldEngine {
 protected:
  CrashingFleetTest() {
    build(std::make_unique<FirstFit>());
    join(0, 1);
    join(1, 1);
    submit(plain_job(0, now_, 2, seconds(100)));
  }
  void plan(std::vector<PlannedCrash> crashes) {
    fleet_.emplace(world_, std::move(crashes), *engine_);
  }
  TraceTime wait_until(TraceTime deadline) {
    Round round;
    fleet_->wait_until(deadline, round);
    fleet_->execute({}, {});
    return round.now;
  }
  void drain(std::uint32_t node) {
    arrive(AdministratorCommand{
        .kind = AdministratorCommandKind::drain, .node = NodeId(node), .grace = seconds(10)});
  }

  ToldWorld world_;
  std::optional<CrashingFleet> fleet_;
};

TEST_F(CrashingFleetTest, AMachineFailsAtItsTimeAndComesBackAfterAnother) {
  plan({{at_seconds(5), NodeId(1u), seconds(3)}, {at_seconds(6), NodeId(0u), std::nullopt}});
  EXPECT_TRUE(fleet_->expects_changes());
  EXPECT_EQ(wait_until(at_seconds(4)), at_seconds(4));
  EXPECT_EQ(wait_until(at_seconds(20)), at_seconds(5)) << "the wait ends when one is due";
  EXPECT_THAT(world_.changes_, IsEmpty());
  EXPECT_EQ(wait_until(at_seconds(20)), at_seconds(6));
  EXPECT_EQ(wait_until(at_seconds(20)), at_seconds(8));
  EXPECT_TRUE(fleet_->expects_changes()) << "the machine that is to come";
  EXPECT_EQ(wait_until(at_seconds(20)), at_seconds(20));
  EXPECT_THAT(world_.changes_,
              ElementsAre(Change{1, at_seconds(5), "falls"}, Change{0, at_seconds(6), "goes"},
                          Change{1, at_seconds(8), "comes"}));
  EXPECT_FALSE(fleet_->expects_changes());
}

TEST_F(CrashingFleetTest, OneFailsOnceAsSoonAsItHoldsWhatIsOwed) {
  plan({{std::nullopt, NodeId(), std::nullopt}});
  EXPECT_FALSE(fleet_->expects_changes()) << "it may never be";
  wait_until(at_seconds(4));
  EXPECT_THAT(world_.changes_, IsEmpty());
  drain(1);
  wait_until(at_seconds(5));
  drain(0);
  wait_until(at_seconds(6));
  EXPECT_THAT(world_.changes_, ElementsAre(Change{1, at_seconds(5), "goes"}));
}

TEST_F(CrashingFleetTest, OneThatIsNamedDoesNotFailForAnothersRequest) {
  plan({{std::nullopt, NodeId(0u), std::nullopt}});
  drain(1);
  wait_until(at_seconds(5));
  EXPECT_THAT(world_.changes_, IsEmpty());
  drain(0);
  wait_until(at_seconds(6));
  EXPECT_THAT(world_.changes_, ElementsAre(Change{0, at_seconds(6), "goes"}));
}

TEST_F(CrashingFleetTest, WhatIsBeingKilledIsOwedNoMore) {
  plan({{std::nullopt, NodeId(), std::nullopt}});
  drain(1);
  now_ = at_seconds(10);
  Round round = at();
  step(round);
  wait_until(at_seconds(11));
  EXPECT_THAT(world_.changes_, IsEmpty());
}

TEST_F(CrashingFleetTest, ItIsSaidOfEachThatDidNotComeAndOfNoOther) {
  plan({{at_seconds(5), NodeId(1u), std::nullopt},
        {at_seconds(90), NodeId(0u), std::nullopt},
        {std::nullopt, NodeId(), std::nullopt},
        {std::nullopt, NodeId(1u), std::nullopt}});
  wait_until(at_seconds(5));
  wait_until(at_seconds(6));
  drain(0);
  wait_until(at_seconds(7));
  EXPECT_THAT(fleet_->remarks({plain_machine(1, "a"), plain_machine(1, "b")}),
              ElementsAre("the crash of a at 90s did not happen: the run ended before",
                          "the crash of b during a preemption did not happen: none of its "
                          "containers was marked for preemption"));
}

TEST(PlannedCrashes, AreOfMachinesOfTheRun) {
  std::vector<CrashChoice> crashes = {{.at = at_seconds(1), .node = "b", .down = seconds(2)}, {}};
  const std::vector<Machine> machines{plain_machine(1, "a"), plain_machine(1, "b")};
  const std::vector<PlannedCrash> planned = planned_crashes(crashes, machines);
  ASSERT_EQ(planned.size(), 2u);
  EXPECT_EQ(planned[0].node, NodeId(1u));
  EXPECT_EQ(planned[0].at, at_seconds(1));
  EXPECT_EQ(planned[0].down, seconds(2));
  EXPECT_FALSE(planned[1].node.is_valid());
  crashes[0].node = "c";
  crashes[0].where = "x.toml:3: crash[0]";
  EXPECT_THAT([&] { planned_crashes(crashes, machines); },
              ThrowsMessage<InputError>(
                  HasSubstr("x.toml:3: crash[0]: expected `node` to be the name of one of the "
                            "run's 2 machines, got \"c\"")));
}

}  // namespace
}  // namespace tracebed
