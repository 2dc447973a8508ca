// tracebed-task writes its output to datanodes that a test plays.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "agents/ran_task.h"
#include "core/block_content.h"
#include "core/output_files.h"
#include "core/preemption.h"
#include "hdfs_client/scripted_pipeline.h"
#include "support/eventually.h"

namespace tracebed {
namespace {

using hdfs::test::PacketFate;
using hdfs::test::ScriptedPipeline;
using testing::HasSubstr;

constexpr std::int64_t output_bytes = 450'000;  // two blocks and a part

class TaskOutputTest : public testing::Test {
 protected:
  TaskOutputTest() {
    namenode().on<hdfs::pb::GetServerDefaultsRequest>(
        [](const hdfs::pb::GetServerDefaultsRequest&) {
          hdfs::pb::GetServerDefaultsResponse response;
          hdfs::pb::FsServerDefaults& defaults = *response.mutable_server_defaults();
          defaults.set_block_size(ScriptedPipeline::block_size);
          defaults.set_bytes_per_checksum(512);
          defaults.set_write_packet_size(65'536);
          defaults.set_replication(1);
          defaults.set_file_buffer_size(4'096);
          return response;
        });
    spec_.container = 7;
    spec_.work.memory_mib = 8;
    spec_.work.output_replication = 2;
    spec_.work.output_job = 5;
    spec_.work.output_part = output_part_of({1, 3});
    spec_.work.output_length = output_bytes;
    spec_.input = {namenode().endpoint().text(), "127.0.0.1", "rack"};
  }

  hdfs::test::ScriptedNamenode& namenode() { return pipeline_.namenode(); }
  RanTask run(const std::function<void(pid_t)>& meanwhile = {}) const {
    return run_task(spec_, meanwhile);
  }
  std::string expected(std::int64_t offset, std::int64_t length) const {
    std::string bytes(static_cast<std::size_t>(length), '\0');
    BlockContent(output_content_id(spec_.work))
        .fill(static_cast<std::uint64_t>(offset), std::as_writable_bytes(std::span(bytes)));
    return bytes;
  }

  ScriptedPipeline pipeline_{3};
  WorkSpec spec_;
};

TEST_F(TaskOutputTest, IsWrittenThroughPipelinesAndReported) {
  const RanTask ran = run();
  EXPECT_EQ(ran.status, 0) << ran.text;
  EXPECT_EQ(ran.report.progress, whole_work);
  EXPECT_EQ(ran.report.account.output, output_bytes);
  EXPECT_EQ(pipeline_.contents(), expected(0, output_bytes));
  EXPECT_TRUE(pipeline_.file().is_complete());
  EXPECT_EQ(pipeline_.file().path(), "/tracebed/5/output/_temporary/container-7-part-00001-00003");
  EXPECT_EQ(pipeline_.file().blocks().front().members.size(), 2u);
}

TEST_F(TaskOutputTest, IsWrittenAlongWithTheWork) {
  spec_.work.duration = milliseconds(400);
  spec_.work.cpu_time = milliseconds(50);
  const RanTask ran = run([&](pid_t) {
    EXPECT_TRUE(eventually([&] { return pipeline_.pipelines() > 0; }));
    EXPECT_FALSE(pipeline_.file().is_complete());
  });
  EXPECT_EQ(ran.status, 0) << ran.text;
  EXPECT_EQ(pipeline_.contents(), expected(0, output_bytes));
}

TEST_F(TaskOutputTest, ContinuesFromKeptProgressAtItsByte) {
  spec_.work.output_offset = 123'457;
  spec_.work.output_length = output_bytes - 123'457;
  const RanTask ran = run();
  EXPECT_EQ(ran.status, 0) << ran.text;
  EXPECT_EQ(pipeline_.contents(), expected(123'457, output_bytes - 123'457));
  EXPECT_THAT(pipeline_.file().path(), HasSubstr("part-00001-00003-from-123457"));
}

TEST_F(TaskOutputTest, IsClosedWithWhatThereIsOfItOnACheckpoint) {
  spec_.work.duration = std::chrono::minutes(10);
  spec_.work.output_length = std::int64_t{1} << 30;
  const RanTask ran = run([&](pid_t task) {
    EXPECT_TRUE(eventually([&] { return pipeline_.pipelines() > 0; }));
    kill(task, checkpoint_signal);
  });
  EXPECT_EQ(ran.status, 0) << ran.text;
  EXPECT_TRUE(pipeline_.file().is_complete());
  EXPECT_GT(ran.report.account.output, 0);
  EXPECT_EQ(pipeline_.contents(), expected(0, ran.report.account.output));
  // No more progress than there is output.
  EXPECT_LE(static_cast<double>(ran.report.progress) / whole_work * (std::int64_t{1} << 30),
            static_cast<double>(ran.report.account.output));
}

TEST_F(TaskOutputTest, WaitsWhileTheNamenodeIsInSafeMode) {
  pipeline_.file().be_in_safe_mode(2);
  const RanTask ran = run();
  EXPECT_EQ(ran.status, 0) << ran.text;
  EXPECT_EQ(namenode().count("create"), 3u);
  EXPECT_EQ(pipeline_.contents(), expected(0, output_bytes));
}

TEST_F(TaskOutputTest, ThatCannotBeCreatedMakesTheTaskFailWithItsPath) {
  namenode().on<hdfs::pb::CreateRequest>(
      [](const hdfs::pb::CreateRequest& request) -> hdfs::pb::CreateResponse {
        throw hdfs::RpcError{hdfs::RpcErrorCode::application, "java.io.IOException",
                             "no room for " + request.src()};
      });
  const RanTask ran = run();
  ASSERT_TRUE(WIFEXITED(ran.status));
  EXPECT_EQ(WEXITSTATUS(ran.status), output_failed_exit);
  EXPECT_THAT(ran.text, HasSubstr("output: "));
  EXPECT_THAT(ran.text, HasSubstr("no room for /tracebed/5/output/_temporary"));
  EXPECT_EQ(ran.report.progress, 0u);
}

TEST_F(TaskOutputTest, SurvivesADatanodeOfItsPipeline) {
  pipeline_.fate = [](int pipeline, std::int64_t packet) {
    return pipeline == 0 && packet == 2 ? PacketFate::closed : PacketFate::stored;
  };
  const RanTask ran = run();
  EXPECT_EQ(ran.status, 0) << ran.text;
  EXPECT_EQ(ran.report.account.output, output_bytes);
  EXPECT_EQ(pipeline_.contents(), expected(0, output_bytes));
}

}  // namespace
}  // namespace tracebed
