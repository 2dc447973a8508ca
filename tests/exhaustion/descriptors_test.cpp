// Strangers that open connections until there are no descriptors left, at every port of a
// coordinator that may open 1,024, while a run is in progress.
#include <algorithm>
#include <gmock/gmock.h>
#include <sys/resource.h>

#include "exhaustion/exhausted_cluster.h"
#include "support/raw_connections.h"

namespace tracebed {
namespace {

using testing::HasSubstr;
using testing::Not;

class Descriptors : public ExhaustedCluster {
 protected:
  void SetUp() override {
    ExhaustedCluster::SetUp();
    if (IsSkipped()) return;
    start(2, "-n 1024");
    rlimit own{};
    ::getrlimit(RLIMIT_NOFILE, &own);
    own.rlim_cur = own.rlim_max;
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &own), 0);
    if (own.rlim_cur < 5'000) GTEST_SKIP() << "this shell may open " << own.rlim_cur << " files";
  }
  // Of silent strangers at loopback addresses of their own.
  static std::vector<FileDescriptor> strangers(std::uint16_t port, std::size_t count) {
    std::vector<FileDescriptor> made;
    for (std::size_t i = 0; i < count; ++i) {
      made.push_back(test::raw_connection(port, fmt::format("127.0.9.{}", 1 + i % 50).c_str()));
    }
    return made;
  }
  std::uint16_t agents_port() const {
    return test::port_of_endpoint(status().at("endpoint").get<std::string>());
  }
  std::size_t open_descriptors() {
    const std::filesystem::path folder = fmt::format("/proc/{}/fd", cluster_->coordinator().id());
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
  }
};

TEST_F(Descriptors, SilentConnectionsAtEveryPortKeepNoRunFromItsEnd) {
  RunningProgram client(program_path("tracebed"), arguments(12, 50));
  ASSERT_TRUE(eventually([&] { return containers() > 0; })) << client.error();
  std::vector<std::vector<FileDescriptor>> floods;
  for (const std::uint16_t port :
       {agents_port(), cluster_->control_port(), cluster_->metrics_port()}) {
    floods.push_back(strangers(port, 1'300));
    EXPECT_LT(open_descriptors(), 1'024u);
  }
  EXPECT_EQ(cluster_->ask({"list"}).exit_code, 0);
  EXPECT_THAT(cluster_->coordinator_metrics(), HasSubstr("tracebed_agent_up{agent=\"lab1\"} 1"));
  const RunFolder folder = expect_whole(client, 12);
  EXPECT_EQ(counters_of(folder).at("agents_lost"), 0u);

  // A run that begins under the flood does so, too; and when it is over, all is as before.
  RunningProgram second(program_path("tracebed"), arguments(2, 10));
  expect_whole(second, 2);
  floods.clear();
  EXPECT_TRUE(eventually([&] { return open_descriptors() < 100; }));
}

TEST_F(Descriptors, TwentyThousandConnectionsTakeNoMoreThanTheirShare) {
  RunningProgram client(program_path("tracebed"), arguments(12, 50));
  ASSERT_TRUE(eventually([&] { return containers() > 0; })) << client.error();
  const std::uint16_t port = agents_port();
  std::vector<FileDescriptor> flood;
  std::size_t most = 0;
  for (int i = 0; i < 40; ++i) {
    // As many at a time as this process may hold; the coordinator may hold far fewer.
    constexpr std::size_t held_max = 4'000;
    if (flood.size() >= held_max) flood.clear();
    for (FileDescriptor& one : strangers(port, 500)) flood.push_back(std::move(one));
    most = std::max(most, open_descriptors());
  }
  EXPECT_LE(most, 700u);
  const RunFolder folder = expect_whole(client, 12);
  EXPECT_EQ(counters_of(folder).at("agents_lost"), 0u);
  EXPECT_THAT(cluster_->coordinator().error(), Not(HasSubstr("Too many open files")));
}

}  // namespace
}  // namespace tracebed
