#include "agents/datanode/rate_share.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numeric>

#include "agents/datanode/rate_share_values.h"

namespace tracebed::test {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

// Streams that request again as soon as they are granted, or after a pause.
class Readers {
 public:
  struct Reader {
    std::uint64_t bytes = 64 * kilobyte;     // of each request
    std::chrono::nanoseconds first_pause{};  // after the first grant, besides
    std::chrono::nanoseconds pause{};        // from a grant to the next request
    std::uint32_t weight = 1'000;
    std::uint64_t granted = 0;
  };

  Readers(RateShare& share, std::vector<Reader> readers)
      : share_(share), readers_(std::move(readers)) {
    for (const Reader& reader : readers_) {
      share_.request(*share_.open(reader.weight), reader.bytes, begin);
    }
  }
  // In virtual time.
  void run_until(Moment end) {
    while (share_.next_due() <= end) {
      const Moment now = share_.next_due();
      for (const StreamId stream : due(share_, now)) {
        Reader& reader = readers_[stream.index()];
        reader.granted += reader.bytes;
        share_.request(stream, reader.bytes, now + reader.pause + reader.first_pause);
        reader.first_pause = {};
      }
    }
  }
  std::uint64_t total() const {
    return std::accumulate(readers_.begin(), readers_.end(), std::uint64_t{0},
                           [](std::uint64_t sum, const Reader& r) { return sum + r.granted; });
  }
  const Reader& operator[](std::size_t reader) const { return readers_[reader]; }
  std::size_t size() const { return readers_.size(); }

