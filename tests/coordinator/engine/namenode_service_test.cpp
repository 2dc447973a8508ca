// An engine with a namenode: what it answers, orders and ignores, and where jobs' input is.
#include "coordinator/engine/namenode_service.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

#include "coordinator/engine/told_engine.h"
#include "coordinator/storage/namenode_queries.h"

namespace tracebed {
namespace {

using doubles::FirstFit;
using doubles::plain_job;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class NamenodeServiceTest : public doubles::ToldEngine {
 protected:
  NamenodeServiceTest() { build_with(NamenodeOptions()); }
  void build_with(const std::optional<NamenodeOptions>& options,
                  std::unique_ptr<Scheduler> scheduler = std::make_unique<FirstFit>()) {
    EngineSetup setup;
    setup.scheduler = std::move(scheduler);
    setup.make_master = [this](ApplicationId id, Job& job, const ClusterModel& cluster) {
      submitted_ = job;
      return doubles::plain_master(id, job, cluster);
    };
    setup.storage = options;
    setup.paranoid = true;
    engine_ = std::make_unique<Engine>(std::move(setup), records_);
  }
  void tell(StorageInput input) {
    Round round = at();
    round.add_storage(std::move(input));
    step(round);
  }
  // Datanodes of so many nodes, each with plenty of room.
  void start(std::uint32_t nodes) {
    for (std::uint32_t i = 0; i < nodes; ++i) {
      join(i, 4);
      tell(DatanodeRegistered{NodeId(i)});
      tell(DatanodeHeartbeat{NodeId(i), {std::int64_t{1} << 40, 0, std::int64_t{1} << 40, 0}});
      tell(FullBlockReport{NodeId(i), {}});
    }
  }
  PreloadedFile file(const std::string& path, std::vector<std::vector<NodeId>> nodes,
                     std::int64_t size = 250) {
    return {
        .path = path, .size = size, .block_size = 100, .user = "hdfs", .nodes = std::move(nodes)};
  }
  Job reader(const std::string& path, std::uint32_t tasks) {
    Job job = plain_job(0, now_, tasks, seconds(10));
    job.stages[0].input_path = path;
    return job;
  }
  template <class Reply>
  std::vector<Reply> answers() const {
    std::vector<Reply> list;
    for (const AnswerDatanode& answer : sent<AnswerDatanode>()) {
      if (const auto* reply = std::get_if<Reply>(&answer.reply)) list.push_back(*reply);
    }
    return list;
  }
  const EngineCounters& counters() const { return engine_->counters(); }
  const NamenodeState& state() const { return engine_->namenode()->state(); }

  Job submitted_;
};

// A scheduler that reads where blocks are, and has nothing else to do.
class BlockReader final : public Scheduler {
 public:
  void decide(const SchedulerInput& input, Decisions& decisions) override {
    placer_.decide(input, decisions);
  }
  bool reads_input_blocks() const override { return true; }

