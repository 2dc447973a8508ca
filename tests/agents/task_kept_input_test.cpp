// Input that a task's executor keeps in memory, by a real shuffle server, and datanodes and a
// coordinator that the test plays.
#include <atomic>
#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <vector>

#include "agents/shuffle/shuffle_server.h"
#include "agents/task/task_input.h"
#include "core/block_content.h"
#include "hdfs_client/scripted_file.h"
#include "hdfs_client/scripted_replica.h"
#include "protocol/hdfs/task_umbilical.h"
#include "support/temporary_folder.h"
#include "task_umbilical.pb.h"

namespace tracebed {
namespace {

using hdfs::test::LoopbackPeer;
using hdfs::test::PeerConnection;

constexpr std::int64_t file_bytes = 300'000;
constexpr std::uint32_t some_job = 5;

class TaskKeptInput : public testing::Test {
 protected:
  TaskKeptInput() {
    file_.set_datanodes({datanode_.endpoint()});
    file_.add_block(hdfs::test::extended_block(1, file_bytes), {datanode_.endpoint().text()});
    using Request = hdfs::pb::GetShuffleServerRequest;
    using Response = hdfs::pb::GetShuffleServerResponse;
    file_.namenode().on_named<Request, Response>(
        hdfs::get_shuffle_server_method, [this](const Request& request) {
          Response response;
          const std::uint16_t port = port_;
          if (port == 0 || (request.has_machine() && request.machine() != 3)) return response;
          response.set_address(address);
          response.set_port(port);
          return response;
        });
    start();
  }
  void start(std::uint64_t kept_bytes_max = 1'000'000) {
    server_.reset();
    ShuffleServerOptions options;
    options.address = address;
    options.folder = folder_.path() / "outputs";
    options.key = key_;
    options.kept_bytes_max = kept_bytes_max;
    server_ = std::make_unique<ShuffleServer>(options);
    port_ = server_->port();
  }

  WorkSpec reading() {
    WorkSpec spec;
    spec.input = {file_.namenode().endpoint().text(), address, "rack"};
    spec.work.shuffle_job = some_job;
    spec.work.input_file = 16'390;
    spec.work.input_offset = 1'000;
    spec.work.input_length = file_bytes - 1'000;
    spec.work.input_executor = 1;
    spec.work.input_executor_bytes = file_bytes;
    return spec;
  }
  // Of the executor that has read it.
  WorkSpec again() {
    WorkSpec spec = reading();
    std::swap(spec.work.input_kept_length, spec.work.input_length);
    return spec;
  }
  // Of another, as its master says.
  WorkSpec elsewhere(std::int64_t machine) {
    WorkSpec spec = reading();
    spec.work.input_executor = spec.work.input_executor_bytes = 0;
    spec.work.input_cached_on = machine;
    return spec;
  }
  // What it took from its file, all of which is right, like the rest.
  std::int64_t read_of_file(const WorkSpec& spec) {
    StopOrder stop;
    TaskInput input(spec, &token_, stop);
    std::vector<std::byte> all;
    for (;;) {
      const auto part = input.next();
      if (!part) {
        ADD_FAILURE() << part.error().message;
        break;
      }
      if (part->empty()) break;
      all.insert(all.end(), part->begin(), part->end());
      if (on_part_) on_part_();
    }
    std::vector<std::byte> right(file_bytes - 1'000);
    BlockContent(1).fill(1'000, right);
    EXPECT_EQ(all, right);
    EXPECT_EQ(input.position(), file_bytes - 1'000);
    return input.read().total();
  }

  static constexpr const char* address = "127.0.1.3";
  TemporaryFolder folder_;
  shuffle::RunKey key_{std::array<std::byte, 32>{std::byte{7}}};
  shuffle::JobToken token_ = shuffle::job_token(key_, some_job);
  std::unique_ptr<ShuffleServer> server_;
  std::atomic<std::uint16_t> port_ = 0;  // of the server; 0: there is none
  std::function<void()> on_part_;
  LoopbackPeer datanode_{[](PeerConnection& client, int) { serve_read(client, {}); }, address};
  hdfs::test::ScriptedFile file_{file_bytes};
};

TEST_F(TaskKeptInput, IsReadOnceByItsExecutor) {
  EXPECT_EQ(read_of_file(reading()), file_bytes - 1'000);
  EXPECT_EQ(read_of_file(again()), 0);
  EXPECT_EQ(read_of_file(again()), 0);
  EXPECT_EQ(datanode_.connections(), 1);
}

TEST_F(TaskKeptInput, IsTakenFromTheMachineWhoseExecutorHasIt) {
  EXPECT_EQ(read_of_file(reading()), file_bytes - 1'000);
  EXPECT_EQ(read_of_file(elsewhere(3)), 0);
  EXPECT_EQ(read_of_file(elsewhere(2)), file_bytes - 1'000) << "a machine without a server";
}

// Its machine's server has ended and come again; then it is kept anew.
TEST_F(TaskKeptInput, ThatWasLostIsReadAgainAndKept) {
  EXPECT_EQ(read_of_file(reading()), file_bytes - 1'000);
  start();
  EXPECT_EQ(read_of_file(again()), file_bytes - 1'000);
  EXPECT_EQ(read_of_file(again()), 0);
}

TEST_F(TaskKeptInput, IsReadFromItsFileFromWhereTheServerEnded) {
  EXPECT_EQ(read_of_file(reading()), file_bytes - 1'000);
  on_part_ = [this] {
    if (server_ != nullptr) server_->stop();
  };
  const std::int64_t read = read_of_file(again());
  EXPECT_LT(read, file_bytes - 1'000);
}

TEST_F(TaskKeptInput, IsReadEachTimeWhereThereIsNoRoomForItOrNoServer) {
  start(100'000);
  EXPECT_EQ(read_of_file(reading()), file_bytes - 1'000);
  EXPECT_EQ(read_of_file(again()), file_bytes - 1'000);
  server_.reset();
  port_ = 0;
  EXPECT_EQ(read_of_file(reading()), file_bytes - 1'000);
}

// Of a task that is ordered to stop in the middle nothing is kept.
TEST_F(TaskKeptInput, IsKeptOnlyIfItWasReadToItsEnd) {
  {
    StopOrder stop;
    const WorkSpec spec = reading();
    TaskInput input(spec, &token_, stop);
    ASSERT_TRUE(input.read_to(10'000));
  }
  EXPECT_EQ(read_of_file(again()), file_bytes - 1'000);
}

}  // namespace
}  // namespace tracebed
