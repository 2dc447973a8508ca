#include "agents/datanode/pool_folders.h"

#include <gtest/gtest.h>

#include "core/input_error.h"
#include "support/temporary_folder.h"

namespace tracebed::test {
namespace {

class Pools : public testing::Test {
 protected:
  std::filesystem::path folder() const { return folder_.path() / "datanode"; }

  TemporaryFolder folder_;
};

TEST_F(Pools, OfOtherRunsAreRemovedAndNothingElseIs) {
  folder_.write("datanode/BP-old/rbw/blk_1", "x");
  folder_.write("datanode/mine/file", "x");
  folder_.write("elsewhere/file", "x");
  folder_.write("datanode/BP-file", "x");
  std::filesystem::create_directory_symlink(folder_.path() / "elsewhere", folder() / "BP-link");
  const PoolFolders pools(folder());
  const std::filesystem::path opened = pools.open("run-1");
  EXPECT_TRUE(std::filesystem::is_directory(opened));
  EXPECT_FALSE(std::filesystem::exists(folder() / "BP-old"));
  write_file(opened / "replica", "x");
  EXPECT_EQ(pools.open("run-1"), opened);
  EXPECT_TRUE(std::filesystem::exists(opened / "replica"));
  pools.remove_all();
  EXPECT_FALSE(std::filesystem::exists(opened));
  for (const char* kept :
       {"datanode/mine/file", "elsewhere/file", "datanode/BP-file", "datanode/BP-link/file"}) {
    EXPECT_TRUE(std::filesystem::exists(folder_.path() / kept)) << kept;
  }
}

TEST_F(Pools, BelongToOneDatanode) {
  const PoolFolders pools(folder());
  EXPECT_THROW(PoolFolders{folder()}, EnvironmentError);
}

TEST_F(Pools, NeedAFolder) {
  folder_.write("datanode", "x");
  EXPECT_THROW(PoolFolders{folder()}, EnvironmentError);
}

}  // namespace
}  // namespace tracebed::test
