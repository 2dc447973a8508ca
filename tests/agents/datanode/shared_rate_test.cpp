#include "agents/datanode/shared_rate.h"

#include <gtest/gtest.h>
#include <thread>

namespace tracebed {
namespace {

using namespace std::chrono_literals;
using Access = SharedRate::Access;

RateLimits limit(std::optional<std::uint64_t> bytes_per_second) {
  RateLimits limits;
  limits.bytes_per_second = bytes_per_second;
  return limits;
}

// Requests of one byte, of which each but the first takes a second.
RateLimits hardly_any() {
  RateLimits limits = limit(1);
  limits.burst = {};
  return limits;
}

TEST(SharedRates, GrantEveryRequestOfEveryThread) {
  SharedRate rate(limit(2'000'000'000));
  std::atomic<std::uint64_t> granted = 0;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 8; ++i) {
      threads.emplace_back([&] {
        auto stream = rate.open();
        for (int turn = 0; turn < 400; ++turn) {
          granted += stream->acquire(10'000, turn % 7 == 0 ? Access::seek : Access::sequential);
        }
      });
    }
    for (unsigned i = 0; i < 50; ++i) {
      rate.set_seek_latency(std::chrono::microseconds(i % 3));
      rate.set_rate(i % 10 == 0 ? std::nullopt : std::optional(std::uint64_t{100'000'000} * i));
      std::this_thread::yield();
    }
  }
  EXPECT_EQ(granted, 8u * 400);
}

TEST(SharedRates, TakeAsLongAsTheRateRequires) {
  const auto begin = std::chrono::steady_clock::now();  // the rate's time begins no sooner
  SharedRate rate(limit(10'000'000));
  auto stream = rate.open();
  for (int i = 0; i < 11; ++i) EXPECT_TRUE(stream->acquire(10'000));
  EXPECT_GE(std::chrono::steady_clock::now() - begin, 10ms);
}

TEST(SharedRates, DelayASeekWithoutALimit) {
  SharedRate rate(limit(std::nullopt), 5ms);
  auto stream = rate.open();
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_TRUE(stream->acquire(1, Access::seek));
  EXPECT_GE(std::chrono::steady_clock::now() - begin, 5ms);
}

// The threads would wait for years.
TEST(SharedRates, LetWaitingThreadsGoWhenTheLimitIsLifted) {
  SharedRate rate(hardly_any());
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      auto stream = rate.open();
      EXPECT_TRUE(stream->acquire(RateShare::request_bytes_max));
      EXPECT_TRUE(stream->acquire(RateShare::request_bytes_max));
    });
  }
  rate.set_rate(std::nullopt);
}

TEST(SharedRates, SendWaitingThreadsAwayWhenTheyAreStopped) {
  SharedRate rate(hardly_any());
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      auto stream = rate.open();
      while (stream->acquire(RateShare::request_bytes_max)) continue;
      EXPECT_FALSE(stream->acquire(1));
    });
  }
  rate.stop();
  threads.clear();
  rate.set_rate(std::nullopt);
  EXPECT_FALSE(rate.open()->acquire(1));
}

// Each thread comes once, so nobody grants anything but those that wait.
TEST(SharedRates, AreKeptByTheNextThreadWhenTheOneThatKeptTheTimeHasItsGrant) {
  SharedRate rate(limit(1'000'000));
  auto first = rate.open();
  EXPECT_TRUE(first->acquire(100'000));  // owed for 100 ms, in which the threads begin to wait
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      auto stream = rate.open();
      EXPECT_TRUE(stream->acquire(1'000));
    });
  }
}

// The leader waits for an hour; the request of another is due long before.
TEST(SharedRates, AreNotHeldUpByALeaderThatWaitsForLonger) {
  SharedRate rate(limit(1'000'000), 1h);
  std::jthread seeking([&] {
    auto stream = rate.open();
    EXPECT_FALSE(stream->acquire(1, Access::seek));
  });
  auto stream = rate.open();
  for (int i = 0; i < 20; ++i) EXPECT_TRUE(stream->acquire(1'000));
  rate.stop();
}

TEST(SharedRates, OpenNoMoreStreamsThanTheirLimit) {
  RateLimits limits = limit(1);
  limits.streams_max = 1;
  SharedRate rate(limits);
  {
    const auto stream = rate.open();
    EXPECT_TRUE(stream);
    EXPECT_FALSE(rate.open());
  }
  EXPECT_TRUE(rate.open());
}

}  // namespace
}  // namespace tracebed
