#include "coordinator/virtual/core_shares.h"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <string>

#include "core/random.h"
#include "support/at_seconds.h"

namespace tracebed {
namespace {

constexpr double no_cost = 0;

ContainerId container(std::uint32_t number) {
  return ContainerId(number);
}

CoreDemand computing(std::int64_t milli_cores, std::int64_t run_seconds, std::int64_t weight = 1) {
  return {.milli_cores = milli_cores,
          .weight = weight,
          .memory_mib = 0,
          .run_time = seconds(run_seconds)};
}

CoreDemand using_memory(std::int64_t memory_mib, std::int64_t run_seconds) {
  return {.memory_mib = memory_mib, .run_time = seconds(run_seconds)};
}

// The containers that have done their work at that time, before which nothing happens.
std::vector<ContainerId> done_at(CoreShares& shares, TraceTime at) {
  EXPECT_EQ(to_microseconds(shares.next_done()), to_microseconds(at));
  std::vector<ContainerId> done;
  shares.take_done(at, done);
  for (const ContainerId one : done) shares.end(one, at);
  return done;
}

TEST(CoreShares, GiveEachItsDemandWhileAllFit) {
  CoreShares shares(Resources(2'000, 1'024), no_cost);
  shares.begin(container(0), computing(1'000, 10), at_seconds(0));
  shares.begin(container(1), computing(1'000, 5), at_seconds(1));
  EXPECT_DOUBLE_EQ(shares.rate_of_all(), 2'000);
  EXPECT_THAT(done_at(shares, at_seconds(6)), testing::ElementsAre(container(1)));
  EXPECT_THAT(done_at(shares, at_seconds(10)), testing::ElementsAre(container(0)));
  EXPECT_EQ(shares.next_done(), never);
}

// Two cores. Of three that want one core each, every one gets two thirds. 0 and 1 have 8 s left
// when 2 begins at 2 s, and last 12 s more; 2 has done 8 of its 10 s by then, and has all it wants.
TEST(CoreShares, SlowDownAllThatWantMoreThanTheirShare) {
  CoreShares shares(Resources(2'000, 1'024), no_cost);
  shares.begin(container(0), computing(1'000, 10), at_seconds(0));
  shares.begin(container(1), computing(1'000, 10), at_seconds(0));
  shares.begin(container(2), computing(1'000, 10), at_seconds(2));
  EXPECT_DOUBLE_EQ(shares.rate_of(container(0)), 2'000.0 / 3);
  EXPECT_NEAR(shares.left(container(2), at_seconds(5)).value(), 8e6, 1e-3);
  EXPECT_THAT(done_at(shares, at_seconds(14)), testing::ElementsAre(container(0), container(1)));
  EXPECT_DOUBLE_EQ(shares.rate_of(container(2)), 1'000);
  EXPECT_THAT(done_at(shares, at_seconds(16)), testing::ElementsAre(container(2)));
}

// A core. Who wants 200 gets it; the others share 800, so that who wants 300 gets that, too, and
// the last 500 of 1000: it is half as fast.
TEST(CoreShares, LetTheLeastDemandsBeMetFirst) {
  CoreShares shares(Resources(1'000, 1'024), no_cost);
  shares.begin(container(0), computing(1'000, 10), at_seconds(0));
  shares.begin(container(1), computing(200, 30), at_seconds(0));
  shares.begin(container(2), computing(300, 40), at_seconds(0));
  EXPECT_DOUBLE_EQ(shares.rate_of(container(1)), 200);
  EXPECT_DOUBLE_EQ(shares.rate_of(container(2)), 300);
  EXPECT_DOUBLE_EQ(shares.rate_of(container(0)), 500);
  EXPECT_EQ(shares.done_at(container(0)), at_seconds(20));
  EXPECT_THAT(done_at(shares, at_seconds(20)), testing::ElementsAre(container(0)));
  EXPECT_THAT(done_at(shares, at_seconds(30)), testing::ElementsAre(container(1)));
  EXPECT_THAT(done_at(shares, at_seconds(40)), testing::ElementsAre(container(2)));
}

// A core, divided 3 : 1.
TEST(CoreShares, FollowWeights) {
  CoreShares shares(Resources(1'000, 1'024), no_cost);
  shares.begin(container(0), computing(1'000, 3, 300), at_seconds(0));
  shares.begin(container(1), computing(1'000, 3, 100), at_seconds(0));
  EXPECT_DOUBLE_EQ(shares.rate_of(container(0)), 750);
  EXPECT_DOUBLE_EQ(shares.rate_of(container(1)), 250);
  EXPECT_THAT(done_at(shares, at_seconds(4)), testing::ElementsAre(container(0)));
  EXPECT_THAT(done_at(shares, at_seconds(6)), testing::ElementsAre(container(1)));
}

// One of two that share a core is stopped when it has done 2 of 10 s, and keeps that.
TEST(CoreShares, KeepWhatWasDoneByThoseThatStop) {
  CoreShares shares(Resources(1'000, 1'024), no_cost);
  shares.begin(container(0), computing(1'000, 10), at_seconds(0));
  shares.begin(container(1), computing(1'000, 10), at_seconds(0));
  shares.stop(container(0), at_seconds(4));
  EXPECT_DOUBLE_EQ(shares.rate_of(container(0)), 0);
  EXPECT_DOUBLE_EQ(shares.rate_of(container(1)), 1'000);
  EXPECT_EQ(shares.done_at(container(0)), never);
  EXPECT_DOUBLE_EQ(shares.left(container(0), at_seconds(9)).value(), 8e6);
  EXPECT_THAT(done_at(shares, at_seconds(12)), testing::ElementsAre(container(1)));
  shares.end(container(0), at_seconds(12));
  EXPECT_FALSE(shares.left(container(0), at_seconds(12)).has_value());
}

// 1500 of 1000 MiB at a cost of 4: tasks are slower by 1 + 4 × 0.5.
TEST(CoreShares, ChargeForMemoryThatIsSwapped) {
  CoreShares shares(Resources(1'000, 1'000), 4);
  shares.begin(container(0), using_memory(1'000, 10), at_seconds(0));
  EXPECT_EQ(shares.next_done(), at_seconds(10));
  shares.begin(container(1), using_memory(500, 1), at_seconds(4));
  EXPECT_EQ(shares.done_at(container(0)), at_seconds(22));
  std::vector<ContainerId> done;
  shares.take_done(at_seconds(7), done);
  EXPECT_THAT(done, testing::ElementsAre(container(1)));
  // Its memory is there until it is gone.
  EXPECT_EQ(shares.done_at(container(0)), at_seconds(22));
  shares.end(container(1), at_seconds(10));
  EXPECT_THAT(done_at(shares, at_seconds(14)), testing::ElementsAre(container(0)));
}

TEST(CoreShares, ChargeForMemoryOnTopOfWhatCoresAreShared) {
  CoreShares shares(Resources(1'000, 1'000), 2);
  const CoreDemand demand{.milli_cores = 1'000, .memory_mib = 1'000, .run_time = seconds(1)};
  shares.begin(container(0), demand, at_seconds(0));
  shares.begin(container(1), demand, at_seconds(0));
  EXPECT_DOUBLE_EQ(shares.rate_of_all(), 1'000.0 / 3);
  EXPECT_THAT(done_at(shares, at_seconds(6)), testing::ElementsAre(container(0), container(1)));
}

TEST(CoreShares, ChargeNothingForMemoryIfThatIsTheCost) {
  CoreShares shares(Resources(1'000, 1'000), no_cost);
  shares.begin(container(0), using_memory(5'000, 10), at_seconds(0));
  EXPECT_EQ(shares.next_done(), at_seconds(10));
}

TEST(CoreShares, KeepMemoryThatIsHeldWithoutWork) {
  CoreShares shares(Resources(1'000, 1'000), 1);
  shares.hold(container(0), 1'000, at_seconds(0));
  EXPECT_EQ(shares.next_done(), never);
  shares.begin(container(1), using_memory(500, 10), at_seconds(0));
  EXPECT_EQ(shares.next_done(), at_seconds(15));
}

TEST(CoreShares, ShareNothingOfWhatIsNotKnown) {
  CoreShares shares(Resources(0, 0), 4);
  shares.begin(container(0), {.milli_cores = 9'000, .memory_mib = 9'000, .run_time = seconds(3)},
               at_seconds(0));
  EXPECT_EQ(shares.next_done(), at_seconds(3));
}

// ---- against a plain solver ----

struct PlainTask {
  double demand = 0;  // cores
  double weight = 0;
  double memory = 0;
  double left = 0;  // seconds
  double rate = 0;  // cores
};

// The level rises until the cores are taken: found by halving an interval.
void pour(double cores, std::map<std::uint32_t, PlainTask>& tasks) {
  const auto taken_at = [&](double level) {
    double taken = 0;
    for (const auto& [id, task] : tasks) taken += std::min(task.demand, task.weight * level);
    return taken;
  };
  double low = 0;
  double high = 1e4;
  for (int i = 0; i < 64; ++i) {
    const double middle = (low + high) / 2;
    (taken_at(middle) > cores ? high : low) = middle;
  }
  for (auto& [id, task] : tasks) task.rate = std::min(task.demand, task.weight * low);
}

// One machine on which tasks begin, are killed and end at random, beside a simulation that computes
// everything anew whenever anything happens.
class RandomMachine {
 public:
  explicit RandomMachine(std::uint64_t seed)
      : random_(Random::stream(seed, "cores")),
        milli_cores_(1'000 * static_cast<std::int64_t>(1 + random_.below(16))),
        memory_mib_(static_cast<std::int64_t>(1'000 + random_.below(20'000))),
        swap_cost_(static_cast<double>(random_.below(3)) * 2),
        shares_(Resources(milli_cores_, memory_mib_), swap_cost_) {}

  void run(int changes) {
    for (int i = 0; i < changes; ++i) {
      go_to(now_ + static_cast<std::int64_t>(random_.below(2'000'000)));
      change();
      compare();
    }
    while (!plain_.empty()) go_to(now_ + 100'000'000);
    EXPECT_EQ(shares_.next_done(), never);
    // Each end is at a whole microsecond, which shifts those after it, by more if they are slower.
    for (const auto& [id, end] : plain_ends_) {
      EXPECT_NEAR(ends_[id], end, 20 * slowest_) << "task " << id;
    }
    EXPECT_EQ(ends_.size(), plain_ends_.size());
  }

 private:
  double slowdown() const {
    double used = 0;
    for (const auto& [id, task] : plain_) used += task.memory;
    const double over = used / static_cast<double>(memory_mib_) - 1;
    return over > 0 ? 1 + swap_cost_ * over : 1;
  }
  static double speed(const PlainTask& task) {
    return task.demand > 0 ? task.rate / task.demand : 1;
  }
  void pour_anew() {
    pour(static_cast<double>(milli_cores_) / 1e3, plain_);
    for (const auto& [id, task] : plain_) {
      slowest_ = std::max(slowest_, slowdown() / speed(task));
    }
  }

  void change() {
    const std::uint32_t other = next_ == 0 ? 0 : static_cast<std::uint32_t>(random_.below(next_));
    // Not one that is about to end, which a microsecond may have decided.
    if (random_.below(5) == 0 && plain_.contains(other) && plain_[other].left > 1e-3) {
      EXPECT_NEAR(shares_.left(container(other), trace_time(now_)).value() / 1e6,
                  plain_[other].left, 1e-4);
      shares_.end(container(other), trace_time(now_));
      plain_.erase(other);
    } else {
      const bool is_whole = random_.below(2) == 0;
      const auto demand =
          static_cast<std::int64_t>(is_whole ? 1'000 * random_.below(4) : random_.below(5'000));
      const auto weight = static_cast<std::int64_t>(1 + random_.below(3));
      const auto memory = static_cast<std::int64_t>(random_.below(4'000));
      const auto run_time = static_cast<std::int64_t>(1 + random_.below(20'000'000));
      shares_.begin(container(next_), {demand, weight, memory, microseconds(run_time)},
                    trace_time(now_));
      plain_[next_++] = {.demand = static_cast<double>(demand) / 1e3,
                         .weight = static_cast<double>(weight),
                         .memory = static_cast<double>(memory),
                         .left = static_cast<double>(run_time) / 1e6};
    }
    pour_anew();
  }
  void compare() {
    double sum = 0;
    for (const auto& [id, task] : plain_) {
      const double rate = shares_.rate_of(container(id));
      EXPECT_NEAR(rate, task.rate * 1e3 / slowdown(), 1e-6) << "task " << id;
      sum += rate;
    }
    EXPECT_LE(sum, static_cast<double>(milli_cores_) * (1 + 1e-12));
    EXPECT_NEAR(shares_.rate_of_all(), sum, 1e-6);
  }

  void go_to(std::int64_t now) {
    std::vector<ContainerId> done;
    while (shares_.next_done() <= trace_time(now)) {
      const TraceTime at = shares_.next_done();
      done.clear();
      shares_.take_done(at, done);
      EXPECT_FALSE(done.empty());
      for (const ContainerId one : done) {
        ends_[one.value()] = static_cast<double>(to_microseconds(at));
        shares_.end(one, at);
      }
    }
    run_plain_until(static_cast<double>(now) / 1e6);
    now_ = now;
  }
  void run_plain_until(double until) {
    while (!plain_.empty()) {
      const double slower = slowdown();
      double step = until - plain_now_;
      for (const auto& [id, task] : plain_) {
        step = std::min(step, task.left * slower / speed(task));
      }
      for (auto& [id, task] : plain_) task.left -= step * speed(task) / slower;
      plain_now_ += step;
      const auto is_done = [&](const auto& entry) {
        if (entry.second.left > 1e-9) return false;
        plain_ends_[entry.first] = plain_now_ * 1e6;
        return true;
      };
      if (std::erase_if(plain_, is_done) == 0) break;
      pour_anew();
    }
    plain_now_ = until;
  }

  Random random_;
  std::int64_t milli_cores_;
  std::int64_t memory_mib_;
  double swap_cost_;
  CoreShares shares_;
  std::map<std::uint32_t, PlainTask> plain_;
  std::map<std::uint32_t, double> ends_;
  std::map<std::uint32_t, double> plain_ends_;
  std::int64_t now_ = 0;
  double plain_now_ = 0;
  double slowest_ = 1;
  std::uint32_t next_ = 0;
};

TEST(CoreShares, AgreeWithAPlainSimulation) {
  for (std::uint64_t seed = 1; seed <= 1'000 && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomMachine(seed).run(60);
  }
}

}  // namespace
}  // namespace tracebed
