// Random writers that die, pipelines that break and datanodes that flap, with at most two of nine
// datanodes down at a time: what a writer was acknowledged keeps a good replica, and files are
// closed with at least that length. The same inputs give the same state.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coordinator/storage/namenode_queries.h"
#include "coordinator/storage/served_namenode.h"
#include "core/random.h"

namespace tracebed {
namespace {

class WritingSimulation {
 public:
  explicit WritingSimulation(std::uint64_t seed)
      : random_(Random::stream(seed, "writers and failures")),
        served_(nodes, test::ServedNamenode::options_for_tests(seed)) {}

  void run(int steps) {
    for (int i = 0; i < steps && !testing::Test::HasFailure(); ++i) {
      fail();
      for (Writer& writer : writers_) write(writer);
      if (writers_.size() < 30 && random_.chance(0.3)) open();
      served_.pass(3);
      for (const Writer& writer : writers_) check(writer);
    }
  }
  // All datanodes are back and no writer renews its lease: every file is closed and replicated.
  void settle() {
    for (unsigned i = 0; i < nodes; ++i) {
      if (!served_.is_up(NodeId(i))) served_.start(NodeId(i));
    }
    for (Writer& writer : writers_) writer.is_writing = false;
    served_.pass(4'500);
    for (const Writer& writer : writers_) {
      check(writer);
      EXPECT_TRUE(*is_file_closed(served_.namenode_.state(), writer.path)) << writer.path;
    }
    const FileHealth health = *check_files(served_.namenode_.state(), "/");
    EXPECT_EQ(health.under_replicated + health.missing + health.corrupt_replicas, 0u);
    EXPECT_EQ(health.over_replicated, 0u);
  }
  Digest digest() const { return served_.namenode_.digest(); }

 private:
  static constexpr unsigned nodes = 9;
  static constexpr std::int64_t block_size = 100;

  struct Writer {
    std::string name;
    std::string path;
    bool is_writing = true;
    std::optional<LocatedBlock> block;  // with the length that was written
    std::int64_t acknowledged = 0;
  };

  void fail() {
    const NodeId node(static_cast<unsigned>(random_.below(nodes)));
    unsigned down = 0;
    for (unsigned i = 0; i < nodes; ++i) down += served_.is_up(NodeId(i)) ? 0u : 1u;
    if (served_.is_up(node) && down < 2 && random_.chance(0.1)) served_.stop(node);
    if (!served_.is_up(node) && random_.chance(0.2)) served_.start(node);
  }

  void open() {
    Writer writer;
    writer.name = "writer" + std::to_string(writers_.size());
    writer.path = "/files/" + writer.name;
    const auto reply =
        served_.call(writer.name, CreateFile{.path = writer.path, .block_size = block_size});
    EXPECT_TRUE(std::holds_alternative<FileStatus>(reply));
    writers_.push_back(writer);
  }

  bool is_pipeline_up(const Writer& writer) const {
    const auto& pipeline = writer.block->nodes;
    return std::all_of(pipeline.begin(), pipeline.end(), [&](NodeId node) {
      const ReportedReplica* replica = served_.replica_on(node, writer.block->block.id);
      const bool is_new = writer.block->block.length == 0;
      return served_.is_up(node) &&
             (replica == nullptr ? is_new : replica->state == ReportedState::being_written);
    });
  }
  void put(const Writer& writer, ReportedState state) {
    for (const NodeId node : writer.block->nodes) {
      const BlockName& block = writer.block->block;
      served_.store(node, {block.id, block.generation_stamp, block.length, state});
    }
  }

  // DataStreamer: the rest of the pipeline goes on with a new stamp. False if there is no rest.
  bool mend(Writer& writer) {
    LocatedBlock& block = *writer.block;
    std::vector<NodeId> rest;
    for (const NodeId node : block.nodes) {
      const ReportedReplica* replica = served_.replica_on(node, block.block.id);
      const bool is_good = replica != nullptr && replica->state == ReportedState::being_written;
      if (served_.is_up(node) && (is_good || block.block.length == 0)) rest.push_back(node);
    }
    if (rest.empty()) return false;
    const auto reply = served_.call(writer.name, UpdateBlockForPipeline{block.block});
    if (!std::holds_alternative<LocatedBlock>(reply)) return false;
    const BlockName before = block.block;
    block.block.generation_stamp = std::get<LocatedBlock>(reply).block.generation_stamp;
    block.nodes = rest;
    put(writer, ReportedState::being_written);
    return served_.call(writer.name, UpdatePipeline{before, block.block, rest}) ==
           StorageReply(Done{});
  }

  void write(Writer& writer) {
    if (!writer.is_writing) return;
    served_.call(writer.name, RenewLease{});
    if (random_.chance(0.02)) {  // it dies, and stays silent
      writer.is_writing = false;
      return;
    }
    const bool is_full = writer.block && writer.block->block.length == block_size;
    if (!writer.block || is_full) return add(writer);
    if (!is_pipeline_up(writer) && !mend(writer)) {
      writer.is_writing = false;
      return;
    }
    const std::int64_t more = std::min<std::int64_t>(
        1 + static_cast<std::int64_t>(random_.below(60)), block_size - writer.block->block.length);
    writer.block->block.length += more;
    const bool is_last = writer.block->block.length == block_size || random_.chance(0.1);
    put(writer, is_last ? ReportedState::finalized : ReportedState::being_written);
    writer.acknowledged += more;
    if (!is_last || writer.block->block.length == block_size) return;
    writer.is_writing = false;
    const auto reply =
        served_.call(writer.name, CompleteFile{{writer.path, 0}, writer.block->block});
    EXPECT_EQ(reply, StorageReply(Answer{true}));
  }
  void add(Writer& writer) {
    AddBlock call{.file = {writer.path, 0}, .previous = {}, .excluded = {}};
    if (writer.block) call.previous = writer.block->block;
    const auto reply = served_.call(writer.name, call);
    const auto* added = std::get_if<LocatedBlock>(&reply);
    if (added == nullptr) return;  // not replicated yet: later
    EXPECT_EQ(served_.call(writer.name, call), reply) << "repeated";
    writer.block = *added;
  }

  // Bytes of the file's blocks of which some disk has a replica that the namenode takes as good.
  std::int64_t bytes_kept(const std::string& path) const {
    const NamenodeState& state = served_.namenode_.state();
    std::int64_t kept = 0;
    for (const BlockIndex index : state.tree.inode(**state.tree.find(path)).file.blocks) {
      const Block& block = state.blocks.block(index);
      std::int64_t longest = 0;
      for (unsigned i = 0; i < nodes; ++i) {
        const ReportedReplica* replica = served_.replica_on(NodeId(i), id_of(index));
        if (replica == nullptr || replica->generation_stamp < block.generation_stamp) continue;
        if (block.has_final_length() && replica->length != block.length) continue;
        longest = std::max(longest, replica->length);
      }
      kept += longest;
    }
    return kept;
  }
  void check(const Writer& writer) const {
    EXPECT_GE(bytes_kept(writer.path), writer.acknowledged) << writer.path;
    if (!*is_file_closed(served_.namenode_.state(), writer.path)) return;
    EXPECT_GE((*file_info(served_.namenode_.state(), writer.path))->length, writer.acknowledged)
        << writer.path;
  }

  Random random_;
  test::ServedNamenode served_;
  std::vector<Writer> writers_;
};

TEST(NamenodeSimulation, KeepsWhatWasAcknowledgedAndSettlesUnderManySeeds) {
  for (std::uint64_t seed = 1; seed <= 20 && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    WritingSimulation simulation(seed);
    simulation.run(400);
    simulation.settle();
  }
}

TEST(NamenodeSimulation, GivesTheSameStateFromTheSameInputs) {
  const auto digest_of = [](std::uint64_t seed) {
    WritingSimulation simulation(seed);
    simulation.run(150);
    return simulation.digest();
  };
  EXPECT_EQ(digest_of(4), digest_of(4));
  EXPECT_NE(digest_of(4), digest_of(5));
}

}  // namespace
}  // namespace tracebed
