// Datanodes, clients and jobs at random, with anything in their messages besides what makes sense:
// after every round all derived state is recomputed, and a run that is decided again from its log
// has the same digest and the same namenode.
#include <gtest/gtest.h>

#include "coordinator/engine/doubles.h"
#include "coordinator/engine/engine.h"
#include "core/names.h"
#include "protocol/random_storage.h"
#include "protocol/round_codec.h"

namespace tracebed {
namespace {

using doubles::FirstFit;
using doubles::plain_job;
using doubles::plain_machine;

constexpr std::uint32_t nodes = 8;
constexpr std::int64_t block_size = 1 << 20;

std::unique_ptr<Engine> make_engine(std::uint64_t seed, RecordSink& records) {
  EngineSetup setup;
  setup.scheduler = std::make_unique<FirstFit>();
  setup.make_master = doubles::plain_master;
  setup.paranoid = true;
  setup.storage = NamenodeOptions();
  setup.storage->seed = seed;
  return std::make_unique<Engine>(std::move(setup), records);
}

// What becomes of an engine's commands: the tasks that run, the replicas of datanodes, and what
// clients were answered.
class RandomWorld {
 public:
  explicit RandomWorld(std::uint64_t seed)
      : random_(Random::stream(seed, "storage world")), replicas_(nodes) {
    names_.users.intern("u");
    names_.queues.intern("q");
  }
  const Names& names() const { return names_; }

  void fill(Round& round) {
    round.clear();
    now_ += random_.chance(0.05) ? seconds(400) : milliseconds(700);
    round.now = now_;
    if (rounds_++ == 0) {
      for (std::uint32_t i = 0; i < nodes; ++i) join(i, round);
    }
    if (rounds_ == 2) {
      for (std::uint32_t i = 0; i < nodes; ++i) start_datanode(NodeId(i), round);
      for (int i = 0; i < 20; ++i) preload(i, round);
    }
    for (std::uint64_t i = random_.below(8); i > 0; --i) add_something(round);
    for (const LaunchContainer& launch : running_) {
      round.arrivals.push_back(ContainerEnded{launch.container, launch.node,
                                              ContainerEnd::succeeded,
                                              ContainerAccount::nothing_at(now_)});
    }
    running_.clear();
  }
  void execute(const std::vector<Command>& commands) {
    for (const Command& command : commands) {
      if (const auto* launch = std::get_if<LaunchContainer>(&command)) running_.push_back(*launch);
      if (const auto* order = std::get_if<StoreReplicas>(&command)) {
        for (const BlockName& block : order->blocks) put(order->node, block);
      }
      if (const auto* answer = std::get_if<AnswerDatanode>(&command)) obey(*answer);
      if (const auto* answer = std::get_if<AnswerStorageCall>(&command)) remember(*answer);
    }
  }
  std::uint64_t calls_answered() const { return answered_; }
  std::uint64_t blocks_given() const { return blocks_given_; }

 private:
  using Replicas = std::map<std::uint64_t, ReportedReplica>;

  void join(std::uint32_t node, Round& round) {
    round.arrivals.push_back(
        NodeJoined{NodeId(node), static_cast<std::uint32_t>(round.machines.size())});
    Machine machine = plain_machine(4, "node" + std::to_string(node));
    machine.rack = node % 2 == 0 ? "/even" : "/odd";
    names_.racks.intern(machine.rack);
    round.machines.push_back(machine);
  }
  void start_datanode(NodeId node, Round& round) {
    round.add_storage(DatanodeRegistered{node});
    heartbeat(node, round);
    report(node, round);
  }
  void heartbeat(NodeId node, Round& round) {
    const std::int64_t room = std::int64_t{1} << 40;
    round.add_storage(
        DatanodeHeartbeat{node, {room, 0, room, static_cast<std::uint32_t>(random_.below(4))}});
  }
  void report(NodeId node, Round& round) {
    FullBlockReport report{.node = node, .replicas = {}};
    for (const auto& [id, replica] : replicas_[node.index()]) report.replicas.push_back(replica);
    round.add_storage(std::move(report));
  }
  void preload(int number, Round& round) {
    PreloadedFile file{.path = "/in/" + std::to_string(number),
                       .size = static_cast<std::int64_t>(random_.below(5 * block_size)),
                       .block_size = block_size,
                       .user = "hdfs",
                       .is_stored = random_.chance(0.7)};
    if (random_.chance(0.3)) file.writer = any_node();
    round.add_storage(std::move(file));
  }
  NodeId any_node() { return NodeId(static_cast<std::uint32_t>(random_.below(nodes))); }
  void put(NodeId node, const BlockName& block) {
    replicas_[node.index()][block.id] = {block.id, block.generation_stamp, block.length};
  }

