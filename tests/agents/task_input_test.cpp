// tracebed-task reads its input from datanodes that a test plays.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "agents/ran_task.h"
#include "core/preemption.h"
#include "hdfs_client/scripted_file.h"
#include "hdfs_client/scripted_replica.h"
#include "support/eventually.h"

namespace tracebed {
namespace {

using hdfs::test::LoopbackPeer;
using hdfs::test::PeerConnection;
using testing::HasSubstr;

constexpr std::int64_t block_bytes = 300'000;

class TaskInputTest : public testing::Test {
 protected:
  TaskInputTest() {
    file_.set_datanodes({near_.endpoint(), far_.endpoint()});
    file_.add_block(hdfs::test::extended_block(1, block_bytes), {near_.endpoint().text()});
    file_.add_block(hdfs::test::extended_block(2, block_bytes), {far_.endpoint().text()});
    spec_.container = 7;
    spec_.work.input_file = 16'390;
    spec_.work.input_length = 2 * block_bytes;
    spec_.work.memory_mib = 8;
    spec_.input = {file_.namenode().endpoint().text(), "127.0.1.3", "rack"};
  }

  RanTask run(const std::function<void(pid_t)>& meanwhile = {}) const {
    return run_task(spec_, meanwhile);
  }

  static LoopbackPeer::Behaviour serving(hdfs::test::ReplicaScript script = {}) {
    return [script](PeerConnection& client, int) { serve_read(client, script); };
  }

  LoopbackPeer near_{serving(), "127.0.1.3"};
  LoopbackPeer far_{serving(), "127.0.1.4"};
  hdfs::test::ScriptedFile file_{block_bytes};
  WorkSpec spec_;
};

TEST_F(TaskInputTest, IsReadFromItsNodesAddressAndReportedByDistance) {
  const RanTask ended = run();
  EXPECT_EQ(ended.status, 0) << ended.text;
  EXPECT_EQ(ended.report.progress, whole_work);
  EXPECT_EQ(ended.report.account.input, (ReadBytes{block_bytes, block_bytes, 0}));
  EXPECT_EQ(near_.client_address(), "127.0.1.3");
  EXPECT_EQ(file_.namenode().peer().client_address(), "127.0.1.3");
}

TEST_F(TaskInputTest, IsAPartOfAFile) {
  spec_.work.input_offset = block_bytes - 100;
  spec_.work.input_length = 1'000;
  spec_.input.rack = "another";
  const RanTask ended = run();
  EXPECT_EQ(ended.status, 0) << ended.text;
  EXPECT_EQ(ended.report.account.input, (ReadBytes{100, 0, 900}));
}

TEST_F(TaskInputTest, IsReadAlongWithTheWork) {
  spec_.work.duration = milliseconds(300);
  spec_.work.cpu_time = milliseconds(50);
  const RanTask ended = run();
  EXPECT_EQ(ended.status, 0) << ended.text;
  EXPECT_EQ(ended.report.account.input.total(), 2 * block_bytes);
}

TEST_F(TaskInputTest, ThatIsNotThereMakesTheTaskFailWithItsPath) {
  file_.namenode().on<hdfs::pb::GetBlockLocationsRequest>(
      [](const hdfs::pb::GetBlockLocationsRequest& request) -> hdfs::pb::GetBlockLocationsResponse {
        throw hdfs::RpcError{hdfs::RpcErrorCode::application, "java.io.FileNotFoundException",
                             "File for given inode path does not exist: " + request.src()};
      });
  const RanTask ended = run();
  ASSERT_TRUE(WIFEXITED(ended.status));
  EXPECT_EQ(WEXITSTATUS(ended.status), input_failed_exit);
  EXPECT_THAT(ended.text, HasSubstr("/.reserved/.inodes/16390"));
}

TEST_F(TaskInputTest, ThatEndsEarlyMakesTheTaskFailAndWhatItReadIsReported) {
  spec_.work.input_length = 3 * block_bytes;
  const RanTask ended = run();
  ASSERT_TRUE(WIFEXITED(ended.status));
  EXPECT_EQ(WEXITSTATUS(ended.status), input_failed_exit);
  EXPECT_THAT(ended.text, HasSubstr("inode id 16390 ends at byte 600000"));
  EXPECT_EQ(ended.report.account.input.total(), 2 * block_bytes);
  EXPECT_EQ(ended.report.progress, 0u);
}

TEST_F(TaskInputTest, ThatHangsDoesNotKeepTheTaskFromACheckpoint) {
  LoopbackPeer hung([](PeerConnection& client, int) { client.hang(); }, "127.0.1.4");
  hdfs::test::ScriptedFile file(block_bytes);
  file.set_datanodes({hung.endpoint()});
  file.add_block(hdfs::test::extended_block(1, 3 * block_bytes), {hung.endpoint().text()});
  spec_.input.namenode = file.namenode().endpoint().text();
  const RanTask ended = run([&](pid_t task) {
    EXPECT_TRUE(eventually([&] { return hung.connections() > 0; }));
    kill(task, checkpoint_signal);
  });
  EXPECT_EQ(ended.status, 0) << ended.text;
  EXPECT_EQ(ended.report.progress, 0u);
}

TEST_F(TaskInputTest, OfACorruptReplicaComesFromAnother) {
  LoopbackPeer corrupt(serving({.before_packet =
                                    [](hdfs::test::Sent& packet, PeerConnection&) {
                                      if (packet.data.size() % 512 != 0) {
                                        packet.data.back() ^= std::byte{1};
                                        write_checksums(hdfs::ChunkChecksums(), packet.data,
                                                        packet.checksums);
                                      }
                                      return true;
                                    }}),
                       "127.0.1.5");
  hdfs::test::ScriptedFile file(block_bytes);
  file.set_datanodes({corrupt.endpoint(), near_.endpoint()});
  file.add_block(hdfs::test::extended_block(1, block_bytes),
                 {corrupt.endpoint().text(), near_.endpoint().text()});
  file.namenode().on<hdfs::pb::ReportBadBlocksRequest>(
      [](const hdfs::pb::ReportBadBlocksRequest&) { return hdfs::pb::ReportBadBlocksResponse(); });
  spec_.work.input_length = block_bytes;
  spec_.input.namenode = file.namenode().endpoint().text();
  const RanTask ended = run();
  EXPECT_EQ(ended.status, 0) << ended.text;
  EXPECT_EQ(ended.report.account.input.total(), block_bytes);
  EXPECT_GT(ended.report.account.input.node_local, 0);
  EXPECT_EQ(file.namenode().count("reportBadBlocks"), 1u);
}

}  // namespace
}  // namespace tracebed
