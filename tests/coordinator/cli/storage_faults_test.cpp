// What befalls the storage of a cluster while real clients read and write. Tracebed's own client is
// the judge: it returns the bytes that were written, or fails. Debian's hdfs is not, since it
// neither verifies what it reads nor leaves a datanode that hangs.
#include <csignal>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "coordinator/cli/kept_open_cluster.h"
#include "support/eventually.h"
#include "support/files.h"

namespace tracebed {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

// A dead datanode is found within seconds. Transfers take long enough to be disturbed: 3 MB/s of
// the wall clock's.
constexpr const char* quick_intervals = R"(heartbeat_interval_ms = 2000
heartbeat_recheck_interval_ms = 20000
)";
constexpr const char* slow_network = "network_rate = \"300 kB/s\"";
// A writer is still there when another program has begun and ended, however slow that is.
constexpr const char* very_slow_network = "network_rate = \"40 kB/s\"";
// Less than that of writers, so that a datanode can tell them that the next one hangs.
constexpr const char* datanodes_timeout = "\nsocket_timeout = \"5s\"";

class StorageFaults : public ::testing::Test {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "cgroups can be written by root only";
  }
  void start(KeptOpenOptions options = {.nodes = 6, .racks = 3}) {
    if (options.storage.empty()) options.storage = slow_network;
    options.storage += datanodes_timeout;
    options.namenode = quick_intervals + options.namenode;
    cluster_.emplace("storage-faults-" + std::to_string(::getpid()), options);
    // Three blocks, and one that ends within a chunk. No two chunks are alike.
    ASSERT_EQ(cluster_->sh("head -c 3146428 /dev/urandom > data").status, 0);
  }
  void put(const std::string& path) {
    const auto result = cluster_->sh("$STORAGE put data " + path);
    ASSERT_EQ(result.status, 0) << result.output;
    expect_replicated();
  }
  void expect_replicated() {
    EXPECT_TRUE(eventually([&] { return cluster_->is_replicated(); }))
        << cluster_->said("$STORAGE report; $STORAGE fsck /");
  }
  std::string local(const std::string& file) const { return (cluster_->folder() / file).string(); }
  // A copy of /f into the file `got` that has begun to arrive.
  std::unique_ptr<RunningProgram> reading() {
    auto reader =
        cluster_->start({"get", "/f", local("got"), "--overwrite", "--socket-timeout", "3s"});
    reader->wait_until([&] { return !contents(local("got")).empty(); });
    return reader;
  }
  // A copy of data to `path` that has begun to be sent.
  std::unique_ptr<RunningProgram> writing(const std::string& path) {
    auto writer = cluster_->start({"put", local("data"), path, "--socket-timeout", "8s"});
    writer->wait_until(
        [&] { return cluster_->sh("$STORAGE blocks " + path + " | grep blk_").status == 0; });
    return writer;
  }
  void expect_success(RunningProgram& copy) {
    const ProgramEnd end = copy.wait();
    EXPECT_EQ(end.exit_code, 0) << end.error;
  }
  void expect_equal(const std::string& got = "got") {
    EXPECT_EQ(cluster_->sh("cmp data " + got).status, 0);
  }
  // Whatever becomes of it, it ends.
  void read_with_hdfs(const std::string& path) {
    if (test::has_program("hdfs")) cluster_->sh("timeout 20 hdfs cat " + path + " > /dev/null");
  }
  void expect_readable(const std::string& path) {
    const auto result =
        cluster_->sh("$STORAGE get " + path + " again --overwrite --socket-timeout 3s");
    EXPECT_EQ(result.status, 0) << result.output;
    expect_equal("again");
  }
  void signal(const std::string& address, int number) {
    ASSERT_EQ(::kill(cluster_->datanode(address), number), 0);
  }

  std::optional<KeptOpenCluster> cluster_;
};

TEST_F(StorageFaults, KilledDatanodesLoseNothing) {
  start();
  put("/f");
  const auto reader = reading();
  const auto writer = writing("/g");
  const std::vector<std::string> of_last = cluster_->holders("/f", -1);
  ASSERT_THAT(of_last, SizeIs(3));
  signal(of_last[0], SIGKILL);
  signal(of_last[1], SIGKILL);
  expect_success(*reader);
  expect_equal();
  expect_success(*writer);
  read_with_hdfs("/g");
  expect_readable("/g");
  expect_replicated();
  EXPECT_THAT(cluster_->holders("/f", -1), SizeIs(3));
}

TEST_F(StorageFaults, HungDatanodesArePassedOver) {
  start();
  put("/f");
  const auto reader = reading();
  const std::vector<std::string> of_last = cluster_->holders("/f", -1);
  ASSERT_THAT(of_last, SizeIs(3));
  signal(of_last[0], SIGSTOP);
  const auto writer = writing("/g");
  signal(of_last[1], SIGSTOP);
  expect_success(*reader);
  expect_equal();
  expect_success(*writer);
  read_with_hdfs("/g");
  expect_readable("/g");
  // They are dead by now or soon; what they had is made elsewhere, and is too much when they
  // return.
  expect_replicated();
  signal(of_last[0], SIGCONT);
  signal(of_last[1], SIGCONT);
  EXPECT_TRUE(eventually([&] {
    const nlohmann::json datanodes = cluster_->json("report").at("datanodes");
    return std::all_of(datanodes.begin(), datanodes.end(),
                       [](const nlohmann::json& one) { return one.at("is_live").get<bool>(); });
  }));
  EXPECT_TRUE(eventually([&] { return cluster_->holders("/f", -1).size() == 3; }))
      << cluster_->said("$STORAGE blocks /f");
  expect_readable("/f");
}

