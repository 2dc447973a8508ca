// What a task writes goes block by block through pipelines, when its work has made it, by the
// namenode's calls that a client of HDFS makes.
#include "coordinator/virtual/modelled_writes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/output_files.h"
#include "support/at_seconds.h"

namespace tracebed {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

constexpr NodeId here(0u);
constexpr NodeId near(1u);
constexpr NodeId far(2u);
constexpr std::int64_t block_bytes = 100;

// Receives what the test says.
class ScriptedTargets final : public ModelledWrites::Datanodes {
 public:
  struct Receiving {
    NodeId target;
    std::int64_t bytes = 0;
    TraceTime due;
    bool operator==(const Receiving&) const = default;
  };
  bool is_up(NodeId node) const override { return up[node.index()]; }
  std::uint64_t begin_write(NodeId from, NodeId target, const FlowDemand& demand,
                            TraceTime /*now*/) override {
    receivings.push_back({target, demand.bytes, demand.due});
    weights.push_back(demand.weight);
    senders.push_back(from);
    return receivings.size() - 1;
  }
  void pace(std::uint64_t transfer, TraceTime due, TraceTime /*now*/) override {
    receivings.at(transfer).due = due;
  }
  std::int64_t cancel_write(std::uint64_t transfer, TraceTime /*now*/) override {
    cancelled.push_back(transfer);
    return received_of_cancelled;
  }
  void store(NodeId target, const BlockName& block) override { stored.push_back({target, block}); }

  bool up[3] = {true, true, true};
  std::vector<Receiving> receivings;
  std::vector<NodeId> senders;  // of these
  std::vector<double> weights;  // likewise
  std::vector<std::uint64_t> cancelled;
  std::int64_t received_of_cancelled = 0;
  std::vector<std::pair<NodeId, BlockName>> stored;
};

class ModelledWritesTest : public testing::Test {
 protected:
  void plan(std::int64_t bytes) {
    TaskWork work;
    work.output_replication = 2;
    work.output_job = 3;
    work.output_part = output_part_of({1, 4});
    work.output_length = bytes;
    work.io_weight = weight_;
    writes_.plan(task_, here, work);
  }
  // The one call that waits.
  template <class Operation>
  Operation called(std::int64_t now) {
    const std::vector<StorageCalled> calls = writes_.take_calls(at_seconds(now));
    EXPECT_THAT(calls, SizeIs(1));
    if (calls.size() != 1) return {};
    ticket_ = calls[0].ticket;
    caller_ = calls[0].call.caller;
    const auto* operation = std::get_if<Operation>(&calls[0].call.operation);
    EXPECT_NE(operation, nullptr) << calls[0].call.operation.index();
    return operation == nullptr ? Operation() : *operation;
  }
  void answer(StorageReply reply, std::int64_t now) {
    writes_.answered({ticket_, std::move(reply)}, at_seconds(now));
  }
  void create(std::int64_t now) {
    called<CreateFile>(now);
    FileStatus status;
    status.file_id = 77;
    answer(status, now);
  }
  void add_block(std::uint64_t id, std::vector<NodeId> nodes, std::int64_t now) {
    called<AddBlock>(now);
    answer(LocatedBlock{.block = {.id = id, .generation_stamp = 5}, .nodes = std::move(nodes)},
           now);
  }
  std::vector<bool> outcomes() {
    std::vector<bool> failed;
    for (const auto& outcome : writes_.take_outcomes())
      failed.push_back(outcome.failure.has_value());
    return failed;
  }

