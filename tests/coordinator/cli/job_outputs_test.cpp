// Jobs of a local run write their output through pipelines of real datanodes: every byte of it is
// there for other clients, also if datanodes and tasks are killed meanwhile.
#include <csignal>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "coordinator/cli/kept_open_cluster.h"
#include "core/block_content.h"
#include "core/output_files.h"
#include "support/eventually.h"
#include "support/files.h"

namespace tracebed {
namespace {

// Name, submit time, gap, map input, shuffle and output in bytes. The last job lasts until the
// test ends the run.
constexpr const char* jobs =
    "small\t0\t0\t2000000\t1000000\t3000001\n"
    "map-only\t1\t1\t2000000\t0\t2500000\n"
    "endless\t3\t2\t9000000000\t0\t0\n";
constexpr std::int64_t small_output = 3'000'001;
constexpr std::int64_t map_only_output = 2'500'000;

class LocalJobOutputs : public ::testing::Test {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "cgroups can be written by root only";
  }
  void start(const std::string& storage) {
    cluster_.emplace("job-outputs-" + std::to_string(::getpid()),
                     KeptOpenOptions{.nodes = 6,
                                     .racks = 3,
                                     .storage = "output_replication = 3\n" + storage,
                                     .namenode = "safemode = false\n",
                                     .jobs = jobs});
  }
  bool is_written(const std::string& path) {
    return cluster_->sh("$STORAGE du " + path).status == 0;
  }
  // Of a job with one task that writes.
  void expect_output(std::int64_t job, TaskRef task, std::int64_t length) {
    TaskWork work;
    work.output_job = job;
    work.output_part = output_part_of(task);
    const std::string path = output_path_of(work);
    ASSERT_TRUE(eventually([&] { return is_written(path); }))
        << path << "\n"
        << cluster_->said("$STORAGE ls /tracebed; $STORAGE ls /tracebed/0/output");
    const auto got = cluster_->sh("$STORAGE get " + path + " got --overwrite");
    ASSERT_EQ(got.status, 0) << got.output;
    std::string expected(static_cast<std::size_t>(length), '\0');
    BlockContent(output_content_id(work)).fill(0, std::as_writable_bytes(std::span(expected)));
    EXPECT_TRUE(contents(cluster_->folder() / "got") == expected) << path;
  }

  std::optional<KeptOpenCluster> cluster_;
};

TEST_F(LocalJobOutputs, AreThereForOtherClients) {
  start("");
  expect_output(0, {1, 0}, small_output);
  expect_output(1, {0, 0}, map_only_output);
  EXPECT_TRUE(eventually([&] { return !is_written("/tracebed/0/output/_temporary"); }));
  EXPECT_TRUE(eventually([&] { return cluster_->is_replicated(); }));
  EXPECT_THAT(cluster_->holders("/tracebed/0/output/part-00001-00000", 0), testing::SizeIs(3));
}

// At 40 kB/s of the wall clock, a pipeline is long enough there to be disturbed.
TEST_F(LocalJobOutputs, SurviveADatanodeOfTheirPipeline) {
  start("network_rate = \"40 kB/s\"\ndisk_rate = \"unlimited\"\n");
  const std::string folder = "/tracebed/0/output/_temporary";
  std::string path;
  ASSERT_TRUE(eventually([&] {
    const auto listed = cluster_->sh("$STORAGE ls " + folder + " --json 2> /dev/null");
    if (listed.status != 0) return false;
    const auto entries = nlohmann::json::parse(listed.output).at("entries");
    if (entries.empty()) return false;
    path = folder + "/" + entries[0].at("name").get<std::string>();
    return cluster_->sh("$STORAGE blocks " + path + " | grep blk_").status == 0;
  }));
  const std::vector<std::string> members = cluster_->holders(path, -1);
  ASSERT_FALSE(members.empty());
  ASSERT_EQ(::kill(cluster_->datanode(members.back()), SIGKILL), 0);
  expect_output(0, {1, 0}, small_output);
}

}  // namespace
}  // namespace tracebed