  void add_something(Round& round) {
    const NodeId node = any_node();
    switch (random_.below(12)) {
      case 0:
        return start_datanode(node, round);
      case 1:
        if (random_.chance(0.3)) round.add_storage(DatanodeGone{node});
        return;
      case 2:
      case 3:
      case 4:
        return heartbeat(node, round);
      case 5:
        return report(node, round);
      case 6:
        return submit(round);
      case 7:
        return round.arrivals.push_back(NodeHeartbeat{.node = node, .used = {}, .io_pressure = -1});
      case 8:
      case 9:
        return write(round);
      default:
        return round.add_storage(test::random_storage_input(random_));
    }
  }
  void submit(Round& round) {
    Job job =
        plain_job(jobs_++, now_, 1 + static_cast<std::uint32_t>(random_.below(5)), seconds(10));
    job.stages[0].input_path = "/in/" + std::to_string(random_.below(22));
    const auto index = static_cast<std::uint32_t>(round.jobs().size());
    round.add_job() = std::move(job);
    round.submit(index);
  }

  // A client creates a file, writes blocks that its datanodes report, and completes it.
  void write(Round& round) {
    StorageCall call{{.user = "u", .client = "writer", .node = any_node()}, RenewLease()};
    if (is_in_safe_mode_) {
      call.operation = SetSafeMode{SetSafeMode::Action::leave};
    } else if (!file_) {
      path_ = "/out/" + std::to_string(calls_);
      call.operation = CreateFile{.path = path_, .block_size = block_size};
    } else if (last_ && random_.chance(0.5)) {
      call.operation = CompleteFile{{path_, *file_}, last_};
    } else {
      call.operation = AddBlock{.file = {path_, *file_}, .previous = last_, .excluded = {}};
    }
    round.add_storage(StorageCalled{calls_++, std::move(call)});
  }
  void remember(const AnswerStorageCall& answer) {
    ++answered_;
    const auto* failure = std::get_if<StorageFailure>(&answer.reply);
    is_in_safe_mode_ = failure != nullptr && failure->kind == StorageFailureKind::safe_mode;
    if (answer.ticket + 1 != calls_) return;
    if (const auto* status = std::get_if<FileStatus>(&answer.reply)) {
      if (!status->is_directory) file_ = status->file_id;
      last_.reset();
    } else if (const auto* located = std::get_if<LocatedBlock>(&answer.reply)) {
      ++blocks_given_;
      last_ = located->block;
      last_->length = block_size;
      for (const NodeId node : located->nodes) {
        if (node.index() < nodes) put(node, *last_);
      }
    } else {
      file_.reset();
      last_.reset();
    }
  }
  void obey(const AnswerDatanode& answer) {
    const auto* reply = std::get_if<HeartbeatReply>(&answer.reply);
    if (reply == nullptr) return;
    for (const DeletionOrder& order : reply->deletions) {
      replicas_[answer.node.index()].erase(order.block_id);
    }
    for (const TransferOrder& order : reply->transfers) {
      for (const NodeId target : order.targets) put(target, order.block);
    }
  }

  Random random_;
  Names names_;
  TraceTime now_{};
  std::uint64_t rounds_ = 0;
  std::uint32_t jobs_ = 0;
  std::vector<Replicas> replicas_;
  std::vector<LaunchContainer> running_;
  std::string path_;
  std::optional<std::uint64_t> file_;
  std::optional<BlockName> last_;
  bool is_in_safe_mode_ = false;
  std::uint64_t calls_ = 0;
  std::uint64_t answered_ = 0;
  std::uint64_t blocks_given_ = 0;
};

class StorageSimulation : public testing::TestWithParam<std::uint64_t> {};

TEST_P(StorageSimulation, DecidesAgainFromItsLogWhateverArrives) {
  RandomWorld world(GetParam());
  doubles::Records records;
  const std::unique_ptr<Engine> engine = make_engine(GetParam(), records);
  RoundEncoder encoder(world.names());
  Round round;
  std::vector<Command> commands;
  for (int i = 0; i < 250; ++i) {
    world.fill(round);
    encoder.add(round);
    commands.clear();
    engine->step(round, commands);
    world.execute(commands);
  }
  EXPECT_GT(world.calls_answered(), 60u);
  EXPECT_GT(world.blocks_given(), 5u);
  EXPECT_GT(records.jobs.size(), 30u);

  doubles::Records again;
  const std::unique_ptr<Engine> second = make_engine(GetParam(), again);
  Names names;
  RoundDecoder decoder(names);
  const Status loaded = decoder.load(encoder.finish_piece(true));
  ASSERT_TRUE(loaded) << loaded.error().message;
  while (decoder.next(round)) {
    commands.clear();
    second->step(round, commands);
  }
  EXPECT_EQ(second->digest(), engine->digest());
  EXPECT_EQ(second->namenode()->digest(), engine->namenode()->digest());
  EXPECT_EQ(second->counters().storage_inputs, engine->counters().storage_inputs);
  EXPECT_EQ(second->counters().storage_inputs_ignored, engine->counters().storage_inputs_ignored);
}

INSTANTIATE_TEST_SUITE_P(Seeds, StorageSimulation, testing::Range<std::uint64_t>(1, 13));

}  // namespace
}  // namespace tracebed
