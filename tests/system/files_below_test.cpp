#include "system/files_below.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/temporary_folder.h"

namespace tracebed {
namespace {

TEST(PathsBelow, AreWordsWithASlashBetweenThem) {
  for (const std::string path : {"a", "a/b.csv", "...", "a b", "\xc3\xa4/x"}) {
    EXPECT_TRUE(is_path_below(path)) << path;
  }
  for (const std::string path :
       {"", "/", "/a", "a/", "a//b", ".", "..", "a/..", "../a", "a/./b", "a\nb", "a\x7f"}) {
    EXPECT_FALSE(is_path_below(path)) << path;
  }
  EXPECT_FALSE(is_path_below(std::string("a\0b", 3)));
  EXPECT_TRUE(is_path_below(std::string(255, 'a')));
  EXPECT_FALSE(is_path_below(std::string(256, 'a')));
  std::string deep = "a";
  for (int i = 1; i < 16; ++i) deep += "/a";
  EXPECT_TRUE(is_path_below(deep));
  EXPECT_FALSE(is_path_below(deep + "/a"));
}

class FilesBelow : public testing::Test {
 protected:
  FilesBelow() {
    folder_.write("outside", "secret");
    folder_.write("in/a/one", "1");
    std::filesystem::create_symlink("../outside", folder_.path() / "in/link");
    std::filesystem::create_directory_symlink("..", folder_.path() / "in/up");
    mkfifo(folder_.file("in/pipe").c_str(), 0600);
    in_ = std::move(*open_folder(folder_.path() / "in"));
  }
  TemporaryFolder folder_;
  FileDescriptor in_;
};

TEST_F(FilesBelow, AreOpenedAndNothingElse) {
  const Result<FileDescriptor> file = open_below(in_, "a/one");
  ASSERT_TRUE(file);
  char byte = 0;
  EXPECT_EQ(read(file->number(), &byte, 1), 1);
  EXPECT_EQ(byte, '1');
  for (const char* path : {"link", "up/outside", "pipe", "a", "b", "../outside"}) {
    EXPECT_FALSE(open_below(in_, path)) << path;
  }
}

TEST_F(FilesBelow, AreMadeWithTheirFoldersAndNeverReplaced) {
  EXPECT_TRUE(create_below(in_, "b/c/two"));
  EXPECT_TRUE(std::filesystem::exists(folder_.path() / "in/b/c/two"));
  for (const char* path : {"b/c/two", "a/one", "link", "up/three", "../three", "a/one/x"}) {
    EXPECT_FALSE(create_below(in_, path)) << path;
  }
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "three"));
}

TEST_F(FilesBelow, AreListedInOrderAPageAtATime) {
  for (const char* path : {"in/a.b", "in/a/two", "in/b"}) folder_.write(path, "12");
  const auto paths = [&](const std::string& after, std::size_t count) {
    std::vector<std::string> names;
    for (const FileBelow& file : files_below(folder_.path() / "in", after, count)) {
      names.push_back(file.path);
    }
    return names;
  };
  EXPECT_THAT(paths("", 10), testing::ElementsAre("a.b", "a/one", "a/two", "b"));
  EXPECT_THAT(paths("", 2), testing::ElementsAre("a.b", "a/one"));
  EXPECT_THAT(paths("a/one", 2), testing::ElementsAre("a/two", "b"));
  EXPECT_THAT(paths("b", 2), testing::IsEmpty());
}

}  // namespace
}  // namespace tracebed