  ContainerId task_{7u};
  std::int64_t weight_ = 0;
  std::vector<Machine> machines_ = std::vector<Machine>(3);
  ScriptedTargets targets_;
  ModelledWrites writes_{machines_, block_bytes, targets_};
  std::uint64_t ticket_ = 0;
  StorageCaller caller_;
};

using Receiving = ScriptedTargets::Receiving;

TEST_F(ModelledWritesTest, GoBlockByBlockToAllOfAPipelineWhenTheWorkHasMadeThem) {
  plan(150);
  writes_.start(task_, at_seconds(10), at_seconds(25));
  const auto created = called<CreateFile>(10);
  EXPECT_EQ(created.path, "/tracebed/3/output/_temporary/container-7-part-00001-00004");
  EXPECT_EQ(created.replication, 2u);
  EXPECT_EQ(created.block_size, block_bytes);
  EXPECT_EQ(caller_.client, "tracebed-task-7");
  EXPECT_EQ(caller_.node, here);
  FileStatus status;
  status.file_id = 77;
  answer(status, 10);
  EXPECT_EQ(called<AddBlock>(10).file.file_id, 77u);
  answer(LocatedBlock{.block = {.id = 1}, .nodes = {here, far}}, 10);
  writes_.received(0);
  EXPECT_THAT(targets_.stored, IsEmpty()) << "the other one has not all of it";
  writes_.received(1);
  EXPECT_EQ(called<AddBlock>(20).previous, (BlockName{1, 0, 100}));
  answer(LocatedBlock{.block = {.id = 2}, .nodes = {near, far}}, 20);
  // Of 15 s and 150 bytes: 100 and all.
  EXPECT_THAT(targets_.receivings,
              ElementsAre(Receiving{here, 100, at_seconds(20)}, Receiving{far, 100, at_seconds(20)},
                          Receiving{near, 50, at_seconds(25)}, Receiving{far, 50, at_seconds(25)}));
  EXPECT_THAT(targets_.senders, ElementsAre(here, here, here, near))
      << "each is the one before in the pipeline";
  writes_.received(2);
  writes_.received(3);
  EXPECT_EQ(called<CompleteFile>(25).last, (BlockName{2, 0, 50}));
  EXPECT_THAT(outcomes(), IsEmpty());
  EXPECT_TRUE(writes_.is_writing(task_));
  answer(Answer{true}, 25);
  EXPECT_THAT(outcomes(), ElementsAre(false));
  EXPECT_FALSE(writes_.is_writing(task_));
  EXPECT_THAT(targets_.stored, SizeIs(4));
  EXPECT_EQ(writes_.end(task_, at_seconds(25)), 150);
  EXPECT_EQ(writes_.end(task_, at_seconds(25)), 0) << "it has ended";
}

TEST_F(ModelledWritesTest, ShareLinksByTheWeightOfTheirTask) {
  weight_ = 250;
  plan(50);
  writes_.start(task_, at_seconds(0), at_seconds(10));
  create(0);
  add_block(1, {here, far}, 0);
  EXPECT_THAT(targets_.weights, ElementsAre(0.25, 0.25)) << "in the whole pipeline";
}

// When a third of the work is done, the rest is to take twice as long: until 50 s.
TEST_F(ModelledWritesTest, GoAlongWithWorkThatBecomesSlower) {
  plan(150);
  writes_.start(task_, at_seconds(0), at_seconds(30));
  create(0);
  add_block(1, {here, far}, 0);
  writes_.pace(task_, seconds(60), at_seconds(50), at_seconds(10));
  EXPECT_THAT(targets_.receivings, ElementsAre(Receiving{here, 100, at_seconds(30)},
                                               Receiving{far, 100, at_seconds(30)}));
}

TEST_F(ModelledWritesTest, AreClosedWithWhatATaskHasMadeThatStopsEarly) {
  plan(150);
  writes_.start(task_, at_seconds(0), at_seconds(30));
  create(0);
  add_block(1, {here}, 0);
  targets_.received_of_cancelled = 60;
  writes_.close(task_, 70, at_seconds(14));
  EXPECT_EQ(called<CompleteFile>(14).last, (BlockName{1, 5, 60}))
      << "the datanode had no more of it";
  answer(Answer{true}, 14);
  EXPECT_THAT(outcomes(), ElementsAre(false));
  EXPECT_EQ(writes_.end(task_, at_seconds(14)), 60);
}

TEST_F(ModelledWritesTest, LeaveNoBlockWithoutBytes) {
  plan(150);
  writes_.start(task_, at_seconds(0), at_seconds(30));
  create(0);
  add_block(1, {here}, 0);
  writes_.close(task_, 70, at_seconds(0));
  EXPECT_EQ(called<AbandonBlock>(0).block.id, 1u);
  answer(Done{}, 0);
  EXPECT_EQ(called<CompleteFile>(0).last, std::nullopt);
  answer(Answer{true}, 0);
  EXPECT_EQ(writes_.end(task_, at_seconds(0)), 0);
}

TEST_F(ModelledWritesTest, OfATaskThatNeverBeganMakeNoFile) {
  plan(150);
  writes_.close(task_, 0, at_seconds(3));
  EXPECT_THAT(writes_.take_calls(at_seconds(3)), IsEmpty());
  EXPECT_THAT(outcomes(), ElementsAre(false));
  EXPECT_EQ(writes_.end(task_, at_seconds(3)), 0);
}

TEST_F(ModelledWritesTest, GoOnInTheRestOfAPipelineWhenAMachineFails) {
  plan(80);
  writes_.start(task_, at_seconds(0), at_seconds(8));
  create(0);
  add_block(1, {near, far}, 0);
  writes_.leave(far, at_seconds(2));
  EXPECT_THAT(targets_.cancelled, ElementsAre(1));
  EXPECT_EQ(called<UpdateBlockForPipeline>(2).block, (BlockName{1, 5, 0}));
  writes_.received(0);
  EXPECT_THAT(targets_.stored, IsEmpty()) << "the pipeline is being updated";
  answer(LocatedBlock{.block = {.id = 1, .generation_stamp = 9}}, 2);
  const auto updated = called<UpdatePipeline>(2);
  EXPECT_EQ(updated.old_block.generation_stamp, 5u);
  EXPECT_EQ(updated.new_block.generation_stamp, 9u);
  EXPECT_THAT(updated.nodes, ElementsAre(near));
  answer(Done{}, 2);
  EXPECT_THAT(targets_.stored, ElementsAre(std::pair(near, BlockName{1, 9, 80})));
  EXPECT_EQ(called<CompleteFile>(8).last, (BlockName{1, 9, 80}));
}

TEST_F(ModelledWritesTest, UpdateAPipelineAgainThatLosesAnotherMeanwhile) {
  plan(80);
  writes_.start(task_, at_seconds(0), at_seconds(8));
  create(0);
  add_block(1, {here, near, far}, 0);
  writes_.leave(far, at_seconds(2));
  called<UpdateBlockForPipeline>(2);
  writes_.leave(near, at_seconds(2));
  answer(LocatedBlock{.block = {.id = 1, .generation_stamp = 9}}, 2);
  called<UpdatePipeline>(2);
  answer(Done{}, 2);
  EXPECT_EQ(called<UpdateBlockForPipeline>(2).block.generation_stamp, 9u);
  answer(LocatedBlock{.block = {.id = 1, .generation_stamp = 10}}, 2);
  EXPECT_THAT(called<UpdatePipeline>(2).nodes, ElementsAre(here));
}

TEST_F(ModelledWritesTest, FailWithTheLastDatanodeOfAPipeline) {
  plan(80);
  writes_.start(task_, at_seconds(0), at_seconds(8));
  create(0);
  add_block(1, {near}, 0);
  targets_.received_of_cancelled = 20;
  writes_.leave(near, at_seconds(2));
  EXPECT_THAT(outcomes(), ElementsAre(true));
  EXPECT_THAT(writes_.take_calls(at_seconds(2)), IsEmpty());
  EXPECT_EQ(writes_.end(task_, at_seconds(2)), 0);
}

TEST_F(ModelledWritesTest, FailWhenTheNamenodeRefuses) {
  plan(80);
  writes_.start(task_, at_seconds(0), at_seconds(8));
  called<CreateFile>(0);
  answer(StorageFailure{StorageFailureKind::io, "no"}, 0);
  EXPECT_THAT(outcomes(), ElementsAre(true));
}

TEST_F(ModelledWritesTest, WaitWhileTheNamenodeIsInSafeMode) {
  plan(80);
  writes_.start(task_, at_seconds(0), at_seconds(8));
  called<CreateFile>(0);
  answer(StorageFailure{StorageFailureKind::safe_mode, "safe"}, 0);
  EXPECT_THAT(outcomes(), IsEmpty());
  EXPECT_EQ(writes_.next_call(at_seconds(0)), at_seconds(1));
  called<CreateFile>(1);
}

TEST_F(ModelledWritesTest, MakeNoFileForATaskThatStopsWhileTheyWait) {
  plan(80);
  writes_.start(task_, at_seconds(0), at_seconds(8));
  called<CreateFile>(0);
  answer(StorageFailure{StorageFailureKind::safe_mode, "safe"}, 0);
  writes_.close(task_, 70, at_seconds(0));
  EXPECT_THAT(outcomes(), ElementsAre(false));
  EXPECT_THAT(writes_.take_calls(at_seconds(1)), IsEmpty());
  EXPECT_EQ(writes_.end(task_, at_seconds(1)), 0);
}

TEST_F(ModelledWritesTest, AskAgainForAFileToBeClosedThatWaitsForReplicas) {
  plan(80);
  writes_.start(task_, at_seconds(0), at_seconds(8));
  create(0);
  add_block(1, {near}, 0);
  writes_.received(0);
  called<CompleteFile>(8);
  answer(Answer{false}, 8);
  EXPECT_THAT(writes_.take_calls(at_seconds(8)), IsEmpty());
  EXPECT_EQ(writes_.next_call(at_seconds(8)), at_seconds(9));
  called<CompleteFile>(9);
}

TEST_F(ModelledWritesTest, RenewTheirLease) {
  plan(80);
  writes_.start(task_, at_seconds(0), at_seconds(80));
  create(0);
  add_block(1, {near}, 0);
  EXPECT_EQ(writes_.next_call(at_seconds(1)), at_seconds(30));
  called<RenewLease>(30);
  EXPECT_EQ(caller_.client, "tracebed-task-7");
  called<RenewLease>(60);
  writes_.end(task_, at_seconds(61));
  EXPECT_THAT(writes_.take_calls(at_seconds(90)), IsEmpty());
}

TEST_F(ModelledWritesTest, TakeNoTimeWhereTheyAreUntimed) {
  plan(150);
  EXPECT_FALSE(writes_.has_begun(task_));
  writes_.start_untimed(task_, 120, at_seconds(9));
  EXPECT_TRUE(writes_.has_begun(task_));
  create(9);
  add_block(1, {near}, 9);
  EXPECT_THAT(targets_.receivings, ElementsAre(Receiving{near, 0, at_seconds(9)}));
  writes_.received(0);
  add_block(2, {near}, 9);
  writes_.received(1);
  EXPECT_EQ(called<CompleteFile>(9).last, (BlockName{2, 5, 20}));
  answer(Answer{true}, 9);
  EXPECT_EQ(writes_.end(task_, at_seconds(9)), 120);
}

TEST_F(ModelledWritesTest, OfAMachineThatFailsAreForgotten) {
  plan(150);
  writes_.start(task_, at_seconds(0), at_seconds(30));
  create(0);
  add_block(1, {near}, 0);
  writes_.leave(here, at_seconds(1));
  EXPECT_THAT(targets_.cancelled, ElementsAre(0));
  EXPECT_THAT(outcomes(), IsEmpty());
  writes_.end(task_, at_seconds(1));
  EXPECT_FALSE(writes_.has_begun(task_));
}

}  // namespace
}  // namespace tracebed
