#include "agents/shuffle/shuffle_server.h"

#include <csignal>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <thread>

#include "agents/shuffle/shuffle_fixture.h"
#include "core/input_error.h"
#include "support/raw_connections.h"

namespace tracebed {
namespace {

using namespace test;

constexpr std::uint64_t mebi = 1 << 20;

TEST(ShuffleServer, ServesWhatWasPutWholeAndInRanges) {
  const TestShuffle shuffle;
  const std::uint64_t length = 3 * mebi + 17;
  ASSERT_TRUE(shuffle.put(5, length));
  ASSERT_TRUE(shuffle.put(6, 0));
  ASSERT_TRUE(shuffle.put(7, 1));
  const auto fetched = shuffle.fetch({{5, 0, length},
                                      {5, 1, 1},
                                      {5, 4'095, 2},
                                      {5, 4'095, shuffle::chunk_bytes_max},
                                      {5, length - 1, 1},
                                      {5, length, 0},
                                      {6, 0, 0},
                                      {7, 0, 1}});
  for (std::size_t i = 0; i < fetched.ranges.size(); ++i) EXPECT_FALSE(fetched.failure(i)) << i;
}

TEST(ShuffleServer, ServesEveryRangeOfASmallOutput) {
  const TestShuffle shuffle;
  auto fetcher = shuffle.fetcher();
  for (const std::uint64_t length : {4'095u, 4'096u, 4'097u, 8'192u}) {
    ASSERT_TRUE(shuffle.put(static_cast<std::uint32_t>(length), length));
    std::vector<OutputRange> ranges;
    for (const std::uint64_t begin : {0u, 1u, 4'094u, 4'095u, 4'096u, 4'097u, 8'191u, 8'192u}) {
      for (const std::uint64_t end : {0u, 1u, 4'095u, 4'096u, 4'097u, 8'192u}) {
        if (begin > end || end > length) continue;
        ranges.push_back({static_cast<std::uint32_t>(length), begin, end - begin});
      }
    }
    for (const OutputRange& range : ranges) {
      EXPECT_FALSE(shuffle.fetch(fetcher, {range}).failure());
    }
  }
}

TEST(ShuffleServer, KeepsAConnectionForTheNextRequest) {
  TestShuffle shuffle;
  ASSERT_TRUE(shuffle.put(1, 100));
  auto fetcher = shuffle.fetcher();
  for (int i = 0; i < 10; ++i) EXPECT_FALSE(shuffle.fetch(fetcher, {{1, 0, 100}}).failure());
  EXPECT_EQ(shuffle->figures().connections, 1);
  EXPECT_TRUE(eventually([&] { return shuffle->figures().bytes_got == 1'000; }));
  EXPECT_EQ(shuffle->figures().bytes_put, 100);
}

TEST(ShuffleServer, ShowsNothingBeforeTheCommit) {
  const TestShuffle shuffle;
  auto output = shuffle.writer(1);
  ASSERT_TRUE(output);
  ASSERT_TRUE(output->write(content(1, 0, mebi)));
  EXPECT_EQ(shuffle.fetch({{1, 0, 1}}).failure(), FailureKind::unknown_output);
  ASSERT_TRUE(output->close());
  EXPECT_FALSE(shuffle.fetch({{1, 0, mebi}}).failure());
}

TEST(ShuffleServer, ReplacesAnOutputThatIsPutAgain) {
  const TestShuffle shuffle;
  ASSERT_TRUE(shuffle.put(1, 100));
  ASSERT_TRUE(shuffle.put(1, 200));
  EXPECT_FALSE(shuffle.fetch({{1, 0, 200}}).failure());
}

TEST(ShuffleServer, AnswersForEachRangeAlone) {
  const TestShuffle shuffle;
  ASSERT_TRUE(shuffle.put(1, 100));
  const auto fetched =
      shuffle.fetch({{1, 0, 100}, {2, 0, 1}, {1, 1, 100}, {1, 101, 0}, {1, 99, 1}});
  EXPECT_FALSE(fetched.failure(0));
  EXPECT_EQ(fetched.failure(1), FailureKind::unknown_output);
  EXPECT_EQ(fetched.failure(2), FailureKind::beyond_end);
  EXPECT_EQ(fetched.failure(3), FailureKind::beyond_end);
  EXPECT_FALSE(fetched.failure(4));
  EXPECT_THAT(fetched.ranges[1].failure->message,
              testing::HasSubstr("output of container 2 of job 7"));
  EXPECT_EQ(fetched.ranges[1].failure->host, shuffle.endpoint());
}

TEST(ShuffleServer, ServesManyFetchersAtATime) {
  TestShuffle shuffle;
  for (std::uint32_t i = 0; i < 4; ++i) ASSERT_TRUE(shuffle.put(i, mebi));
  {
    std::vector<std::jthread> threads;
    for (std::uint32_t t = 0; t < 8; ++t) {
      threads.emplace_back([&, t] {
        auto fetcher = shuffle.fetcher();
        for (std::uint32_t i = 0; i < 8; ++i) {
          const std::uint32_t one = (i + t) % 4;
          EXPECT_FALSE(
              shuffle.fetch(fetcher, {{one, t, mebi - t}, {(one + 1) % 4, i, 1}}).failure());
        }
        EXPECT_TRUE(shuffle.put(100 + t, 10 * t));
      });
    }
  }
  EXPECT_TRUE(eventually([&] { return shuffle->figures().connections == 0; }));
}

TEST(ShuffleServer, DeletesWhatIsNotCommittedWhenItsConnectionEnds) {
  TestShuffle shuffle;
  const auto drafts = [&] {
    const std::filesystem::directory_iterator files(shuffle.folder() / "unfinished");
    return std::distance(begin(files), end(files));
  };
  {
    auto output = shuffle.writer(1);
    ASSERT_TRUE(output);
    ASSERT_TRUE(output->write(content(1, 0, mebi)));
    EXPECT_EQ(drafts(), 1);
  }
  EXPECT_TRUE(eventually([&] { return drafts() == 0; }));
  EXPECT_EQ(shuffle.fetch({{1, 0, 1}}).failure(), FailureKind::unknown_output);
}

// The process of a map task is killed.
TEST(ShuffleServer, ShowsNothingOfAMapThatWasKilled) {
  TestShuffle shuffle;
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    auto output = shuffle.writer(1);
    while (output && output->write(content(1, 0, mebi))) {
    }
    _exit(1);
  }
  EXPECT_TRUE(eventually([&] { return shuffle->figures().bytes_put > 5 * mebi; }));
  kill(child, SIGKILL);
  ASSERT_EQ(waitpid(child, nullptr, 0), child);
  EXPECT_TRUE(eventually([&] { return shuffle->figures().connections == 0; }));
  EXPECT_EQ(shuffle.fetch({{1, 0, 1}}).failure(), FailureKind::unknown_output);
  EXPECT_TRUE(std::filesystem::is_empty(shuffle.folder() / "unfinished"));
}

TEST(ShuffleServer, ServesWhatItsPredecessorCommitted) {
  TestShuffle shuffle;
  ASSERT_TRUE(shuffle.put(1, mebi + 1));
  shuffle.restart();
  EXPECT_FALSE(shuffle.fetch({{1, 0, mebi + 1}}).failure());
}

TEST(ShuffleServer, SharesItsFolderWithNoOther) {
  const TestShuffle shuffle;
  ShuffleServerOptions options;
  options.address = "127.0.0.1";
  options.folder = shuffle.folder();
  EXPECT_THROW(ShuffleServer{options}, EnvironmentError);
}

TEST(ShuffleServer, KeepsSpillsUntilTheirContainerDropsThem) {
  TestShuffle shuffle;
  const std::vector<shuffle::Put> spills = {{job, 1, 1}, {job, 1, 2}, {job, 2, 1}, {job + 1, 1, 1}};
  ASSERT_TRUE(shuffle.put(1, 100));
  for (const shuffle::Put& spill : spills) ASSERT_TRUE(shuffle.put(spill, 5'000));
  shuffle.restart();
  auto fetcher = shuffle.fetcher();
  const std::vector<OutputRange> ranges = {
      {1, 0, 100}, {1, 10, 4'990, 1}, {1, 0, 5'000, 2}, {2, 0, 5'000, 1}};
  const auto kept = shuffle.fetch(fetcher, ranges);
  for (std::size_t i = 0; i < ranges.size(); ++i) EXPECT_FALSE(kept.failure(i)) << i;
  EXPECT_EQ(shuffle.fetch(fetcher, {{2, 0, 1}}).failure(), FailureKind::unknown_output)
      << "it has put nothing else";

  for (int again = 0; again < 2; ++again) ASSERT_TRUE(shuffle.drop({job, 1}));
  const auto left = shuffle.fetch(fetcher, ranges);
  EXPECT_FALSE(left.failure(0));
  EXPECT_EQ(left.failure(1), FailureKind::unknown_output);
  EXPECT_EQ(left.failure(2), FailureKind::unknown_output);
  EXPECT_FALSE(left.failure(3));
  auto other = shuffle.fetcher(job + 1);
  EXPECT_FALSE(shuffle.fetch(other, {{1, 0, 5'000, 1}}).failure());

  shuffle->remove_job(job);
  EXPECT_FALSE(std::filesystem::exists(shuffle.folder() / std::to_string(job)));
}

TEST(ShuffleServer, RemovesJobs) {
  TestShuffle shuffle;
  ASSERT_TRUE(shuffle.put(1, 100));
  ASSERT_TRUE(shuffle.put(1, 100, job + 1));
  auto late = shuffle.writer(2);
  ASSERT_TRUE(late);
  shuffle->remove_job(job);
  EXPECT_EQ(shuffle.fetch({{1, 0, 100}}).failure(), FailureKind::unknown_output);
  EXPECT_EQ(late->close().error().kind, FailureKind::unknown_output);
  EXPECT_EQ(shuffle.put(3, 100).error().kind, FailureKind::unknown_output);
  EXPECT_FALSE(std::filesystem::exists(shuffle.folder() / std::to_string(job)));
  auto other = shuffle.fetcher(job + 1);
  EXPECT_FALSE(shuffle.fetch(other, {{1, 0, 100}}).failure());
}

TEST(ShuffleServer, FinishesWhatIsFetchedOfAJobThatIsRemoved) {
  TestShuffle shuffle;
  ASSERT_TRUE(shuffle.put(1, 8 * mebi));
  ASSERT_TRUE(shuffle.put(2, 1));
  auto fetcher = shuffle.fetcher();
  std::uint64_t bytes = 0;
  const std::vector<OutputRange> ranges = {{1, 0, 8 * mebi}, {2, 0, 1}};
  const auto results = fetcher.fetch(shuffle.endpoint(), ranges, [&](std::size_t, auto chunk) {
    if (bytes == 0) shuffle->remove_job(job);
    bytes += chunk.size();
  });
  EXPECT_FALSE(results[0].failure);
  EXPECT_EQ(bytes, 8 * mebi);
  EXPECT_EQ(results[1].failure->kind, FailureKind::unknown_output);
}

TEST(ShuffleServer, EndsWithConnectionsThatAreIdle) {
  // Whoever is not woken is waited for until the test times out.
  constexpr auto day = std::chrono::hours(24);
  TestShuffle shuffle({.read_timeout = day, .keepalive = day, .put_timeout = day});
  ASSERT_TRUE(shuffle.put(1, 10));
  auto fetcher = shuffle.fetcher();
  EXPECT_FALSE(shuffle.fetch(fetcher, {{1, 0, 10}}).failure());
  auto output = shuffle.writer(2);
  ASSERT_TRUE(output);
  const FileDescriptor silent = raw_connection(shuffle.endpoint().port);
  ASSERT_TRUE(eventually([&] { return shuffle->figures().connections == 3; }));
  shuffle->stop();
  EXPECT_FALSE(output->close());
  EXPECT_EQ(shuffle.fetch(fetcher, {{1, 0, 10}}).failure(), FailureKind::connection);
}

TEST(ShuffleServer, SaysThatItEndsInTheMiddleOfARange) {
  TestShuffle shuffle;
  ASSERT_TRUE(shuffle.put(1, 4 * mebi));
  shuffle->set_rates(1'000'000, std::nullopt, {});
  std::atomic<bool> has_begun = false;
  std::jthread reader([&] {
    auto fetcher = shuffle.fetcher();
    const std::vector<OutputRange> ranges = {{1, 0, 4 * mebi}, {1, 0, 1}};
    const auto results =
        fetcher.fetch(shuffle.endpoint(), ranges, [&](std::size_t, auto) { has_begun = true; });
    EXPECT_EQ(results[0].failure->kind, FailureKind::ending);
    EXPECT_EQ(results[1].failure->kind, FailureKind::ending);
    EXPECT_TRUE(results[0].failure->may_retry());
  });
  ASSERT_TRUE(eventually([&] { return has_begun.load(); }));
  shuffle->stop();
}

}  // namespace
}  // namespace tracebed
