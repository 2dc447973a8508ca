// Files of map outputs that are damaged or missing, and disks that are full.
#include <fstream>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "agents/shuffle/shuffle_fixture.h"
#include "system/file_size_limit.h"

namespace tracebed {
namespace {

using namespace test;

constexpr std::uint64_t mebibytes = 1 << 20;

void change_byte(const std::filesystem::path& path, std::uint64_t at) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekg(static_cast<std::streamoff>(at));
  const int byte = file.get();
  file.seekp(static_cast<std::streamoff>(at));
  file.put(static_cast<char>(byte ^ 1));
}

TEST(ShuffleFiles, AnswersThatAFileIsDamagedWhicheverByteItIs) {
  TestShuffle shuffle;
  ASSERT_TRUE(shuffle.put(1, 5'000));
  ASSERT_TRUE(shuffle.put(2, 10));
  const auto file = shuffle.folder() / std::to_string(job) / "1";
  const std::uint64_t size = std::filesystem::file_size(file);
  auto fetcher = shuffle.fetcher();
  for (std::uint64_t at = 0; at < size; at += at < size - 40 ? 97 : 1) {
    change_byte(file, at);
    const auto fetched = shuffle.fetch(fetcher, {{1, 0, 5'000}, {2, 0, 10}});
    EXPECT_EQ(fetched.failure(0), FailureKind::damaged) << at;
    EXPECT_FALSE(fetched.failure(1)) << at;
    change_byte(file, at);
  }
  EXPECT_FALSE(shuffle.fetch(fetcher, {{1, 0, 5'000}}).failure());
  for (const std::uint64_t shorter : {size - 1, std::uint64_t{24}, std::uint64_t{0}}) {
    std::filesystem::resize_file(file, shorter);
    EXPECT_EQ(shuffle.fetch(fetcher, {{1, 0, 1}}).failure(), FailureKind::damaged);
  }
}

// In the middle of a range, whose begin is sent already.
TEST(ShuffleFiles, SaysSoWhereDamageBegins) {
  TestShuffle shuffle;
  ASSERT_TRUE(shuffle.put(1, 4 * mebibytes));
  change_byte(shuffle.folder() / std::to_string(job) / "1", 3 * mebibytes);
  auto fetcher = shuffle.fetcher();
  const auto fetched = shuffle.fetch(fetcher, {{1, 0, 4 * mebibytes}, {1, 0, mebibytes}});
  EXPECT_EQ(fetched.failure(0), FailureKind::damaged);
  EXPECT_GE(fetched.ranges[0].bytes, 2 * mebibytes);
  EXPECT_FALSE(fetched.failure(1));
  EXPECT_EQ(shuffle->figures().connections, 1);
}

// A full disk fails alike.
TEST(ShuffleFiles, AnswersThatThereIsNoSpace) {
  TestShuffle shuffle;
  report_file_size_limit();
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit small{1 << 20, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  EXPECT_EQ(shuffle.put(1, 64 * mebibytes).error().kind, FailureKind::no_space);
  EXPECT_EQ(shuffle.put(2, mebibytes).error().kind, FailureKind::no_space) << "found by the commit";
  EXPECT_TRUE(shuffle.put(3, mebibytes / 2));
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  EXPECT_EQ(shuffle.fetch({{1, 0, 1}}).failure(), FailureKind::unknown_output);
  EXPECT_EQ(shuffle.fetch({{2, 0, 1}}).failure(), FailureKind::unknown_output);
  EXPECT_FALSE(shuffle.fetch({{3, 0, mebibytes / 2}}).failure());
  EXPECT_TRUE(std::filesystem::is_empty(shuffle.folder() / "unfinished"));
}

TEST(ShuffleFiles, AnswersThatItsFolderIsGone) {
  TestShuffle shuffle;
  ASSERT_TRUE(shuffle.put(1, 10));
  std::filesystem::remove_all(shuffle.folder());
  EXPECT_EQ(shuffle.fetch({{1, 0, 10}}).failure(), FailureKind::unknown_output);
  EXPECT_EQ(shuffle.put(2, 10).error().kind, FailureKind::failed);
}

}  // namespace
}  // namespace tracebed
