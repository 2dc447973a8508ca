// `tracebed storage` against a namenode's servers, as people and programs use it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "coordinator/cli/program.h"
#include "coordinator/namenode_server/namenode_rpc_server.h"
#include "coordinator/namenode_server/run_thread.h"
#include "core/exit_codes.h"

namespace tracebed {
namespace {

using nlohmann::json;
using test::RunThread;
using testing::HasSubstr;

class StorageCommand : public testing::Test {
 protected:
  void SetUp() override {
    run_.preload("/data/part-0", 2'500);
    run_.preload("/data/sub/deep", 1'024);
  }
  ProgramEnd storage(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "storage");
    arguments.insert(arguments.end(), {"--namenode", "127.0.0.1:" + std::to_string(server_.port()),
                                       "--user", "alice"});
    return tracebed_program(arguments);
  }
  json answer(std::vector<std::string> arguments) const {
    arguments.push_back("--json");
    const ProgramEnd end = storage(arguments);
    EXPECT_EQ(end.exit_code, 0) << end.error;
    return json::parse(end.out);
  }

  RunThread run_;
  NamenodeRpcServer server_{run_.gate(), {}};
};

TEST_F(StorageCommand, ListsADirectoryAndAFile) {
  const json listed = answer({"ls", "/data"});
  ASSERT_EQ(listed.at("entries").size(), 2u);
  EXPECT_EQ(listed.at("entries")[0].at("name"), "part-0");
  EXPECT_EQ(listed.at("entries")[0].at("length"), 2'500);
  EXPECT_EQ(listed.at("entries")[1].at("is_directory"), true);
  EXPECT_EQ(answer({"ls", "/data/part-0"}).at("entries")[0].at("name"), "/data/part-0");
  EXPECT_THAT(storage({"ls", "/data"}).out, HasSubstr("alice"));
}

TEST_F(StorageCommand, SumsUpFiles) {
  const json summary = answer({"du", "/"});
  EXPECT_EQ(summary.at("length"), 3'524);
  EXPECT_EQ(summary.at("files"), 2);
  EXPECT_EQ(summary.at("space_consumed"), 3 * 3'524);
}

TEST_F(StorageCommand, ListsBlocksWithTheirReplicas) {
  const json blocks = answer({"blocks", "/data/part-0"}).at("blocks");
  ASSERT_EQ(blocks.size(), 3u);
  EXPECT_EQ(blocks[2].at("offset"), 2'048);
  EXPECT_EQ(blocks[2].at("length"), 452);
  EXPECT_EQ(blocks[2].at("replicas").size(), 3u);
  EXPECT_EQ(blocks[0].at("replicas")[0].at("rack"), "/rack0");
}

TEST_F(StorageCommand, ChecksAllFiles) {
  const json health = answer({"fsck"});
  EXPECT_EQ(health.at("files"), 2);
  EXPECT_EQ(health.at("blocks"), 4);
  EXPECT_EQ(health.at("missing"), 0);
  EXPECT_EQ(health.at("under_replicated"), 0);
}

TEST_F(StorageCommand, ReportsDatanodes) {
  const json report = answer({"report"});
  ASSERT_EQ(report.at("datanodes").size(), 3u);
  EXPECT_EQ(report.at("datanodes")[0].at("is_live"), true);
  EXPECT_EQ(report.at("datanodes")[0].at("state"), "normal");
}

TEST_F(StorageCommand, ShowsAndChangesSafeMode) {
  EXPECT_EQ(answer({"safemode"}).at("is_on"), false);
  EXPECT_EQ(answer({"safemode", "enter"}).at("is_on"), true);
  EXPECT_EQ(answer({"safemode", "leave"}).at("is_on"), false);
}

TEST_F(StorageCommand, RefusesWhatIsNotThere) {
  for (const char* command : {"ls", "du", "blocks", "fsck"}) {
    const ProgramEnd end = storage({command, "/nowhere"});
    EXPECT_EQ(end.exit_code, to_int(ExitCode::input)) << command;
    EXPECT_THAT(end.error, HasSubstr("/nowhere")) << command;
  }
}

TEST(StorageCommandFlags, AreChecked) {
  for (const char* address : {"x", "127.0.0.1", "127.0.0.1:", "127.0.0.1:0", "host:8020",
                              "127.0.0.1:99999", "127.0.0.1:80x"}) {
    const ProgramEnd end = tracebed_program({"storage", "ls", "--namenode", address});
    EXPECT_EQ(end.exit_code, to_int(ExitCode::input)) << address;
    EXPECT_THAT(end.error, HasSubstr("--namenode: expected ADDRESS:PORT")) << address;
  }
  const ProgramEnd nobody = tracebed_program({"storage", "ls", "--namenode", "127.0.0.1:1"});
  EXPECT_EQ(nobody.exit_code, to_int(ExitCode::environment));
  EXPECT_THAT(nobody.error, HasSubstr("127.0.0.1:1"));
  const ProgramEnd rates =
      tracebed_program({"storage", "rates", "127.0.1.1", "--thrift", "127.0.0.1:1", "--disk", "5"});
  EXPECT_EQ(rates.exit_code, to_int(ExitCode::input));
  EXPECT_THAT(rates.error, HasSubstr("--disk: expected a rate like"));
}

}  // namespace
}  // namespace tracebed