 private:
  FirstFit placer_;
};

// Of 250 bytes in blocks of 100, the job reads all three blocks with two tasks.
TEST_F(NamenodeServiceTest, PutsTheBlocksOfTheInputIntoTheModel) {
  build_with(NamenodeOptions(), std::make_unique<BlockReader>());
  start(3);
  tell(file("/data", {{NodeId(0u), NodeId(1u)}, {NodeId(2u)}, {NodeId(1u)}}));
  submit(reader("/data", 2));
  const InputBlocks* const input = engine_->cluster().input_of(ApplicationId(0u));
  ASSERT_NE(input, nullptr);
  ASSERT_EQ(input->blocks(), 3u);
  EXPECT_EQ(input->nodes_of(0).size(), 2u);
  EXPECT_THAT(input->nodes_of(1), ElementsAre(NodeId(2u)));
  EXPECT_THAT(input->nodes_of(2), ElementsAre(NodeId(1u)));
}

TEST_F(NamenodeServiceTest, AnswersDatanodesThatHaveJoined) {
  join(0, 4);
  tell(DatanodeHeartbeat{NodeId(0u), {}});
  ASSERT_THAT(answers<HeartbeatReply>(), SizeIs(1));
  EXPECT_TRUE(answers<HeartbeatReply>()[0].must_register);
  tell(DatanodeRegistered{NodeId(0u)});
  EXPECT_THAT(commands_, IsEmpty());
  tell(DatanodeHeartbeat{NodeId(0u), {}});
  EXPECT_THAT(answers<HeartbeatReply>(), ElementsAre(HeartbeatReply()));
  tell(FullBlockReport{NodeId(0u), {{.block_id = 7, .generation_stamp = 1, .length = 3}}});
  ASSERT_THAT(answers<ReportReply>(), SizeIs(1));
  EXPECT_THAT(answers<ReportReply>()[0].unknown, ElementsAre(7u));
  EXPECT_EQ(counters().storage_inputs, 4u);
  EXPECT_EQ(counters().storage_inputs_ignored, 0u);
}

TEST_F(NamenodeServiceTest, TakesTheRackOfADatanodeFromItsNode) {
  start(1);
  EXPECT_EQ(state().datanodes.find(NodeId(0u))->rack, engine_->cluster().node(NodeId(0u)).rack);
}

TEST_F(NamenodeServiceTest, IgnoresAndCountsWhatIsAboutNodesThatNeverJoined) {
  join(2, 4);
  const Digest before = engine_->digest();
  for (const NodeId node : {NodeId(0u), NodeId(9u), NodeId(4'000'000'000u), NodeId()}) {
    tell(DatanodeRegistered{node});
    tell(DatanodeHeartbeat{node, {}});
    tell(FullBlockReport{node, {}});
    tell(IncrementalBlockReport{node, {}});
    tell(DatanodeGone{node});
    EXPECT_THAT(commands_, IsEmpty());
  }
  EXPECT_EQ(counters().storage_inputs_ignored, 20u);
  EXPECT_EQ(engine_->digest(), before);
}

TEST_F(NamenodeServiceTest, IgnoresFiguresThatNoDiskHas) {
  start(1);
  const ReportedReplica longer{.block_id = 1, .generation_stamp = 1, .length = -1};
  const std::int64_t huge = std::numeric_limits<std::int64_t>::max();
  tell(DatanodeHeartbeat{NodeId(0u), {-1, 0, 0, 0}});
  tell(DatanodeHeartbeat{NodeId(0u), {0, huge, 0, 0}});
  tell(DatanodeHeartbeat{NodeId(0u), {0, 0, huge, 0}});
  tell(FullBlockReport{NodeId(0u), {longer}});
  tell(IncrementalBlockReport{NodeId(0u), {{longer, false}}});
  EXPECT_THAT(commands_, IsEmpty());
  EXPECT_EQ(counters().storage_inputs_ignored, 5u);
}

TEST_F(NamenodeServiceTest, IgnoresEverythingInARunWithoutStorage) {
  build_with(std::nullopt);
  join(0, 4);
  tell(DatanodeRegistered{NodeId(0u)});
  tell(StorageCalled{1, {}});
  tell(file("/a", {}));
  EXPECT_THAT(commands_, IsEmpty());
  EXPECT_EQ(counters().storage_inputs_ignored, 3u);
  EXPECT_EQ(engine_->namenode(), nullptr);
  EXPECT_EQ(engine_->next_deadline(), never);
  Job job = reader("/nothing", 2);
  submit(job);
  EXPECT_EQ(submitted_.stages[0].input, InputFile());
}

TEST_F(NamenodeServiceTest, AnswersACallWithItsTicket) {
  start(1);
  StorageCall call{{.user = "hdfs", .client = "c"}, MakeDirectories{.path = "/a"}};
  tell(StorageCalled{77, call});
  EXPECT_THAT(sent<AnswerStorageCall>(),
              ElementsAre(AnswerStorageCall{77, StorageReply(Answer{true})}));
}

TEST_F(NamenodeServiceTest, AnswersAWriterWhenItsBlockIsReported) {
  NamenodeOptions options;
  options.safe_mode.at_start = false;
  build_with(options);
  start(1);
  const auto call = [&](StorageOperation operation) {
    tell(StorageCalled{7, {{.user = "u", .client = "writer"}, std::move(operation)}});
  };
  constexpr std::int64_t block_size = 1 << 20;
  call(CreateFile{.path = "/a", .replication = 1, .block_size = block_size});
  const OpenFileName file{"/a", std::get<FileStatus>(sent<AnswerStorageCall>()[0].reply).file_id};
  call(AddBlock{.file = file, .previous = std::nullopt, .excluded = {}});
  BlockName block = std::get<LocatedBlock>(sent<AnswerStorageCall>()[0].reply).block;
  block.length = 9;
  call(CompleteFile{file, block});
  EXPECT_THAT(sent<AnswerStorageCall>(), IsEmpty());
  tell(DatanodeHeartbeat{NodeId(0u), {}});
  EXPECT_THAT(sent<AnswerStorageCall>(), IsEmpty());
  const ReportedReplica replica{block.id, block.generation_stamp, 9, ReportedState::finalized};
  tell(IncrementalBlockReport{NodeId(0u), {{replica, false}}});
  EXPECT_THAT(sent<AnswerStorageCall>(),
              ElementsAre(AnswerStorageCall{7, StorageReply(Answer{true})}));
}

TEST_F(NamenodeServiceTest, AnswersAWriterWhoseBlockIsNotReportedAtItsDeadline) {
  NamenodeOptions options;
  options.safe_mode.at_start = false;
  options.report_wait = seconds(2);
  build_with(options);
  start(1);
  const auto call = [&](StorageOperation operation) {
    tell(StorageCalled{7, {{.user = "u", .client = "writer"}, std::move(operation)}});
  };
  call(CreateFile{.path = "/a", .replication = 1, .block_size = 1 << 20});
  const OpenFileName file{"/a", std::get<FileStatus>(sent<AnswerStorageCall>()[0].reply).file_id};
  call(AddBlock{.file = file, .previous = std::nullopt, .excluded = {}});
  const BlockName block = std::get<LocatedBlock>(sent<AnswerStorageCall>()[0].reply).block;
  call(CompleteFile{file, block});
  EXPECT_THAT(sent<AnswerStorageCall>(), IsEmpty());
  EXPECT_EQ(engine_->next_deadline(), now_ + seconds(2));
  now_ = engine_->next_deadline();
  Round round = at();
  step(round);
  EXPECT_THAT(sent<AnswerStorageCall>(),
              ElementsAre(AnswerStorageCall{7, StorageReply(Answer{false})}));
}

TEST_F(NamenodeServiceTest, OrdersEachDatanodeOnceToStoreTheRoundsFiles) {
  start(2);
  Round round = at();
  round.add_storage(file("/a", {{NodeId(1u)}, {NodeId(0u), NodeId(1u)}, {NodeId(1u)}}));
  round.add_storage(file("/b", {{NodeId(0u)}}, 10));
  step(round);
  const auto orders = sent<StoreReplicas>();
  ASSERT_THAT(orders, SizeIs(2));
  EXPECT_EQ(orders[0].node, NodeId(0u));
  ASSERT_THAT(orders[0].blocks, SizeIs(2));
  EXPECT_EQ(orders[0].blocks[0].length, 100);
  EXPECT_EQ(orders[0].blocks[1].length, 10);
  EXPECT_EQ(orders[1].node, NodeId(1u));
  ASSERT_THAT(orders[1].blocks, SizeIs(3));
  EXPECT_EQ(orders[1].blocks[2].length, 50);
  EXPECT_EQ(check_files(state(), "/")->minimally_replicated, 4u);
  EXPECT_THAT(engine_->refused_files(), IsEmpty());
}

// Of the kernel's data each block has its own part.
TEST_F(NamenodeServiceTest, OrdersTheDataOfAKernelWhereAPathNamesOne) {
  start(2);
  Round round = at();
  round.add_storage(file("/a", {{NodeId(0u)}}, 100));
  round.add_storage(
      file("/tracebed/kernels/wordcount/9", {{NodeId(0u)}, {NodeId(1u)}, {NodeId(0u)}}));
  round.add_storage(file("/b", {{NodeId(0u)}}, 10));
  step(round);
  const auto orders = sent<StoreReplicas>();
  ASSERT_THAT(orders, SizeIs(2));
  const auto kind = static_cast<std::uint8_t>(KernelKind::word_count);
  EXPECT_THAT(orders[0].datasets, ElementsAre(BlockDataset(), BlockDataset{kind, 9, 0},
                                              BlockDataset{kind, 9, 200}, BlockDataset()));
  EXPECT_THAT(orders[0].blocks, SizeIs(4));
  EXPECT_THAT(orders[1].datasets, ElementsAre(BlockDataset{kind, 9, 100}));
}

TEST_F(NamenodeServiceTest, KeepsWhyAFileCannotBeStored) {
  start(1);
  tell(file("/a", {{NodeId(0u)}, {NodeId(3u)}}));
  ASSERT_THAT(engine_->refused_files(), SizeIs(1));
  EXPECT_THAT(engine_->refused_files()[0], HasSubstr("/a: "));
  EXPECT_THAT(engine_->refused_files()[0], HasSubstr("has no datanode"));
}

TEST_F(NamenodeServiceTest, FindsASilentDatanodeDeadAtItsDeadline) {
  start(1);
  const TraceTime first = engine_->next_deadline();
  ASSERT_NE(first, never);
  while (state().datanodes.live() > 0 && now_ < TraceTime(seconds(3'600))) {
    now_ = engine_->next_deadline();
    Round round = at();
    step(round);
  }
  EXPECT_GT(now_, TraceTime() + DatanodeIntervals().until_dead());
  EXPECT_EQ(state().datanodes.live(), 0u);
}

// As when the coordinator was paused.
TEST_F(NamenodeServiceTest, HearsADatanodeThatIsInTheSameRoundAsItsDeadline) {
  start(1);
  now_ = TraceTime(seconds(3'600));
  tell(DatanodeHeartbeat{NodeId(0u), {}});
  EXPECT_EQ(state().datanodes.live(), 1u);
}

// ---- input of jobs ----

TEST_F(NamenodeServiceTest, LooksUpTheInputOfAJobsMaps) {
  start(3);
  tell(file("/a", {{NodeId(2u)}, {NodeId(0u), NodeId(2u)}, {NodeId(1u)}}));
  submit(reader("/a", 3));
  const Stage& stage = submitted_.stages[0];
  EXPECT_NE(stage.input.id, 0u);
  EXPECT_EQ(stage.input.size, 250);
  EXPECT_EQ(stage.input.block_size, 100);
  ASSERT_EQ(stage.places.ends.size(), 3u);
  const auto hosts = [&](std::uint32_t task) {
    std::vector<std::string> names;
    for (const std::uint32_t entry : stage.places.of(task)) {
      names.push_back(stage.places.hosts[entry]);
    }
    std::sort(names.begin(), names.end());
    return names;
  };
  EXPECT_THAT(hosts(0), ElementsAre("node2"));
  EXPECT_THAT(hosts(1), ElementsAre("node0", "node2"));
  EXPECT_THAT(hosts(2), ElementsAre("node1"));
}

TEST_F(NamenodeServiceTest, PlacesASplitWhereItsFirstBlockIs) {
  start(3);
  tell(file("/a", {{NodeId(2u)}, {NodeId(0u)}, {NodeId(1u)}}));
  submit(reader("/a", 2));  // the second from byte 125 on
  const InputPlaces& places = submitted_.stages[0].places;
  ASSERT_THAT(places.of(1), SizeIs(1));
  EXPECT_EQ(places.hosts[places.of(1).front()], "node0");
}

TEST_F(NamenodeServiceTest, NamesNoPlaceOfABlockWithoutADatanode) {
  start(2);
  tell(file("/a", {{NodeId(0u)}, {NodeId(1u)}, {NodeId(0u)}}));
  tell(DatanodeGone{NodeId(0u)});
  submit(reader("/a", 3));
  const InputPlaces& places = submitted_.stages[0].places;
  EXPECT_THAT(places.of(0), IsEmpty());
  EXPECT_THAT(places.of(1), SizeIs(1));
}

TEST_F(NamenodeServiceTest, FailsAJobWhoseInputDoesNotExist) {
  start(1);
  submit(reader("/logs/missing", 3));
  ASSERT_THAT(records_.jobs, SizeIs(1));
  EXPECT_EQ(records_.jobs[0].outcome, JobOutcome::failed);
  EXPECT_THAT(records_.jobs[0].diagnostics, HasSubstr("/logs/missing"));
  EXPECT_TRUE(engine_->is_idle());
  EXPECT_THAT(sent<LaunchContainer>(), IsEmpty());
}

// Also the end of the last record, which the trace's bytes cut off.
TEST_F(NamenodeServiceTest, HasTheTasksOfAJobRunTheKernelOnAllOfItsInput) {
  start(1);
  const std::string path = "/tracebed/kernels/terasort/6";
  tell(file(path, {{NodeId(0u)}, {NodeId(0u)}, {NodeId(0u)}}, 300));
  Job job = reader(path, 1);
  job.stages[0].runs[0].work.input_bytes = 250;
  submit(std::move(job));
  EXPECT_EQ(submitted_.stages[0].input.size, 300);
  const auto launched = sent<LaunchContainer>();
  ASSERT_THAT(launched, SizeIs(1));
  EXPECT_EQ(kernel_of(launched[0].work), (KernelJob{{KernelKind::terasort, 6}, 0, 300}));
  Job plain = reader("", 1);
  plain.id = JobId(1u);
  submit(std::move(plain));
  ASSERT_THAT(sent<LaunchContainer>(), SizeIs(1));
  EXPECT_EQ(kernel_of(sent<LaunchContainer>()[0].work), std::nullopt);
}

TEST_F(NamenodeServiceTest, LeavesJobsWithoutInputAsTheyAre) {
  start(1);
  submit(reader("", 1));
  EXPECT_EQ(submitted_.stages[0].input, InputFile());
  EXPECT_TRUE(submitted_.stages[0].places.is_empty());
  EXPECT_THAT(sent<LaunchContainer>(), SizeIs(1));
}

}  // namespace
}  // namespace tracebed
