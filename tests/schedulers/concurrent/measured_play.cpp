#include "schedulers/concurrent/measured_play.h"

#include <gtest/gtest.h>
#include <memory>

#include "core/names.h"
#include "core/random.h"
#include "schedulers/policy_harness.h"
#include "support/schedulers.h"

namespace tracebed::test {
namespace {

constexpr std::size_t steps = 150;
constexpr Resources unit{1000, 1024};

// Counts what has begun.
class CountedThreads final : public DecisionThreads {
 public:
  explicit CountedThreads(DecisionThreads& threads) : threads_(threads) {}
  void begin(std::size_t scheduler, std::uint64_t decision, std::function<void()> decide) override {
    ++begun_;
    threads_.begin(scheduler, decision, std::move(decide));
  }
  std::uint64_t begun() const { return begun_; }

 private:
  DecisionThreads& threads_;
  std::uint64_t begun_ = 0;
};

std::unique_ptr<Scheduler> made(const MeasuredPlay& given, const Names& names) {
  SchedulerParameters parameters;
  parameters.settings = {{"policy", given.policy}, {"decision_time", "measured"}};
  parameters.names = &names;
  parameters.seed = given.seed;
  auto scheduler = schedulers().make(given.scheduler, parameters);
  EXPECT_TRUE(scheduler.has_value()) << scheduler.error().message;
  return std::move(scheduler).value();
}

class Play {
 public:
  Play(const MeasuredPlay& given, DecisionThreads& threads)
      : random_(Random::stream(given.seed, "measured")),
        threads_(threads),
        scheduler_(made(given, names_)),
        harness_(*scheduler_) {
    scheduler_->use_threads(threads_);
    for (std::uint32_t i = 0; i < 8; ++i) {
      nodes_.push_back(harness_.add_node(unit * 4, RackId(i % 2), {label(i % 3)}));
    }
  }

  MeasuredOutcome run(const DecisionArrivals& arrivals) {
    std::size_t step = 0;
    for (; step < steps; ++step) {
      change();
      settle(arrivals(step));
    }
    for (; arrived_ < threads_.begun(); ++step) settle(arrivals(step));
    harness_.verify();
    outcome_.placements += harness_.digest().to_string();
    for (const SchedulerCount& each : scheduler_->counts()) {
      if (each.name == "units_committed") outcome_.committed = each.count;
      if (each.name == "transactions_in_conflict") outcome_.in_conflict = each.count;
    }
    return outcome_;
  }

 private:
  static std::string label(std::uint64_t number) { return "l" + std::to_string(number); }
  NodeId some_node() { return nodes_[random_.below(nodes_.size())]; }

  void settle(const std::vector<DecisionMade>& made) {
    for (const DecisionMade& each : made) harness_.decision_made(each);
    arrived_ += made.size();
    harness_.advance(microseconds(1 + static_cast<std::int64_t>(random_.below(2'000))));
    const std::vector<Placement> placed = harness_.decide();
    running_.insert(running_.end(), placed.begin(), placed.end());
    outcome_.placements += to_text(placed) + "\n";
  }

  void change() {
    switch (random_.below(8)) {
      case 0:
      case 1:
      case 2:
        return submit();
      case 3:
        return end_one();
      case 4:
        return report();
      case 5:
        return leave_or_return();
      case 6:
        if (!asks_.empty()) {
          const AskId ask = asks_[random_.below(asks_.size())];
          harness_.set_pending(ask, static_cast<std::uint32_t>(random_.below(6)));
        }
        return;
      default:
        return;
    }
  }

  void submit() {
    const ApplicationId job = harness_.submit();
    settle({});
    InputBlocks input;
    for (int block = 0; block < 6; ++block) {
      const NodeId holder = some_node();
      input.add_block({&holder, 1});
    }
    harness_.cluster().inputs[job] = input;
    AskFigures figures;
    figures.demand = unit;
    figures.pending = static_cast<std::uint32_t>(1 + random_.below(6));
    if (random_.chance(0.3)) figures.label = names_.labels.intern(label(random_.below(4)));
    asks_.push_back(harness_.ask(job, figures));
  }

  void end_one() {
    if (running_.empty()) return;
    const std::size_t index = random_.below(running_.size());
    if (harness_.cluster().containers.find(running_[index].container) != nullptr) {
      harness_.end(running_[index].container);
    }
    running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(index));
  }

  void report() {
    const NodeId node = some_node();
    if (!harness_.cluster().node(node).alive) return;
    const auto some = [&](std::uint64_t below) {
      return static_cast<std::int64_t>(random_.below(below));
    };
    harness_.heartbeat(node, Resources(some(4'000), some(4'096)),
                       static_cast<std::int32_t>(some(1'000)));
  }

  void leave_or_return() {
    const NodeId node = some_node();
    if (harness_.cluster().node(node).alive) {
      harness_.remove_node(node);
    } else {
      harness_.bring_back(node);
    }
  }

  Random random_;
  CountedThreads threads_;
  Names names_;
  std::unique_ptr<Scheduler> scheduler_;
  PolicyHarness harness_;
  std::vector<NodeId> nodes_;
  std::vector<AskId> asks_;
  std::vector<Placement> running_;
  std::uint64_t arrived_ = 0;
  MeasuredOutcome outcome_;
};

}  // namespace

MeasuredOutcome play(const MeasuredPlay& given, DecisionThreads& threads,
                     const DecisionArrivals& arrivals) {
  return Play(given, threads).run(arrivals);
}

const std::vector<std::string>& concurrent_policies() {
  static const std::vector<std::string> policies{
      "binpack", "dbd", "dot_product", "l2_norm", "random", "spread", "weighted_priorities"};
  return policies;
}

const std::vector<std::string>& concurrent_schedulers() {
  static const std::vector<std::string> schedulers{"monolithic", "shared_state", "two_level"};
  return schedulers;
}

}  // namespace tracebed::test
