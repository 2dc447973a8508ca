// What a task reads comes block by block, when its work needs it, from a replica that is up; it is
// counted by distance, for the task and at the datanodes alike.
#include "coordinator/virtual/modelled_reads.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/at_seconds.h"

namespace tracebed {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr NodeId here(0u);
constexpr NodeId near(1u);
constexpr NodeId far(2u);

std::vector<Machine> machines() {
  std::vector<Machine> list(3);
  list[0].rack = list[1].rack = "/a";
  list[2].rack = "/b";
  return list;
}

LocatedBlock block(std::int64_t offset, std::int64_t length, std::vector<NodeId> nodes) {
  return {.block = {.id = 1, .length = length}, .offset = offset, .nodes = std::move(nodes)};
}

// Sends what the test says.
class ScriptedDatanodes final : public ModelledReads::Datanodes {
 public:
  struct Sending {
    NodeId server;
    std::int64_t bytes = 0;
    TraceTime due;
    bool operator==(const Sending&) const = default;
  };
  bool is_up(NodeId node) const override { return up[node.index()]; }
  std::uint64_t begin_read(NodeId server, NodeId /*reader*/, const FlowDemand& demand,
                           TraceTime /*now*/) override {
    sendings.push_back({server, demand.bytes, demand.due});
    weights.push_back(demand.weight);
    return sendings.size() - 1;
  }
  std::uint64_t begin_memory_read(NodeId server, NodeId reader, const FlowDemand& demand,
                                  TraceTime now) override {
    from_memory.push_back(begin_read(server, reader, demand, now));
    return from_memory.back();
  }
  void pace(std::uint64_t transfer, TraceTime due, TraceTime /*now*/) override {
    sendings.at(transfer).due = due;
  }
  std::int64_t cancel_read(std::uint64_t transfer, TraceTime /*now*/) override {
    cancelled.push_back(transfer);
    return sent_of_cancelled;
  }
  std::int64_t sent_so_far(std::uint64_t, TraceTime) const override { return sent_of_running; }

