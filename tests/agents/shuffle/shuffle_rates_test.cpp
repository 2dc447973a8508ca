// What passes the server's rates is bounded by time from above alone, so that a machine that is
// slow makes no test fail.
#include <atomic>
#include <gtest/gtest.h>
#include <latch>
#include <thread>
#include <utility>

#include "agents/shuffle/shuffle_fixture.h"

namespace tracebed {
namespace {

using namespace test;
using Clock = std::chrono::steady_clock;

template <class Work>
double seconds_of(const Work& work) {
  const auto begin = Clock::now();
  work();
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// 400 KB, a tenth of a second of which may be credit, as may a chunk.
constexpr std::uint64_t length = 400'000;
constexpr std::uint64_t rate = 1'000'000;
constexpr double seconds_least = 0.15;

TEST(ShuffleRates, OfTheDiskArePassedByPutsAndFetches) {
  TestShuffle shuffle;
  shuffle->set_rates(rate, std::nullopt, {});
  EXPECT_GT(seconds_of([&] { EXPECT_TRUE(shuffle.put(1, length)); }), seconds_least);
  EXPECT_GT(seconds_of([&] {
              EXPECT_FALSE(shuffle.fetch({{1, 0, length}}).failure());
            }),
            seconds_least);
}

TEST(ShuffleRates, SeekOncePerRange) {
  TestShuffle shuffle;
  ASSERT_TRUE(shuffle.put(1, 10));
  shuffle->set_rates(std::nullopt, std::nullopt, std::chrono::milliseconds(20));
  const std::vector<OutputRange> ranges(10, OutputRange{1, 0, 10});
  EXPECT_GE(seconds_of([&] { EXPECT_FALSE(shuffle.fetch(ranges).failure()); }), 0.2);
}

TEST(ShuffleRates, OfTheNetworkArePassedToOtherMachines) {
  TestShuffle shuffle;
  ASSERT_TRUE(shuffle.put(1, length));
  shuffle->set_rates(std::nullopt, rate, {});
  auto other = shuffle.fetcher(job, "127.0.0.9");
  EXPECT_GT(seconds_of([&] {
              EXPECT_FALSE(shuffle.fetch(other, {{1, 0, length}}).failure());
            }),
            seconds_least);
  // Within the machine it would be after days.
  shuffle->set_rates(std::nullopt, 1, {});
  EXPECT_FALSE(shuffle.fetch({{1, 0, length}}).failure());
}

// What a task of weight 250 has of `bytes` when one of weight 1,000 that began later has all of
// them.
double part_of_light(const TestShuffle& shuffle, std::uint64_t bytes) {
  std::atomic<std::uint64_t> received = 0;
  std::latch has_begun(1);
  std::jthread light([&] {
    hdfs::ConnectionOptions options = TestShuffle::connections();
    options.transfer_weight = 250;
    bool is_first = true;
    shuffle::ShuffleFetcher fetcher(shuffle.token(), job, options);
    const auto fetched = fetcher.fetch(shuffle.endpoint(), std::vector{OutputRange{1, 0, bytes}},
                                       [&](std::size_t, auto part) {
                                         received += part.size();
                                         if (std::exchange(is_first, false)) has_begun.count_down();
                                       });
    EXPECT_FALSE(fetched[0].failure);
  });
  has_begun.wait();
  EXPECT_FALSE(shuffle.fetch({{1, 0, bytes}}).failure());
  return static_cast<double>(received) / static_cast<double>(bytes);
}

// A quarter, and a part of what a tenth of a second and a chunk each are of 2 MB.
TEST(WeightedShuffleRates, GiveClientsByTheirWeights) {
  TestShuffle shuffle;
  ASSERT_TRUE(shuffle.put(1, 2'000'000));
  shuffle->set_rates(rate, std::nullopt, {});
  EXPECT_NEAR(part_of_light(shuffle, 2'000'000), 0.25, 0.15);
}

class SharedShuffleRates : public testing::Test {
 protected:
  SharedShuffleRates() {
    const std::vector<SharedLinks::Place> places = {{"127.0.0.1", "/r1"}, {"127.0.0.9", "/r1"}};
    SharedLinks::create(file_, places, std::nullopt);
  }

  TemporaryFolder folder_;
  std::filesystem::path file_ = folder_.path() / "links";
};

TEST_F(SharedShuffleRates, ArePassedAsThoseOfTheMachine) {
  SharedLinks links(file_);
  SharedLinks server_links(file_);
  TestShuffle shuffle({}, &server_links);
  links.set_disk_rate("127.0.0.1", rate, {});
  EXPECT_GT(seconds_of([&] { EXPECT_TRUE(shuffle.put(1, length)); }), seconds_least);
  EXPECT_GT(seconds_of([&] {
              EXPECT_FALSE(shuffle.fetch({{1, 0, length}}).failure());
            }),
            seconds_least);
  links.set_disk_rate("127.0.0.1", std::nullopt, {});
  links.set_interface_rate("127.0.0.9", rate);
  auto other = shuffle.fetcher(job, "127.0.0.9");
  EXPECT_GT(seconds_of([&] {
              EXPECT_FALSE(shuffle.fetch(other, {{1, 0, length}}).failure());
            }),
            seconds_least);
  // The server has none of its own, and within the machine it passes none.
  shuffle->set_rates(1, 1, std::chrono::hours(1));
  links.set_interface_rate("127.0.0.1", 1);
  EXPECT_FALSE(shuffle.fetch({{1, 0, length}}).failure());
}

TEST(WeightedShuffleRates, GiveClientsOfSharedLinksByTheirWeights) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "links";
  SharedLinks::create(file, std::vector<SharedLinks::Place>{{"127.0.0.1", "/r1"}}, std::nullopt);
  SharedLinks links(file);
  SharedLinks server_links(file);
  TestShuffle shuffle({}, &server_links);
  ASSERT_TRUE(shuffle.put(1, 2'000'000));
  links.set_disk_rate("127.0.0.1", rate, {});
  EXPECT_NEAR(part_of_light(shuffle, 2'000'000), 0.25, 0.15);
}

// A datanode of the machine reads meanwhile.
TEST_F(SharedShuffleRates, AreSharedWithTheDatanode) {
  SharedLinks links(file_);
  SharedLinks server_links(file_);
  TestShuffle shuffle({}, &server_links);
  ASSERT_TRUE(shuffle.put(1, length));
  DatanodeRates datanode({}, {}, {}, &links, "127.0.0.1");
  datanode.set_disk(rate, {});
  const double seconds = seconds_of([&] {
    std::jthread reader([&] {
      auto transfer = TransferRate::open(datanode, Traffic::sending, "127.0.0.1");
      for (int i = 0; i < 4; ++i) EXPECT_TRUE(transfer->acquire(100'000));
    });
    EXPECT_FALSE(shuffle.fetch({{1, 0, length}}).failure());
  });
  EXPECT_GT(seconds, 2 * length / double{rate} - 0.1 - 0.3);
}

}  // namespace
}  // namespace tracebed
