#include "coordinator/api/coordinator_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/input_error.h"
#include "support/temporary_folder.h"

namespace tracebed {
namespace {

using testing::HasSubstr;

class CoordinatorFiles : public testing::Test {
 protected:
  CoordinatorFile read(const std::string& text) {
    return read_coordinator_file(folder_.write("coordinator.toml", "state = \"/runs\"\n" + text));
  }
  std::string refusal(const std::string& text) {
    try {
      read(text);
      return "accepted";
    } catch (const InputError& error) {
      return error.what();
    }
  }
  TemporaryFolder folder_;
};

TEST_F(CoordinatorFiles, OpenNothingUnlessTold) {
  const CoordinatorFile file = read("");
  EXPECT_EQ(file.address, "127.0.0.1");
  EXPECT_EQ(file.port, 7413);
  EXPECT_FALSE(file.metrics_port);
  EXPECT_FALSE(file.allow_local_runs);
  EXPECT_EQ(file.max_completed_runs, 1'000u);
}

TEST_F(CoordinatorFiles, SayWhatIsKeptAndWhatMayRunHere) {
  const CoordinatorFile file = read("allow_local_runs = true\nmax_completed_runs = 5\n");
  EXPECT_TRUE(file.allow_local_runs);
  EXPECT_EQ(file.max_completed_runs, 5u);
  EXPECT_THAT(refusal("max_completed_runs = 0\n"), HasSubstr("from 1 to 1000000"));
}

TEST_F(CoordinatorFiles, NameARedisByAnAddressThatCanBeOne) {
  EXPECT_THAT(refusal("[redis]\naddress = \"\"\n"),
              HasSubstr("redis.address: expected a text of one line, not empty"));
  for (const char* address :
       {"nonsense", ":6379", "lab0", "lab0:", "lab0:0", "lab0:65536", "lab0:6379x", "unix:"}) {
    EXPECT_THAT(refusal("[redis]\naddress = \"" + std::string(address) + "\"\n"),
                testing::AllOf(HasSubstr("coordinator.toml:3: redis.address: expected the address"),
                               HasSubstr(address)))
        << address;
  }
  for (const char* address : {"127.0.0.1:6379", "lab0:1", "unix:/run/redis.sock"}) {
    EXPECT_EQ(read("[redis]\naddress = \"" + std::string(address) + "\"\n").redis, address);
  }
}

TEST_F(CoordinatorFiles, WantATokenWhereOthersCanConnect) {
  const std::string expected = "expected an address of the loopback interface";
  EXPECT_THAT(refusal("address = \"192.0.2.1\"\n"), HasSubstr("address: " + expected));
  EXPECT_THAT(refusal("[metrics]\naddress = \"0.0.0.0\"\nport = 7414\n"),
              HasSubstr("metrics.address: " + expected));
  EXPECT_THAT(refusal("address = \"lab0\"\n"), HasSubstr("expected an IPv4 address"));
  const CoordinatorFile file = read(
      "address = \"192.0.2.1\"\ntoken_file = \"/t\"\n[metrics]\naddress = "
      "\"192.0.2.1\"\nport = 7414\n");
  EXPECT_EQ(file.address, "192.0.2.1");
  EXPECT_EQ(file.metrics_address, "192.0.2.1");
  EXPECT_EQ(file.metrics_port, 7414);
  EXPECT_EQ(file.token_file, "/t");
}

}  // namespace
}  // namespace tracebed