  bool up[3] = {true, true, true};
  std::vector<Sending> sendings;
  std::vector<double> weights;             // of these
  std::vector<std::uint64_t> from_memory;  // likewise
  std::vector<std::uint64_t> cancelled;
  std::int64_t sent_of_cancelled = 0;
  std::int64_t sent_of_running = 0;
};

class ModelledReadsTest : public testing::Test {
 protected:
  bool plan(const std::vector<LocatedBlock>& located, std::int64_t offset, std::int64_t length) {
    return reads_.plan(task_, here, {located, offset, length, memory_, weight_});
  }
  void start(std::int64_t now, std::int64_t due) {
    reads_.start(task_, at_seconds(now), at_seconds(due), outcomes_);
  }
  void sent(std::uint64_t transfer, std::int64_t now) {
    reads_.sent(transfer, at_seconds(now), outcomes_);
  }
  ContainerId task_{7u};
  std::optional<NodeId> memory_;
  double weight_ = 1;
  ScriptedDatanodes datanodes_;
  ModelledReads reads_{machines(), datanodes_};
  std::vector<ModelledReads::Outcome> outcomes_;
};

TEST_F(ModelledReadsTest, ComeBlockByBlockWhenTheWorkNeedsThem) {
  ASSERT_TRUE(
      plan({block(0, 100, {near}), block(100, 100, {here, far}), block(200, 50, {far})}, 30, 200));
  EXPECT_THAT(datanodes_.sendings, IsEmpty());
  start(10, 30);
  sent(0, 17);
  sent(1, 28);
  EXPECT_TRUE(reads_.is_reading(task_));
  // Of 20 s and 200 bytes: 70, 170 and all 200.
  using Sending = ScriptedDatanodes::Sending;
  EXPECT_THAT(datanodes_.sendings,
              ElementsAre(Sending{near, 70, at_seconds(17)}, Sending{here, 100, at_seconds(27)},
                          Sending{far, 30, at_seconds(30)}));
  EXPECT_THAT(outcomes_, IsEmpty());
  sent(2, 31);
  ASSERT_EQ(outcomes_.size(), 1u);
  EXPECT_EQ(outcomes_[0].container, task_);
  EXPECT_FALSE(outcomes_[0].has_failed);
  EXPECT_FALSE(reads_.is_reading(task_));
  EXPECT_EQ(reads_.end(task_, at_seconds(31)), (ReadBytes{100, 70, 30}));
  EXPECT_EQ(reads_.sent_by(far), (ReadBytes{0, 0, 30}));
  EXPECT_EQ(reads_.sent(), (ReadBytes{100, 70, 30}));
  EXPECT_EQ(reads_.end(task_, at_seconds(31)), ReadBytes()) << "it has ended";
}

TEST_F(ModelledReadsTest, ShareLinksByTheWeightOfTheirTask) {
  ASSERT_TRUE(plan({block(0, 100, {near})}, 0, 100));
  start(0, 10);
  ASSERT_TRUE(reads_.end(task_, at_seconds(1)) == ReadBytes());
  weight_ = 0.25;
  ASSERT_TRUE(plan({block(0, 100, {near}), block(100, 100, {far})}, 0, 200));
  start(1, 10);
  sent(1, 6);
  EXPECT_THAT(datanodes_.weights, ElementsAre(1, 0.25, 0.25));
}

// When a quarter of the work is done, the rest is to take twice as long: until 75 s.
TEST_F(ModelledReadsTest, GoAlongWithWorkThatBecomesSlower) {
  ASSERT_TRUE(plan({block(0, 100, {near}), block(100, 100, {far})}, 0, 200));
  reads_.pace(task_, seconds(80), at_seconds(75), at_seconds(0));  // it has not begun
  start(5, 45);
  reads_.pace(task_, seconds(80), at_seconds(75), at_seconds(15));
  EXPECT_EQ(datanodes_.sendings.at(0).due, at_seconds(35)) << "when half of it is done";
  sent(0, 35);
  EXPECT_EQ(datanodes_.sendings.at(1).due, at_seconds(75));
}

TEST_F(ModelledReadsTest, AreCountedUntilTheTaskIsEnded) {
  ASSERT_TRUE(plan({block(0, 100, {here}), block(100, 100, {far})}, 0, 200));
  start(0, 10);
  sent(0, 5);
  datanodes_.sent_of_cancelled = 20;
  EXPECT_EQ(reads_.end(task_, at_seconds(6)), (ReadBytes{100, 0, 20}));
  EXPECT_THAT(datanodes_.cancelled, ElementsAre(1));
  EXPECT_EQ(reads_.sent(), (ReadBytes{100, 0, 20}));
}

TEST_F(ModelledReadsTest, OfATaskThatNeverBeganAreNone) {
  ASSERT_TRUE(plan({block(0, 100, {here})}, 0, 100));
  EXPECT_EQ(reads_.end(task_, at_seconds(3)), ReadBytes());
  EXPECT_THAT(datanodes_.cancelled, IsEmpty());
}

TEST_F(ModelledReadsTest, TakeNoTimeWhereTheyAreNotStarted) {
  ASSERT_TRUE(plan({block(0, 100, {here}), block(100, 100, {far})}, 0, 200));
  EXPECT_EQ(reads_.end_untimed(task_, 120), (ReadBytes{100, 0, 20}));
  EXPECT_EQ(reads_.sent(), (ReadBytes{100, 0, 20}));
}

// The machine whose executor has the file fails after 30 of 100 bytes: the rest is read from a
// disk.
TEST_F(ModelledReadsTest, ComeFromTheMemoryOfAMachineAsLongAsItIsUp) {
  memory_ = near;
  ASSERT_TRUE(plan({block(0, 100, {far}), block(100, 100, {far})}, 0, 200));
  start(0, 20);
  EXPECT_THAT(datanodes_.from_memory, ElementsAre(0));
  sent(0, 10);
  EXPECT_THAT(datanodes_.from_memory, ElementsAre(0, 1));
  datanodes_.up[near.index()] = false;
  datanodes_.sent_of_cancelled = 30;
  reads_.leave(near, at_seconds(13), outcomes_);
  EXPECT_THAT(datanodes_.from_memory, ElementsAre(0, 1));
  using Sending = ScriptedDatanodes::Sending;
  EXPECT_EQ(datanodes_.sendings.back(), (Sending{far, 70, at_seconds(20)}));
  sent(2, 20);
  ASSERT_EQ(outcomes_.size(), 1u);
  EXPECT_FALSE(outcomes_[0].has_failed);
  EXPECT_EQ(reads_.end(task_, at_seconds(20)), (ReadBytes{0, 0, 70})) << "what disks gave counts";
  EXPECT_EQ(reads_.sent(), (ReadBytes{0, 0, 70}));
}

TEST_F(ModelledReadsTest, GoOnAtTheNextReplicaWhenAMachineFails) {
  datanodes_.up[here.index()] = false;
  ASSERT_TRUE(plan({block(0, 100, {here, near, far})}, 0, 100));
  start(0, 10);
  datanodes_.up[near.index()] = false;
  datanodes_.sent_of_cancelled = 30;
  reads_.leave(near, at_seconds(3), outcomes_);
  using Sending = ScriptedDatanodes::Sending;
  EXPECT_THAT(datanodes_.sendings,
              ElementsAre(Sending{near, 100, at_seconds(10)}, Sending{far, 70, at_seconds(10)}));
  sent(1, 9);
  EXPECT_EQ(reads_.end(task_, at_seconds(10)), (ReadBytes{0, 30, 70}));
}

TEST_F(ModelledReadsTest, FailWhenNoReplicaIsLeft) {
  ASSERT_TRUE(plan({block(0, 100, {near})}, 0, 100));
  start(0, 10);
  datanodes_.up[near.index()] = false;
  datanodes_.sent_of_cancelled = 30;
  reads_.leave(near, at_seconds(3), outcomes_);
  ASSERT_EQ(outcomes_.size(), 1u);
  EXPECT_TRUE(outcomes_[0].has_failed);
  EXPECT_EQ(reads_.end(task_, at_seconds(3)), (ReadBytes{0, 30, 0}));
}

TEST_F(ModelledReadsTest, TellWhichPartHasCome) {
  EXPECT_EQ(reads_.part_read(task_, at_seconds(0)), 1) << "of a task that reads nothing";
  ASSERT_TRUE(plan({block(0, 100, {here}), block(100, 100, {far})}, 0, 200));
  EXPECT_EQ(reads_.part_read(task_, at_seconds(0)), 0);
  start(0, 10);
  datanodes_.sent_of_running = 50;
  EXPECT_EQ(reads_.part_read(task_, at_seconds(2)), 0.25);
  sent(0, 5);
  EXPECT_EQ(reads_.part_read(task_, at_seconds(7)), 0.75);
  sent(1, 10);
  EXPECT_EQ(reads_.part_read(task_, at_seconds(10)), 1);
}

TEST_F(ModelledReadsTest, AreRefusedWhereABlockCannotBeRead) {
  EXPECT_FALSE(plan({}, 0, 100));
  EXPECT_FALSE(plan({block(0, 60, {here})}, 0, 100)) << "the file is shorter";
  EXPECT_FALSE(plan({block(0, 60, {here}), block(60, 60, {})}, 0, 100));
  LocatedBlock corrupt = block(0, 100, {here});
  corrupt.is_corrupt = true;
  EXPECT_FALSE(plan({corrupt}, 0, 100));
  datanodes_.up[here.index()] = false;
  EXPECT_FALSE(plan({block(0, 100, {here})}, 0, 100));
  EXPECT_FALSE(reads_.is_reading(task_));
  EXPECT_EQ(reads_.sent(), ReadBytes());
}

}  // namespace
}  // namespace tracebed