TEST_F(StorageFaults, ADatanodeThatComesAndGoesCostsNoByte) {
  start();
  put("/f");
  const auto reader = reading();
  const auto writer = writing("/g");
  const std::string flapping = cluster_->holders("/f", -1).front();
  for (int i = 0; i < 8; ++i) {
    signal(flapping, SIGSTOP);
    ::usleep(300'000);
    signal(flapping, SIGCONT);
    ::usleep(100'000);
  }
  expect_success(*reader);
  expect_equal();
  expect_success(*writer);
  expect_replicated();
  expect_readable("/g");
}

TEST_F(StorageFaults, SlowDatanodesOnlyTakeLonger) {
  start();
  put("/f");
  const auto reader = reading();
  for (const std::string& address : cluster_->holders("/f", 1)) {
    const auto changed = cluster_->order("rates " + address + " --network '500 kB/s' --seek 50ms");
    ASSERT_EQ(changed.status, 0) << changed.output;
  }
  expect_success(*reader);
  expect_equal();
  const auto writer = writing("/g");
  expect_success(*writer);
  expect_readable("/g");
}

// 1 MB/s of the wall clock; clients are in no rack. In each rack a tenth of a second may be credit,
// and a datanode sends a batch of packets before the next one has to wait for it.
TEST_F(StorageFaults, WhatEntersOrLeavesARackPassesItsUplink) {
  start({.nodes = 6, .racks = 3, .storage = "rack_rate = \"100 kB/s\""});
  using Clock = std::chrono::steady_clock;
  const auto seconds_of = [&](const std::string& command) {
    const auto begin = Clock::now();
    const auto result = cluster_->sh(command);
    EXPECT_EQ(result.status, 0) << result.output;
    return std::chrono::duration<double>(Clock::now() - begin).count();
  };
  EXPECT_GT(seconds_of("$STORAGE put data /f"), 2.9);
  EXPECT_GT(seconds_of("$STORAGE get /f got"), 1.5);
  expect_equal();
}

TEST_F(StorageFaults, CorruptReplicasAreNeverReturnedAndReplaced) {
  start({.nodes = 6, .racks = 3, .storage = "network_rate = \"400 kB/s\""});
  put("/f");
  const nlohmann::json blocks = cluster_->json("blocks /f").at("blocks");
  const auto damage = [&](const nlohmann::json& block, const std::string& address,
                          std::int64_t offset) {
    const auto result = cluster_->order("corrupt " + address + " " +
                                        std::to_string(block.at("block_id").get<std::uint64_t>()) +
                                        " --offset " + std::to_string(offset));
    ASSERT_EQ(result.status, 0) << result.output;
  };
  const auto reader = reading();
  for (int i = 1; i < static_cast<int>(blocks.size()); ++i) {
    const std::vector<std::string> addresses = cluster_->holders("/f", i);
    ASSERT_THAT(addresses, SizeIs(3));
    const nlohmann::json& block = blocks.at(static_cast<std::size_t>(i));
    // In the middle of a packet; in the block that ends within a chunk, its very last byte.
    const auto length = block.at("length").get<std::int64_t>();
    const std::int64_t offset = length < (1 << 20) ? length - 1 : length / 2;
    damage(block, addresses[0], offset);
    damage(block, addresses[1], offset);
  }
  expect_success(*reader);
  expect_equal();
  read_with_hdfs("/f");
  // Until each that a reader has come upon was replaced.
  EXPECT_TRUE(eventually([&] {
    expect_readable("/f");
    const std::string all = cluster_->order("replicas /f").output;
    return all.find("corrupt") == std::string::npos && cluster_->is_replicated();
  })) << cluster_->order("replicas /f").output;
  // Another byte than before: one that is inverted twice is as it was, and no reader may have come
  // upon a damaged replica yet.
  for (const std::string& address : cluster_->holders("/f", -1)) damage(blocks.back(), address, 0);
  const auto failed = cluster_->sh("rm got; $STORAGE get /f got --socket-timeout 3s");
  EXPECT_NE(failed.status, 0);
  EXPECT_THAT(failed.output,
              HasSubstr(std::to_string(blocks.back().at("block_id").get<std::uint64_t>())));
  EXPECT_FALSE(std::filesystem::exists(local("got"))) << "no part of it";
}

TEST_F(StorageFaults, AWholeRackMayGo) {
  start();
  put("/f");
  const nlohmann::json datanodes = cluster_->json("report").at("datanodes");
  const auto reader = reading();
  const auto writer = writing("/g");
  for (const nlohmann::json& datanode : datanodes) {
    if (datanode.at("rack") != datanodes.front().at("rack")) continue;
    const std::string address = datanode.at("address");
    signal(address.substr(0, address.rfind(':')), SIGKILL);
  }
  expect_success(*reader);
  expect_equal();
  expect_success(*writer);
  expect_replicated();
  expect_readable("/f");
  expect_readable("/g");
}

TEST_F(StorageFaults, FewerDatanodesThanReplicasAreSaidAndWork) {
  start({.nodes = 2, .racks = 1});
  ASSERT_EQ(cluster_->sh("$STORAGE put data /f --replication 3").status, 0);
  EXPECT_THAT(cluster_->holders("/f", 0), SizeIs(2));
  EXPECT_THAT(cluster_->said("$STORAGE fsck /"), HasSubstr("under-replicated"));
  const auto reader = reading();
  signal(cluster_->holders("/f", -1).front(), SIGKILL);
  expect_success(*reader);
  expect_equal();
  ASSERT_EQ(cluster_->sh("$STORAGE put data /g --replication 3 --socket-timeout 3s").status, 0);
  expect_readable("/g");
}

TEST_F(StorageFaults, AFullDiskRefusesWhatDoesNotFitAndKeepsWhatItHas) {
  start({.nodes = 3, .racks = 1, .storage = "capacity = \"8 MiB\"\nnetwork_rate = \"unlimited\""});
  put("/f");
  const auto refused = cluster_->sh("cat data data data > more; $STORAGE put more /g");
  EXPECT_NE(refused.status, 0);
  EXPECT_THAT(refused.output, HasSubstr("/g"));
  EXPECT_THAT(cluster_->said("$STORAGE ls /"), ::testing::Not(HasSubstr("/g")));
  expect_readable("/f");
  // What the refused file had taken is given back.
  EXPECT_TRUE(eventually([&] { return cluster_->sh("$STORAGE put data /h").status == 0; }));
  expect_readable("/h");
}

TEST_F(StorageFaults, AWriterThatDiesLeavesWhatWasAcknowledged) {
  start({.nodes = 6,
         .racks = 3,
         .namenode = "lease_soft_limit_ms = 1000\nlease_hard_limit_ms = 2000"});
  const auto writer = writing("/g");
  EXPECT_TRUE(eventually([&] { return cluster_->json("blocks /g").at("blocks").size() >= 2; }));
  writer->signal(SIGKILL);
  writer->wait();
  // Its lease ends, and the namenode closes the file at what its datanodes agree on.
  EXPECT_TRUE(eventually([&] { return cluster_->json("fsck /").at("open_files") == 0; }));
  EXPECT_EQ(cluster_
                ->sh("$STORAGE get /g part --socket-timeout 3s && "
                     "head -c $(stat -c %s part) data | cmp - part")
                .status,
            0);
  EXPECT_GE(contents(local("part")).size(), std::size_t{1} << 20);
}

TEST_F(StorageFaults, AWriterWhoseFileWasReplacedFailsAndLeavesTheOthersFile) {
  start({.nodes = 6, .racks = 3, .storage = very_slow_network});
  const auto writer = writing("/g");
  writer->signal(SIGSTOP);
  const auto other = cluster_->sh("$STORAGE put data /g --overwrite");
  writer->signal(SIGCONT);
  ASSERT_EQ(other.status, 0) << other.output;
  EXPECT_NE(writer->wait().exit_code, 0);
  expect_readable("/g");
}

TEST_F(StorageFaults, ACoordinatorThatDiesFailsItsClientsAndLeavesNothing) {
  start({.nodes = 6, .racks = 3, .storage = very_slow_network});
  put("/f");
  const auto reader = reading();
  const auto writer = writing("/g");
  writer->signal(SIGSTOP);
  cluster_->kill();
  writer->signal(SIGCONT);
  const ProgramEnd written = writer->wait();
  EXPECT_NE(written.exit_code, 0);
  EXPECT_THAT(written.error, HasSubstr(cluster_->namenode()));
  // The datanodes end, too; a reader has the bytes before or fails.
  const ProgramEnd read = reader->wait();
  if (read.exit_code == 0) {
    expect_equal();
  } else {
    EXPECT_FALSE(std::filesystem::exists(local("got")));
  }
  EXPECT_TRUE(eventually([&] { return cluster_->leftovers().empty(); }));
}

// An agent hangs, so that the run looks for deaths until its time for goodbyes is over, and sees
// that the datanodes have ended.
TEST_F(StorageFaults, DatanodesThatEndWithTheirRunAreNoTrouble) {
  start({.nodes = 2, .racks = 1});
  const std::vector<pid_t> agents = cluster_->agents();
  ASSERT_THAT(agents, SizeIs(2));
  ASSERT_EQ(::kill(agents.front(), SIGSTOP), 0);
  const ProgramEnd end = cluster_->interrupt();
  EXPECT_THAT(end.error, HasSubstr("was killed"));  // the agent
  EXPECT_THAT(end.error, Not(HasSubstr("the datanode of")));
}

}  // namespace
}  // namespace tracebed
