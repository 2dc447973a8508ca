// A run with storage: real datanodes, Debian's `hdfs` as a client, and the replay loop between
// them. The agents are scripted: nothing is launched.
#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <thread>

#include "coordinator/engine/engine.h"
#include "coordinator/engine/replay.h"
#include "coordinator/namenode_server/namenode_rpc_server.h"
#include "coordinator/real/child_process.h"
#include "coordinator/real/local_cluster.h"
#include "coordinator/real/local_datanodes.h"
#include "coordinator/real/real_fleet.h"
#include "coordinator/real/scripted_agent.h"
#include "coordinator/storage/block_locations.h"
#include "core/block_content.h"
#include "support/command.h"
#include "support/files.h"
#include "support/temporary_folder.h"
#include "system/secret_number.h"

namespace tracebed::test {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

constexpr std::size_t machines_count = 3;
constexpr std::int64_t block_size = std::int64_t{1} << 20;
constexpr std::int64_t preloaded_bytes = 5 * block_size / 2;

class IdleScheduler final : public Scheduler {
 public:
  void decide(const SchedulerInput&, Decisions&) override {}
};
class NoRecords final : public RecordSink {
 public:
  void attempt_ended(const AttemptRecord&) override {}
  void job_ended(const JobRecord&) override {}
  void preemption_ended(const PreemptionRecord&) override {}
  void sampled(const ClusterSample&) override {}
};
class NoJobs final : public WorkloadSource {
 public:
  bool next(Job&) override { return false; }
};

std::vector<Machine> machines() {
  std::vector<Machine> machines(machines_count);
  for (std::size_t i = 0; i < machines.size(); ++i) {
    machines[i].name = "node-" + std::to_string(i);
    machines[i].rack = i == 0 ? "/rack-a" : "/rack-b";
    machines[i].capacity = Resources(4'000, 4'096);
  }
  return machines;
}

class StorageRunTest : public testing::Test {
 protected:
  void start(ReplicaStoreKind store = ReplicaStoreKind::generated) {
    options_.storage.emplace();
    options_.storage->gate = &gate_;
    options_.storage->orders = &orders_;
    options_.storage->datanodes.store = store;
    options_.storage->datanodes.capacity = std::int64_t{1} << 30;
    options_.storage->datanodes.disk_rate = options_.storage->datanodes.network_rate = std::nullopt;
    options_.storage->datanodes.heartbeat = milliseconds(200);
    options_.storage->namenode = namenode();
    fleet_.emplace(options_, machines(), [this](const std::string& m) { warn(m); });
    for (std::size_t i = 0; i < machines_count; ++i) {
      ScriptedAgent& agent = agents_.emplace_back(fleet_->endpoint(), options_.run,
                                                  machines()[i].name, fleet_->links()[i]);
      agent.start_sessions_at(1'000 * (i + 1));
      agent.know_epoch(options_.epoch);
      wire::Hello hello = agent.hello();
      hello.rack = machines()[i].rack;
      hello.address = loopback_address(i);
      agent.send_hello(hello);
    }
    LocalDatanodeOptions datanodes;
    datanodes.run = options_.run;
    datanodes.coordinator = fleet_->endpoint();
    datanodes.links = fleet_->links();
    datanodes.programs = PROGRAMS;
    datanodes.logs = logs_.path();
    datanodes.store = store;
    datanodes.capacity = options_.storage->datanodes.capacity;
    folder_.emplace(machines(), std::nullopt);
    datanodes_.emplace(std::move(datanodes), machines(), *folder_);
    fleet_->wait_for_agents(timeout, [&] { datanodes_->look(); });
    fleet_->wait_for_datanodes(timeout, [&] { datanodes_->look(); });
    fleet_->watch([this] {
      for (const LocalDatanodes::End& end : datanodes_->find_ends()) {
        fleet_->forget_datanode(end.node);
      }
      return std::vector<AgentDeath>();
    });
    run_ = std::thread([this] { run(); });
    // What is preloaded is stored when time begins.
    ASSERT_TRUE(eventually([this] {
      bool has_begun = false;
      gate_.read([&](const StorageGate::View& view) { has_begun = view.now > trace_time(0); });
      return has_begun;
    }));
  }
  ~StorageRunTest() override { end(); }

  void end() {
    if (!run_.joinable()) return;
    is_cancelled_ = true;
    run_.join();
    datanodes_->stop([this](const std::string& m) { warn(m); });
    folder_->remove([this](const std::string& m) { warn(m); });
  }

  void run() {
    NoRecords records;
    EngineSetup setup;
    setup.scheduler = std::make_unique<IdleScheduler>();
    setup.storage.emplace();
    setup.storage->intervals.heartbeat = milliseconds(200);
    setup.storage->intervals.recheck = milliseconds(500);
    setup.storage->intervals.stale = milliseconds(600);
    setup.storage->safe_mode.extension = Duration::zero();
    setup.storage->redundancy.interval = milliseconds(200);
    setup.storage->limits.block_size_min = 512;
    Engine engine(std::move(setup), records);
    gate_.open({engine.namenode(),
                options_.run,
                [this] { return fleet_->clock().now(); },
                {[](TraceTime time) { return to_microseconds(time) / 1'000; },
                 [](std::int64_t ms) { return trace_time(ms * 1'000); }}});
    ReplayOptions options;
    options.keep_open = true;
    options.preloads_after = machines_count;
    options.preloads = {{.path = "/data/input",
                         .size = preloaded_bytes,
                         .replication = 2,
                         .block_size = block_size,
                         .user = "alice",
                         .writer = NodeId(0u),
                         .nodes = {}}};
    NoJobs jobs;
    replay(
        engine, *fleet_, &jobs, nullptr, [this](const ReplayProgress&) { return !is_cancelled_; },
        options);
    gate_.close("the run has ended");
    fleet_->announce_end("the run has ended");
    for (ScriptedAgent& agent : agents_) agent.send(wire::Goodbye{"the run has ended"});
    fleet_->wait_for_goodbyes(timeout);
  }

  std::string namenode() const { return "127.0.0.1:" + std::to_string(server_.port()); }
  // Its status and output, whatever they are.
  CommandResult try_hdfs(const std::string& arguments) const {
    return run_command("HADOOP_USER_NAME=alice HADOOP_NAMENODE=" + namenode() +
                       " timeout 90 hdfs " + arguments);
  }
  std::string hdfs(const std::string& arguments, int status = 0) const {
    const CommandResult result = try_hdfs(arguments);
    EXPECT_EQ(result.status, status) << arguments << ": " << result.output;
    return result.output;
  }
  // As the namenode has them now, by block.
  std::vector<LocatedBlock> blocks_of(const std::string& path) const {
    std::vector<LocatedBlock> blocks;
    gate_.read([&](const StorageGate::View& view) {
      const auto located =
          block_locations(view.state, path, 0, std::int64_t{1} << 50, Reader{}, view.now);
      if (located) blocks = located->blocks;
    });
    return blocks;
  }
  // What the preloaded file must be.
  std::string generated(const std::vector<LocatedBlock>& blocks) const {
    std::string content;
    for (const LocatedBlock& block : blocks) {
      std::string part(static_cast<std::size_t>(block.block.length), '\0');
      BlockContent(block.block.id).fill(0, std::as_writable_bytes(std::span(part)));
      content += part;
    }
    return content;
  }
  void warn(const std::string& message) {
    const std::lock_guard lock(mutex_);
    warnings_.push_back(message);
  }

  TemporaryFolder logs_;
  RealFleetOptions options_{.run = "storage-run", .epoch = 4, .silence_max = timeout};
  StorageGate gate_;
  DatanodeOrderQueue orders_;
  NamenodeRpcServer server_{gate_, {}};
  std::mutex mutex_;
  std::vector<std::string> warnings_;
  std::optional<RealFleet> fleet_;
  std::deque<ScriptedAgent> agents_;
  std::optional<LocalStorageFolder> folder_;
  std::optional<LocalDatanodes> datanodes_;
  std::atomic<bool> is_cancelled_ = false;
  std::thread run_;
};

TEST_F(StorageRunTest, ClientsReadWhatIsPreloadedAndWhatTheyWrote) {
  if (!has_program("hdfs")) GTEST_SKIP() << "hdfs-cli is not installed";
  start();
  EXPECT_EQ(hdfs("ls /data"), "input\n");
  EXPECT_TRUE(eventually([&] { return blocks_of("/data/input").size() == 3; }));
  EXPECT_EQ(hdfs("cat /data/input"), generated(blocks_of("/data/input")));
  std::string text(3 * block_size / 2 + 7, 'x');
  for (std::size_t i = 0; i < text.size(); ++i) text[i] = static_cast<char>('a' + i % 26);
  const std::string local = logs_.file("local");
  std::ofstream(local) << text;
  // Debian's client does not ask for a further block again if the last one is not reported yet.
  EXPECT_TRUE(eventually([&] {
    try_hdfs("rm -f /data/output");
    return try_hdfs("put " + local + " /data/output").status == 0 &&
           try_hdfs("cat /data/output").output == text;
  }));
  EXPECT_TRUE(eventually([&] {
    const auto blocks = blocks_of("/data/output");
    return !blocks.empty() && std::all_of(blocks.begin(), blocks.end(), [](const auto& block) {
      return block.nodes.size() == machines_count;
    });
  }));
  const std::filesystem::path folder = folder_->path();
  EXPECT_TRUE(std::filesystem::exists(folder));
  end();
  EXPECT_FALSE(std::filesystem::exists(folder));
  std::uint64_t read = 0;
  std::uint64_t written = 0;
  for (std::size_t i = 0; i < machines_count; ++i) {
    const wire::TransferSums sums = fleet_->datanodes()->transfers(NodeId(i));
    for (const std::uint64_t bytes : sums.bytes_read) read += bytes;
    for (const std::uint64_t bytes : sums.bytes_written) written += bytes;
  }
  EXPECT_GE(read, preloaded_bytes + text.size());
  EXPECT_GE(written, text.size());
}

TEST_F(StorageRunTest, ReplicasOfAKilledDatanodeAreMadeElsewhereAndItComesBack) {
  if (!has_program("hdfs")) GTEST_SKIP() << "hdfs-cli is not installed";
  start();
  ASSERT_TRUE(eventually([&] { return blocks_of("/data/input").size() == 3; }));
  const auto are_on = [&](std::size_t count, std::optional<NodeId> but) {
    const auto blocks = blocks_of("/data/input");
    return std::all_of(blocks.begin(), blocks.end(), [&](const LocatedBlock& block) {
      return block.nodes.size() == count &&
             (!but || std::find(block.nodes.begin(), block.nodes.end(), *but) == block.nodes.end());
    });
  };
  // Every block has a replica on the writer's node.
  datanodes_->crash(0);
  EXPECT_TRUE(eventually([&] { return are_on(2, NodeId(0u)); }));
  EXPECT_EQ(hdfs("cat /data/input"), generated(blocks_of("/data/input")));
  datanodes_->bring_back(0);
  // It registers again, with its replicas: those that are too many are removed.
  EXPECT_TRUE(eventually([&] {
    std::size_t live = 0;
    gate_.read([&](const StorageGate::View& view) { live = view.state.datanodes.live(); });
    return live == machines_count;
  }));
  EXPECT_TRUE(eventually([&] { return are_on(2, std::nullopt); }));
  EXPECT_EQ(hdfs("cat /data/input"), generated(blocks_of("/data/input")));
}

TEST_F(StorageRunTest, AnAdministratorsOrdersReachADatanodeWhichDamagesAReplicaAndStops) {
  start();
  ASSERT_TRUE(eventually([&] { return blocks_of("/data/input").size() == 3; }));
  const LocatedBlock block = blocks_of("/data/input")[0];
  std::atomic<int> done = 0;
  orders_.order(block.nodes[0], CorruptReplica{block.block.id, 100, 1}, [&](const Status& status) {
    EXPECT_TRUE(status) << status.error().message;
    ++done;
  });
  EXPECT_TRUE(eventually([&] { return done == 1; }));
  orders_.order(block.nodes[0], StopDatanode{}, [&](const Status& status) {
    EXPECT_TRUE(status) << status.error().message;
    ++done;
  });
  EXPECT_TRUE(eventually([&] { return done == 2; }));
  EXPECT_TRUE(eventually([&] {
    std::size_t live = 0;
    gate_.read([&](const StorageGate::View& view) { live = view.state.datanodes.live(); });
    return live == machines_count - 1;
  }));
}

// Whether any hierarchy has a cgroup of that name.
bool has_cgroups(const std::string& name) {
  std::error_code ignored;
  constexpr auto options = std::filesystem::directory_options::skip_permission_denied;
  for (std::filesystem::recursive_directory_iterator entry("/sys/fs/cgroup", options, ignored), end;
       entry != end; entry.increment(ignored)) {
    if (entry->path().filename() == name) return true;
  }
  return false;
}

// The kernel closes the lifeline of an owner that was killed.
TEST_F(StorageRunTest, ADatanodeWhoseOwnerIsGoneEndsAndRemovesItsReplicas) {
  fleet_.emplace(options_, machines(), [this](const std::string& m) { warn(m); });
  const std::filesystem::path folder = logs_.path() / "replicas" / "0";
  Lifeline lifeline = Lifeline::make();
  const auto secret = pipe_that_holds({secret_number(), fleet_->endpoint(), fleet_->links()[0]});
  ASSERT_TRUE(secret);
  ChildProcess::Start start;
  start.program = PROGRAMS "/tracebed-datanode";
  start.output = logs_.file("datanode.log");
  start.input = secret->number();
  start.inherited = lifeline.reader.number();
  start.inherited_as = 3;
  start.arguments = {"--run",     options_.run, "--name",        "node-0",        "--address",
                     "127.0.1.1", "--folder",   folder.string(), "--lifeline-fd", "3"};
  ChildProcess datanode(start);
  lifeline.reader.reset();
  EXPECT_TRUE(eventually([&] { return std::filesystem::exists(folder / ("BP-" + options_.run)); }));
  EXPECT_FALSE(datanode.poll());
  EXPECT_TRUE(has_cgroups(options_.run));
  lifeline.writer.reset();
  const auto end = datanode.wait(timeout);
  ASSERT_TRUE(end);
  EXPECT_EQ(end->exit_code, 0) << end->describe();
  EXPECT_FALSE(std::filesystem::exists(folder.parent_path()));
  EXPECT_FALSE(has_cgroups(options_.run));
}

}  // namespace
}  // namespace tracebed::test
