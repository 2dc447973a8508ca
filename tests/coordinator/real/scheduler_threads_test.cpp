// Schedulers' threads: what they decide arrives, in their order; and concurrent schedulers in them
// decide what they decide again from the arrivals alone.
#include "coordinator/real/scheduler_threads.h"

#include <atomic>
#include <future>
#include <gtest/gtest.h>
#include <map>
#include <poll.h>
#include <string>

#include "schedulers/concurrent/measured_play.h"

namespace tracebed {
namespace {

// Waits for decisions.
std::vector<DecisionMade> next_made(SchedulerThreads& threads) {
  pollfd wanted{.fd = threads.descriptor(), .events = POLLIN, .revents = 0};
  EXPECT_EQ(::poll(&wanted, 1, -1), 1);
  return threads.take_made();
}

TEST(SchedulerThreads, DecideBesideEachOther) {
  SchedulerThreads threads;
  std::promise<void> second_is_done;
  threads.begin(0, 5, [&] { second_is_done.get_future().wait(); });
  threads.begin(1, 6, [&] { second_is_done.set_value(); });
  std::vector<std::uint64_t> decisions;
  while (decisions.size() < 2) {
    for (const DecisionMade& made : next_made(threads)) {
      EXPECT_EQ(made.decision, made.scheduler + 5);
      decisions.push_back(made.decision);
    }
  }
  EXPECT_TRUE(threads.take_made().empty());
}

TEST(SchedulerThreads, DecideOneThingAfterTheOther) {
  SchedulerThreads threads;
  for (std::uint64_t decision = 1; decision <= 100; ++decision) {
    std::uint64_t decided = 0;
    threads.begin(0, decision, [&] { decided = decision; });
    const std::vector<DecisionMade> made = next_made(threads);
    ASSERT_EQ(made.size(), 1u);
    EXPECT_EQ(made.front().decision, decision);
    EXPECT_EQ(decided, decision);
  }
}

TEST(SchedulerThreads, EndWhenWhatBeganIsDecided) {
  std::atomic<int> decided = 0;
  {
    SchedulerThreads threads;
    for (std::size_t i = 0; i < 20; ++i) threads.begin(i, 1, [&] { ++decided; });
  }
  EXPECT_EQ(decided, 20);
}

TEST(SchedulerThreads, OfConcurrentSchedulersDecideWhatTheyDecideAgain) {
  for (const std::string& scheduler : test::concurrent_schedulers()) {
    for (const std::string& policy : test::concurrent_policies()) {
      SCOPED_TRACE(scheduler + " of " + policy);
      std::map<std::size_t, std::vector<DecisionMade>> log;
      SchedulerThreads threads;
      const auto outcome = test::play({scheduler, policy, 1}, threads, [&](std::size_t step) {
        return log[step] = threads.take_made();
      });
      ImmediateDecisions at_once;
      const auto again =
          test::play({scheduler, policy, 1}, at_once, [&](std::size_t step) { return log[step]; });
      ASSERT_EQ(outcome.placements, again.placements);
      EXPECT_GT(outcome.committed, 0u);
    }
  }
}

}  // namespace
}  // namespace tracebed
