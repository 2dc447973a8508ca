// The disk of a machine, shared by several processes of it. What passes is bounded by time from
// above alone, so that a machine that is slow makes no test fail.
#include <gtest/gtest.h>
#include <thread>
#include <vector>

#include "agents/datanode/datanode_rates.h"
#include "support/temporary_folder.h"

namespace tracebed {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr const char* here = "127.0.0.2";
constexpr const char* there = "127.0.0.3";

class SharedDisk : public testing::Test {
 protected:
  SharedDisk() {
    const std::vector<SharedLinks::Place> places = {{here, "/r"}, {there, "/r"}};
    SharedLinks::create(file_, places, std::nullopt);
  }
  // Of a process.
  struct Process {
    explicit Process(const std::filesystem::path& file)
        : links(file), rates({}, {}, {}, &links, here) {}
    TransferRate open(Traffic traffic, const char* peer) {
      return *TransferRate::open(rates, traffic, peer);
    }

    SharedLinks links;
    DatanodeRates rates;
  };
  template <class Work>
  static double seconds_of(const Work& work) {
    const auto begin = Clock::now();
    work();
    return std::chrono::duration<double>(Clock::now() - begin).count();
  }

  TemporaryFolder folder_;
  std::filesystem::path file_ = folder_.path() / "links";
};

TEST_F(SharedDisk, IsPassedByAllTransfersOfItsMachine) {
  Process process(file_);
  process.rates.set_disk(1'000'000, {});
  for (const auto& [traffic, peer] :
       {std::pair(Traffic::sending, there), std::pair(Traffic::sending, here),
        std::pair(Traffic::receiving, there), std::pair(Traffic::passing_on, there),
        std::pair(Traffic::none, here)}) {
    auto transfer = process.open(traffic, peer);
    const double seconds = seconds_of([&] {
      for (int i = 0; i < 3; ++i) EXPECT_TRUE(transfer.acquire(130'000));
    });
    EXPECT_GT(seconds, 0.2) << static_cast<int>(traffic);  // a tenth of a second may be credit
  }
}

TEST_F(SharedDisk, IsSharedByProcesses) {
  Process one(file_);
  Process other(file_);
  one.rates.set_disk(1'000'000, {});
  const double seconds = seconds_of([&] {
    std::jthread writer([&] {
      auto transfer = other.open(Traffic::receiving, there);
      for (int i = 0; i < 3; ++i) EXPECT_TRUE(transfer.acquire(130'000));
    });
    auto transfer = one.open(Traffic::sending, there);
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(transfer.acquire(130'000));
  });
  EXPECT_GT(seconds, 0.5);
}

TEST_F(SharedDisk, IsSoughtOncePerTransfer) {
  Process process(file_);
  process.rates.set_disk(std::nullopt, 50ms);
  const double seconds = seconds_of([&] {
    auto first = process.open(Traffic::sending, there);
    for (int i = 0; i < 100; ++i) EXPECT_TRUE(first.acquire(1'000'000));
    auto second = process.open(Traffic::receiving, there);
    EXPECT_TRUE(second.acquire(1));
  });
  EXPECT_GE(seconds, 0.1);
}

// Requests are granted in their order: what is requested at a time is the weight.
TEST_F(SharedDisk, IsSharedByTheSizesOfRequests) {
  EXPECT_EQ(shared_request_of(0), 64U * 1024) << "nothing is stated";
  EXPECT_EQ(shared_request_of(1'000), 64U * 1024);
  EXPECT_EQ(shared_request_of(250), 16U * 1024);
  EXPECT_EQ(shared_request_of(16), 1'048U);
  EXPECT_EQ(shared_request_of(15), 1'024U) << "and for all that weigh less";
  EXPECT_EQ(shared_request_of(1), 1'024U);
  Process process(file_);
  auto transfer = *TransferRate::open(process.rates, Traffic::sending, there, {.weight = 1});
  EXPECT_TRUE(transfer.acquire(1'000'000));
}

// One that takes much at a time would otherwise hold up the others for a quarter of an hour.
TEST_F(SharedDisk, HoldsNobodyUpForALargeTransfer) {
  Process large(file_);
  Process small(file_);
  large.rates.set_disk(1'000'000, {});
  std::jthread reader([&] {
    auto transfer = large.open(Traffic::sending, there);
    EXPECT_FALSE(transfer.acquire(1'000'000'000));
  });
  auto transfer = small.open(Traffic::sending, there);
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(transfer.acquire(10'000));
  large.rates.stop();
}

}  // namespace
}  // namespace tracebed
