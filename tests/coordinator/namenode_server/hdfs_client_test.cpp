// Debian's `hdfs` (hdfs-cli), which shares no code with this testbed.
#include <gmock/gmock.h>

#include "coordinator/namenode_server/namenode_rpc_server.h"
#include "coordinator/namenode_server/run_thread.h"
#include "support/command.h"

namespace tracebed {
namespace {

using test::CommandResult;
using test::RunThread;
using testing::HasSubstr;

class HdfsClientTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!test::has_program("hdfs")) GTEST_SKIP() << "hdfs-cli is not installed";
    run_.preload("/data/part-0", 2500);
    run_.preload("/data/part 1", 10);
    run_.preload("/data/sub/deep", 1024);
  }
  CommandResult hdfs(const std::string& arguments) const {
    return test::run_command("HADOOP_USER_NAME=alice HADOOP_NAMENODE=127.0.0.1:" +
                             std::to_string(server_.port()) + " timeout 60 hdfs " + arguments);
  }
  std::string output(const std::string& arguments) const {
    const CommandResult result = hdfs(arguments);
    EXPECT_EQ(result.status, 0) << arguments << ": " << result.output;
    return result.output;
  }

  RunThread run_;
  NamenodeRpcServer server_{run_.gate(), {}};
};

TEST_F(HdfsClientTest, Lists) {
  EXPECT_EQ(output("ls /data"), "part 1\npart-0\nsub\n");
  const std::string details = output("ls -l /data");
  EXPECT_THAT(details, HasSubstr("alice"));
  EXPECT_THAT(details, HasSubstr("2500"));
  EXPECT_EQ(output("ls '/data/part*'"), "/data/part 1\n/data/part-0\n");
  const CommandResult missing = hdfs("ls /nowhere");
  EXPECT_NE(missing.status, 0);
  EXPECT_THAT(missing.output, HasSubstr("file does not exist"));
}

TEST_F(HdfsClientTest, MakesMovesAndRemoves) {
  output("mkdir -p /users/alice/x");
  EXPECT_THAT(hdfs("mkdir /users").output, HasSubstr("exists"));
  output("mv /users/alice/x /users/y");
  EXPECT_EQ(output("ls /users"), "alice\ny\n");
  EXPECT_NE(hdfs("rm /users").status, 0);
  output("rm -r /users");
  EXPECT_EQ(output("ls /"), "data\n");
  output("mv '/data/part 1' /data/sub/");
  EXPECT_EQ(output("ls /data/sub"), "deep\npart 1\n");
}

TEST_F(HdfsClientTest, ChangesPermissionsAndOwners) {
  output("chmod 600 /data/part-0");
  output("chown bob:staff /data/part-0");
  const std::string details = output("ls -l /data/part-0");
  EXPECT_THAT(details, HasSubstr("-rw-------"));
  EXPECT_THAT(details, HasSubstr("bob"));
  EXPECT_THAT(details, HasSubstr("staff"));
}

TEST_F(HdfsClientTest, TouchesFiles) {
  output("touch /data/new");
  EXPECT_EQ(output("ls /data/new"), "/data/new\n");
  output("touch /data/part-0");
  EXPECT_THAT(output("ls -l /data/part-0"), HasSubstr("2500"));
}

TEST_F(HdfsClientTest, MeasuresUse) {
  EXPECT_THAT(output("du /data"), HasSubstr("2500"));
  EXPECT_THAT(output("du -s /data"), HasSubstr("3534"));
  EXPECT_THAT(output("df"), HasSubstr("3000000000"));
}

TEST_F(HdfsClientTest, IsToldThatNoRunIsOpen) {
  run_.end_run();
  const CommandResult result = hdfs("ls /");
  EXPECT_NE(result.status, 0);
  EXPECT_THAT(result.output, HasSubstr("RetriableException"));
}

}  // namespace
}  // namespace tracebed
