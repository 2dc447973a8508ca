#include "system/folders_of_runs.h"

#include <gtest/gtest.h>

#include "core/input_error.h"
#include "support/temporary_folder.h"

namespace tracebed::test {
namespace {

class FoldersOfRunsTest : public testing::Test {
 protected:
  std::filesystem::path folder() const { return folder_.path() / "daemon"; }

  TemporaryFolder folder_;
};

TEST_F(FoldersOfRunsTest, ThoseOfOtherRunsAreRemovedAndNothingElseIs) {
  folder_.write("daemon/BP-old/rbw/blk_1", "x");
  folder_.write("daemon/mine/file", "x");
  folder_.write("elsewhere/file", "x");
  folder_.write("daemon/BP-file", "x");
  std::filesystem::create_directory_symlink(folder_.path() / "elsewhere", folder() / "BP-link");
  const FoldersOfRuns folders(folder(), "BP-");
  const std::filesystem::path opened = folders.open("run-1");
  EXPECT_TRUE(std::filesystem::is_directory(opened));
  EXPECT_FALSE(std::filesystem::exists(folder() / "BP-old"));
  write_file(opened / "replica", "x");
  EXPECT_EQ(folders.open("run-1"), opened);
  EXPECT_TRUE(std::filesystem::exists(opened / "replica"));
  EXPECT_TRUE(folders.remove_all());
  EXPECT_FALSE(std::filesystem::exists(opened));
  for (const char* kept :
       {"daemon/mine/file", "elsewhere/file", "daemon/BP-file", "daemon/BP-link/file"}) {
    EXPECT_TRUE(std::filesystem::exists(folder_.path() / kept)) << kept;
  }
}

// Coordinators choose them.
TEST_F(FoldersOfRunsTest, AreNotMadeOfNamesThatLeadElsewhere) {
  const FoldersOfRuns folders(folder(), "");
  for (const char* run : {"..", "a/b", "", "/tmp"}) {
    EXPECT_THROW(folders.open(run), EnvironmentError) << run;
  }
}

TEST_F(FoldersOfRunsTest, BelongToOneDaemon) {
  const FoldersOfRuns folders(folder(), "BP-");
  EXPECT_THROW(FoldersOfRuns(folder(), "BP-"), EnvironmentError);
}

TEST_F(FoldersOfRunsTest, NeedAFolder) {
  folder_.write("daemon", "x");
  EXPECT_THROW(FoldersOfRuns(folder(), "BP-"), EnvironmentError);
}

}  // namespace
}  // namespace tracebed::test
