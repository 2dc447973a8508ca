// What holds of RateShare whatever the streams do, by seed.
#include <algorithm>
#include <array>
#include <gtest/gtest.h>

#include "agents/datanode/rate_share_values.h"
#include "core/random.h"

namespace tracebed::test {
namespace {

// The theorem of start-time fair queueing, over any interval, while other streams come and go.
TEST(RateShareBounds, KeepStreamsThatWaitAsNearToEachOtherAsTheirLargestRequests) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Random random(seed);
    RateShare share(limit(1 + random.below(100 * megabyte)), begin);
    constexpr std::size_t waiting = 2;
    std::array<std::uint64_t, waiting> bytes_max{};
    std::array<std::uint64_t, waiting> granted{};
    std::vector<std::uint64_t> requested(share.limits().streams_max);
    const auto request = [&](StreamId stream, Moment now) {
      const bool waits_always = stream.index() < waiting;
      const std::uint64_t most = waits_always ? bytes_max[stream.index()] : 300 * kilobyte;
      requested[stream.index()] = 1 + random.below(most);
      const std::uint64_t pause = waits_always ? 0 : random.below(50'000'000);
      share.request(stream, requested[stream.index()], now + std::chrono::nanoseconds(pause));
    };
    for (std::uint64_t& most : bytes_max) {
      most = 1 + random.below(200 * kilobyte);
      request(*share.open(), begin);
    }
    std::int64_t difference_min = 0;
    std::int64_t difference_max = 0;
    for (int step = 0; step < 3'000; ++step) {
      const Moment now = share.next_due();
      if (random.chance(0.1)) request(*share.open(), now);
      for (const StreamId stream : due(share, now)) {
        if (stream.index() < waiting) granted[stream.index()] += requested[stream.index()];
        if (stream.index() >= waiting && random.chance(0.3)) {
          share.close(stream);
        } else {
          request(stream, now);
        }
      }
      const auto difference = static_cast<std::int64_t>(granted[0] - granted[1]);
      difference_min = std::min(difference_min, difference);
      difference_max = std::max(difference_max, difference);
    }
    ASSERT_GT(granted[0], bytes_max[0]) << "seed " << seed;
    ASSERT_LE(difference_max - difference_min,
              static_cast<std::int64_t>(bytes_max[0] + bytes_max[1]))
        << "seed " << seed;
  }
}

TEST(RateShareBounds, AllowNoMoreThanTheRateTheBurstAndOneDebtHoweverLateTheyAreCalled) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Random random(seed);
    const std::uint64_t rate = 1 + random.below(100 * megabyte);
    const auto burst = std::chrono::nanoseconds(random.below(200'000'000));
    RateShare share(limit(rate, burst), begin);
    std::uint64_t total = 0;
    constexpr std::uint64_t bytes = 100 * kilobyte;
    for (int i = 0; i < 5; ++i) share.request(*share.open(), bytes, begin);
    Moment now = begin;
    for (int step = 0; step < 3'000; ++step) {
      now = share.next_due() + std::chrono::nanoseconds(random.below(3'000'000));
      for (const StreamId stream : due(share, now)) {
        total += bytes;
        const auto pause = std::chrono::nanoseconds(random.below(random.chance(0.1) ? 1 << 30 : 1));
        share.request(stream, bytes, now + pause);
      }
    }
    const auto worth = [&](std::chrono::nanoseconds span) {
      return static_cast<double>(rate) * std::chrono::duration<double>(span).count();
    };
    ASSERT_LE(static_cast<double>(total), worth(now - begin + burst) + bytes) << "seed " << seed;
  }
}

}  // namespace
}  // namespace tracebed::test