 private:
  RateShare& share_;
  std::vector<Reader> readers_;
};

TEST(RateShares, GrantEachRequestWhenTheOnesBeforeItArePaid) {
  RateShare share(limit(1 * kilobyte), begin);
  const StreamId first = *share.open();
  const StreamId second = *share.open();
  share.request(first, 300, begin);
  share.request(second, 500, begin);
  EXPECT_THAT(due(share, begin), ElementsAre(first));
  EXPECT_EQ(share.next_due(), begin + 300ms);
  EXPECT_THAT(due(share, begin + 299ms), IsEmpty());
  EXPECT_THAT(due(share, begin + 300ms), ElementsAre(second));
  EXPECT_EQ(share.next_due(), Moment::max());
  share.request(first, 1, begin + 300ms);
  EXPECT_EQ(share.next_due(), begin + 300ms);  // it is ready, and due at 800 ms
  EXPECT_THAT(due(share, begin + 300ms), IsEmpty());
  EXPECT_EQ(share.next_due(), begin + 800ms);
}

TEST(RateShares, CreditIdleTimeUpToTheBurst) {
  RateShare share(limit(1 * kilobyte, 100ms), begin);
  const StreamId stream = *share.open();
  const Moment later = begin + 1h;
  std::uint64_t granted = 0;
  for (;; granted += 10) {
    share.request(stream, 10, later);
    if (due(share, later).empty()) break;
  }
  EXPECT_EQ(granted, 110u);  // 100 ms' worth, and one that becomes a debt
  EXPECT_EQ(share.next_due(), later + 10ms);
}

TEST(RateShares, HaveNoCreditAtFirst) {
  RateShare share(limit(1 * kilobyte, 100ms), begin);
  const StreamId stream = *share.open();
  share.request(stream, 10, begin);
  EXPECT_THAT(due(share, begin), ElementsAre(stream));
  share.request(stream, 10, begin);
  EXPECT_THAT(due(share, begin), IsEmpty());
}

TEST(RateShares, HoldTheRateAndShareItEqually) {
  for (const std::size_t count : {1u, 4u, 16u}) {
    for (const std::uint64_t rate : {1 * megabyte, 7'654 * kilobyte + 321, 3'000 * megabyte}) {
      RateShare share(limit(rate), begin);
      Readers readers(share, std::vector<Readers::Reader>(count));
      readers.run_until(begin + 10s);
      EXPECT_NEAR(static_cast<double>(readers.total()), 10.0 * static_cast<double>(rate),
                  2.0 * 64 * kilobyte);
      for (std::size_t i = 1; i < count; ++i) {
        EXPECT_LE(readers[0].granted - readers[i].granted, 64 * kilobyte) << i;
      }
    }
  }
}

// By 7 : 1,000 : 250 : 250, while all wait; what one that has a pause leaves goes to the others.
TEST(RateShares, ShareTheRateByWeights) {
  RateShare share(limit(10 * megabyte), begin);
  Readers readers(
      share, {{.weight = 7}, {.weight = 1'000}, {.weight = 250}, {.bytes = 8'000, .weight = 250}});
  readers.run_until(begin + 100s);
  const double all = 1'000.0 * megabyte;
  for (std::size_t i = 0; i < readers.size(); ++i) {
    const double of_least = readers[i].weight / 7.0;
    EXPECT_NEAR(static_cast<double>(readers[i].granted), all * readers[i].weight / 1'507,
                2 * 64 * kilobyte * of_least)
        << i;
  }
  RateShare other(limit(10 * megabyte), begin);
  Readers unequal(other, {{.weight = 10}, {.bytes = 10 * kilobyte, .pause = 1s, .weight = 1'000}});
  unequal.run_until(begin + 100s);
  EXPECT_NEAR(static_cast<double>(unequal[0].granted), all - 100 * 10.0 * kilobyte,
              4 * 64 * kilobyte);
}

// It misses half a second, 1 MB of its own, and gets the burst's bytes back in a tenth of a second;
// of the other 9.4 it has a fifth.
TEST(RateShares, LetAStreamOfLittleWeightCatchUpByItsWeight) {
  RateShare share(limit(10 * megabyte, 100ms), begin);
  Readers readers(share, {{.weight = 1'000}, {.first_pause = 500ms, .weight = 250}});
  readers.run_until(begin + 10s);
  EXPECT_NEAR(static_cast<double>(readers[1].granted), 19.8 * megabyte, 4 * 64 * kilobyte);
}

TEST(RateShares, ShareBytesAndNotRequests) {
  RateShare share(limit(10 * megabyte), begin);
  Readers readers(share, {{.bytes = 512}, {.bytes = 64 * kilobyte}, {.bytes = 1 * megabyte}});
  readers.run_until(begin + 60s);
  for (std::size_t i = 0; i < readers.size(); ++i) {
    EXPECT_NEAR(static_cast<double>(readers[i].granted), 200.0 * megabyte, 2.0 * megabyte) << i;
  }
}

TEST(RateShares, LeaveWhatASlowStreamDoesNotUseToTheOthers) {
  RateShare share(limit(10 * megabyte), begin);
  // The slow one takes 1 MB/s at most.
  Readers readers(share, {{.bytes = 10 * kilobyte, .pause = 10ms}, {}, {}});
  readers.run_until(begin + 10s);
  EXPECT_LE(readers[0].granted, 10 * megabyte);
  EXPECT_NEAR(static_cast<double>(readers.total()), 100.0 * megabyte, 0.2 * megabyte);
  EXPECT_NEAR(static_cast<double>(readers[1].granted), static_cast<double>(readers[2].granted),
              64.0 * kilobyte);
}

TEST(RateShares, LetAnIdleStreamSaveNothing) {
  RateShare share(limit(1 * megabyte), begin);
  Readers readers(share, {{.bytes = 1 * kilobyte, .pause = 100s}, {.bytes = 1 * kilobyte}});
  readers.run_until(begin + 110s);
  EXPECT_EQ(readers[0].granted, 2 * kilobyte);
  // Both are served in turn once it is back.
  const std::uint64_t before = readers[1].granted;
  EXPECT_NEAR(static_cast<double>(before), 110.0 * megabyte, 10.0 * kilobyte);
}

TEST(RateShares, LetAStreamThatWasLateCatchUpWhatItMissedWithinTheBurst) {
  struct Case {
    std::chrono::milliseconds pause;
    double behind;  // at the end
  };
  // 100 kB are granted in 100 ms. While the first stream pauses for 10 s, the others are granted
  // 3,333 kB each.
  for (const Case& late : {Case{40ms, 0}, Case{10'000ms, 3'233.0 * kilobyte}}) {
    RateShare share(limit(1 * megabyte, 100ms), begin);
    Readers readers(share, {{.bytes = 100, .first_pause = late.pause},
                            {.bytes = 100},
                            {.bytes = 100},
                            {.bytes = 100}});
    readers.run_until(begin + 20s);
    EXPECT_NEAR(static_cast<double>(readers[1].granted) - static_cast<double>(readers[0].granted),
                late.behind, 1.0 * kilobyte);
    EXPECT_NEAR(static_cast<double>(readers.total()), 20.0 * megabyte, 200.0);
  }
}

TEST(RateShares, LetANewStreamCatchUpNothing) {
  RateShare share(limit(1 * kilobyte, 100s), begin);
  const StreamId first = *share.open();
  for (int i = 0; i < 10; ++i) {
    share.request(first, 1 * kilobyte, begin);
    due(share, begin + std::chrono::seconds(i));
  }
  const StreamId second = *share.open();
  std::vector<StreamId> granted;
  share.request(first, 1 * kilobyte, begin);
  share.request(second, 1 * kilobyte, begin);
  for (Moment now = begin + 10s; granted.size() < 6; now += 1s) {
    for (const StreamId stream : due(share, now)) {
      granted.push_back(stream);
      share.request(stream, 1 * kilobyte, now);
    }
  }
  EXPECT_EQ(std::count(granted.begin(), granted.end(), second), 3);
}

TEST(RateShares, GrantNothingToAStreamThatClosedWhileItWaited) {
  RateShare share(limit(1 * kilobyte), begin);
  const StreamId first = *share.open();
  const StreamId second = *share.open();
  share.request(first, 1 * kilobyte, begin);
  share.request(second, 1 * kilobyte, begin);
  EXPECT_THAT(due(share, begin), ElementsAre(first));
  share.close(second);
  EXPECT_THAT(due(share, begin + 1h), IsEmpty());
  EXPECT_EQ(share.next_due(), Moment::max());
}

TEST(RateShares, DelayOnlyTheStreamThatSeeks) {
  RateShare share(limit(1 * megabyte), begin);
  const StreamId seeking = *share.open();
  const StreamId reading = *share.open();
  share.request(seeking, 100, begin + 8ms);
  share.request(reading, 1 * kilobyte, begin);
  EXPECT_THAT(due(share, begin), ElementsAre(reading));
  EXPECT_EQ(share.next_due(), begin + 8ms);
  EXPECT_EQ(share.next_stream(), seeking);
  share.request(reading, 1 * kilobyte, begin + 1ms);
  EXPECT_THAT(due(share, begin + 1ms), ElementsAre(reading));
  EXPECT_THAT(due(share, begin + 7ms), IsEmpty());
  EXPECT_THAT(due(share, begin + 8ms), ElementsAre(seeking));
}

TEST(RateShares, GrantAllAtOnceWithoutALimit) {
  RateLimits limits;
  RateShare share(limits, begin);
  std::vector<StreamId> streams;
  for (int i = 0; i < 5; ++i) streams.push_back(*share.open());
  for (const StreamId stream : streams) share.request(stream, RateShare::request_bytes_max, begin);
  EXPECT_EQ(due(share, begin), streams);
}

TEST(RateShares, CollectDebtsAtTheRateThatHoldsThen) {
  RateShare share(limit(1), begin);
  const StreamId stream = *share.open();
  share.request(stream, 1 * megabyte, begin);
  EXPECT_THAT(due(share, begin), ElementsAre(stream));  // owed for 11 days
  share.request(stream, 1, begin);
  due(share, begin);
  EXPECT_EQ(share.next_due(), begin + 1'000'000s);
  share.set_rate(1 * megabyte, begin + 500'000s);
  EXPECT_EQ(share.next_due(), begin + 500'000s + 500ms);
  share.set_rate(500 * kilobyte, begin + 500'000s);
  EXPECT_EQ(share.next_due(), begin + 500'000s + 1s);
  share.set_rate(std::nullopt, begin + 500'000s);
  EXPECT_EQ(share.next_due(), begin + 500'000s);
  EXPECT_THAT(due(share, begin + 500'000s), ElementsAre(stream));
  share.set_rate(1, begin + 500'000s);
  share.request(stream, 1, begin + 500'000s);
  EXPECT_THAT(due(share, begin + 500'000s), ElementsAre(stream));
}

TEST(RateShares, OpenNoMoreStreamsThanTheirLimitAndUseIdsAgain) {
  RateLimits limits = limit(1);
  limits.streams_max = 2;
  RateShare share(limits, begin);
  const StreamId first = *share.open();
  const StreamId second = *share.open();
  EXPECT_EQ(share.open(), std::nullopt);
  share.request(first, 1, begin);
  share.request(second, 1, begin + 1s);
  share.close(first);
  EXPECT_EQ(share.requests(), 1u);
  EXPECT_EQ(share.open(), first);
  share.close(second);
  EXPECT_EQ(share.requests(), 0u);
  EXPECT_EQ(share.next_due(), Moment::max());
  EXPECT_EQ(share.streams(), 1u);
}

}  // namespace
}  // namespace tracebed::test
