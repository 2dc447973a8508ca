// The shuffle server's own cgroup, with its limits.
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <unistd.h>

#include "agents/cgroups/open_tree.h"
#include "agents/shuffle_link/shuffle_server_child.h"
#include "support/eventually.h"
#include "support/temporary_folder.h"

namespace tracebed {
namespace {

std::string text_of(const std::string& file) {
  std::ifstream opened(file);
  return {std::istreambuf_iterator<char>(opened), {}};
}

TEST(ShuffleCgroup, HasItsLimitsAndIsRemovedWithTheServer) {
  const CgroupSupport support = detect_cgroups(cgroup_surroundings());
  if (support.kind == CgroupSupport::Kind::none) GTEST_SKIP() << "cgroups cannot be used here";
  const TemporaryFolder folder;
  const AgentName name{"shuffle-test-" + std::to_string(getpid()), "node.shuffle"};
  ShuffleBegin begin;
  begin.address = "127.0.0.1";
  begin.folder = folder.file("shuffle");
  begin.cgroup = ShuffleCgroup{name, CgroupLimits{500, 96, 200}, true};
  std::vector<std::string> directories;
  {
    ShuffleServerChild child(TRACEBED_SHUFFLE, begin);
    EXPECT_TRUE(eventually([&] {
      child.advance();
      return child.port() || child.failure();
    }));
    ASSERT_FALSE(child.failure()) << *child.failure();
    const auto expect_text = [&](const std::string& file, const std::string& text) {
      EXPECT_EQ(text_of(file), text) << file;
    };
    const std::string process = std::to_string(child.process()) + "\n";
    if (support.kind == CgroupSupport::Kind::v2) {
      const std::string directory = agent_path(support.place_v2, name);
      directories.push_back(directory);
      expect_text(directory + "/cpu.max", "50000 100000\n");
      expect_text(directory + "/memory.max", std::to_string(96 << 20) + "\n");
      expect_text(directory + "/pids.max", "200\n");
    }
    for (const CgroupPlaceV1& place : support.places_v1) {
      const std::string directory = agent_path(place.directory, name);
      directories.push_back(directory);
      if (place.cpu) expect_text(directory + "/cpu.cfs_quota_us", "50000\n");
      if (place.memory) {
        expect_text(directory + "/memory.limit_in_bytes", std::to_string(96 << 20) + "\n");
      }
      if (place.pids) expect_text(directory + "/pids.max", "200\n");
    }
    for (const std::string& directory : directories) {
      expect_text(directory + "/cgroup.procs", process);
    }
  }
  for (const std::string& directory : directories) EXPECT_FALSE(is_directory(directory));
}

}  // namespace
}  // namespace tracebed
