// The rates of flows and when they end, against a plain solver and a plain simulation.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <vector>

#include "coordinator/virtual/flow_network.h"
#include "core/random.h"
#include "support/at_seconds.h"

namespace tracebed {
namespace {

struct PlainFlow {
  std::vector<std::size_t> path;
  double limit = 0;
  double weight = 1;
  double rate = 0;
};

// All rates rise together, by their weights; those of a full link, or at their limit, stop.
void fill_up(const std::vector<double>& links, std::map<std::size_t, PlainFlow>& flows) {
  std::map<std::size_t, PlainFlow*> rising;
  for (auto& [key, flow] : flows) {
    flow.rate = 0;
    rising[key] = &flow;
  }
  while (!rising.empty()) {
    std::vector<double> left = links;
    std::vector<double> sharers(links.size());
    for (const auto& [key, flow] : flows) {
      for (const std::size_t link : flow.path) {
        left[link] -= flow.rate;
        if (rising.contains(key)) sharers[link] += flow.weight;
      }
    }
    double step = 1e18;
    for (const auto& [key, flow] : rising) {
      step = std::min(step, (flow->limit - flow->rate) / flow->weight);
      for (const std::size_t link : flow->path) step = std::min(step, left[link] / sharers[link]);
    }
    for (const auto& [key, flow] : rising) flow->rate += step * flow->weight;
    std::erase_if(rising, [&](const auto& entry) {
      const PlainFlow& flow = *entry.second;
      return flow.rate >= flow.limit * (1 - 1e-9) ||
             std::any_of(flow.path.begin(), flow.path.end(), [&](std::size_t link) {
               return left[link] - sharers[link] * step <= links[link] * 1e-9;
             });
    });
  }
}

// Links with random rates, and flows along random paths, some of them paced or with own limits.
class RandomNetwork {
 public:
  RandomNetwork(std::uint64_t seed, double tolerance, bool has_weights = false)
      : random_(Random::stream(seed, "flows")), network_(tolerance), has_weights_(has_weights) {
    const std::size_t links = 1 + random_.below(24);
    for (std::size_t i = 0; i < links; ++i) {
      const auto rate = static_cast<std::int64_t>(1'000 + random_.below(1'000'000));
      network_.add_link(rate);
      rates_.push_back(static_cast<double>(rate));
    }
  }

  // Returns by how much rates differ from the plain solver's at most, relative to the least rate of
  // their path, whenever `step` flows have begun or ended.
  double worst_after(int changes, int step = 1) {
    double worst = 0;
    for (int i = 0; i < changes; i += step) {
      for (int j = 0; j < step; ++j) change();
      fill_up(rates_, flows_);
      for (const auto& [key, flow] : flows_) {
        double least = flow.limit;
        for (const std::size_t link : flow.path) least = std::min(least, rates_[link]);
        worst = std::max(worst, std::abs(flow.rate - network_.rate_of(ids_.at(key))) / least);
      }
    }
    return worst;
  }

 private:
  void change() {
    if (!flows_.empty() && random_.below(3) == 0) {
      const auto victim =
          std::next(flows_.begin(), static_cast<long>(random_.below(flows_.size())));
      network_.cancel(ids_.at(victim->first), at_seconds(0));
      flows_.erase(victim);
      return;
    }
    PlainFlow flow;
    std::vector<LinkId> path;
    const std::size_t steps = std::min<std::size_t>(rates_.size(), 1 + random_.below(6));
    while (flow.path.size() < steps) {
      const std::size_t link = random_.below(rates_.size());
      if (std::find(flow.path.begin(), flow.path.end(), link) != flow.path.end()) continue;
      flow.path.push_back(link);
      path.push_back(LinkId(link));
    }
    FlowDemand demand{.tag = next_, .bytes = 1'000'000'000};
    flow.limit = 1e15;
    if (has_weights_ && random_.below(2) == 0) {
      flow.weight = demand.weight = static_cast<double>(1 + random_.below(1'000)) / 1'000;
    }
    if (random_.below(4) == 0) {
      demand.rate_max = static_cast<std::int64_t>(1 + random_.below(200'000));
      flow.limit = static_cast<double>(*demand.rate_max);
    } else if (random_.below(4) == 0) {
      const auto time = static_cast<std::int64_t>(1'000 + random_.below(1'000'000));
      demand.due = at_seconds(time);
      flow.limit = 1e9 / static_cast<double>(time);
    }
    ids_[next_] = network_.begin(path, demand, at_seconds(0));
    flows_.emplace(next_++, std::move(flow));
  }

  Random random_;
  FlowNetwork network_;
  const bool has_weights_;
  std::vector<double> rates_;
  std::map<std::size_t, PlainFlow> flows_;
  std::map<std::size_t, FlowId> ids_;
  std::size_t next_ = 0;
};

// The same over time: all rates are computed anew whenever a flow begins, ends or is cancelled.
class PlainSimulation {
 public:
  explicit PlainSimulation(std::vector<double> links) : links_(std::move(links)) {}

  void begin(std::size_t id, const std::vector<std::size_t>& path, const FlowDemand& demand) {
    flows_[id] = {path, 0, demand.weight, 0};
    states_[id] = {demand, static_cast<double>(demand.bytes)};
  }
  // Returns the bytes that it has transferred.
  double cancel(std::size_t id) {
    const State state = states_.at(id);
    remove(id);
    return static_cast<double>(state.demand.bytes) - state.left;
  }
  void pace(std::size_t id, TraceTime due) { states_.at(id).demand.due = due; }
  bool has(std::size_t id) const { return flows_.contains(id); }
  // By flow, in microseconds.
  const std::map<std::size_t, double>& ends() const { return ends_; }

  void run_until(double end) {
    while (now_ < end) {
      share_out();
      double step = end - now_;
      for (const auto& [id, flow] : flows_) step = std::min(step, states_.at(id).left / flow.rate);
      now_ += step;
      std::vector<std::size_t> done;
      for (const auto& [id, flow] : flows_) {
        double& left = states_.at(id).left;
        left -= flow.rate * step;
        if (left <= flow.rate * 1e-3) done.push_back(id);  // of a microsecond
      }
      for (const std::size_t id : done) {
        ends_[id] = now_;
        remove(id);
      }
    }
  }

 private:
  struct State {
    FlowDemand demand;
    double left = 0;
  };

  void share_out() {
    for (auto& [id, flow] : flows_) {
      const State& state = states_.at(id);
      flow.limit = 1e15;
      if (state.demand.rate_max) flow.limit = static_cast<double>(*state.demand.rate_max) / 1e6;
      const double left = static_cast<double>(to_microseconds(state.demand.due)) - now_;
      if (left > 1e-3) flow.limit = std::min(flow.limit, state.left / left);
    }
    fill_up(links_, flows_);
  }
  void remove(std::size_t id) {
    flows_.erase(id);
    states_.erase(id);
  }

  std::vector<double> links_;  // bytes per microsecond
  std::map<std::size_t, PlainFlow> flows_;
  std::map<std::size_t, State> states_;
  std::map<std::size_t, double> ends_;
  double now_ = 0;
};

class FlowsOverTime {
 public:
  explicit FlowsOverTime(std::uint64_t seed) : random_(Random::stream(seed, "flows over time")) {
    std::vector<double> rates;
    for (std::size_t i = 0; i < links; ++i) {
      const auto rate = static_cast<std::int64_t>(100'000 + random_.below(1'000'000));
      network_.add_link(rate);
      rates.push_back(static_cast<double>(rate) / 1e6);
    }
    plain_.emplace(std::move(rates));
  }

  void run(int changes) {
    std::int64_t now = 0;
    for (int i = 0; i < changes; ++i) {
      now += static_cast<std::int64_t>(random_.below(2'000'000));
      go_to(now);
      change(now);
    }
    go_to(now + 1'000'000'000);
    // Each end is at a whole microsecond, which shifts those after it.
    EXPECT_EQ(ends_.size(), plain_->ends().size());
    for (const auto& [id, end] : plain_->ends()) EXPECT_NEAR(ends_[id], end, 100) << "flow " << id;
  }

 private:
  static constexpr std::size_t links = 6;

  void go_to(std::int64_t now) {
    std::vector<std::uint64_t> ended;
    for (TraceTime next = network_.next_end(); next <= trace_time(now);
         next = network_.next_end()) {
      ended.clear();
      network_.take_ended(next, ended);
      for (const std::uint64_t id : ended) ends_[id] = static_cast<double>(to_microseconds(next));
    }
    network_.take_ended(trace_time(now), ended);
    plain_->run_until(static_cast<double>(now));
  }
  void change(std::int64_t now) {
    const std::size_t other = next_ == 0 ? 0 : random_.below(next_);
    if (random_.below(5) == 0 && plain_->has(other) && network_.has(ids_[other])) {
      const auto transferred = static_cast<double>(network_.cancel(ids_[other], trace_time(now)));
      EXPECT_NEAR(transferred, plain_->cancel(other), 200);
      return;
    }
    if (random_.below(5) == 0 && plain_->has(other) && network_.has(ids_[other])) {
      const TraceTime due = trace_time(now + static_cast<std::int64_t>(random_.below(20'000'000)));
      network_.pace(ids_[other], due, trace_time(now));
      return plain_->pace(other, due);
    }
    FlowDemand demand{.tag = next_,
                      .bytes = static_cast<std::int64_t>(1'000 + random_.below(2'000'000))};
    const std::size_t kind = random_.below(3);
    if (kind == 0) demand.rate_max = static_cast<std::int64_t>(10'000 + random_.below(300'000));
    if (kind == 1) {
      demand.due = trace_time(now + 1 + static_cast<std::int64_t>(random_.below(20'000'000)));
    }
    if (random_.below(2) == 0) demand.weight = static_cast<double>(1 + random_.below(9));
    const std::size_t from = random_.below(links);
    const std::size_t to = (from + 1 + random_.below(links - 1)) % links;
    ids_.push_back(network_.begin(std::vector{LinkId(from), LinkId(to)}, demand, trace_time(now)));
    plain_->begin(next_++, {from, to}, demand);
  }

  Random random_;
  FlowNetwork network_{0};
  std::optional<PlainSimulation> plain_;
  std::vector<FlowId> ids_;
  std::map<std::size_t, double> ends_;
  std::size_t next_ = 0;
};

TEST(FlowNetwork, EndsFlowsWhenAPlainSimulationDoes) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    FlowsOverTime(seed).run(60);
  }
}

TEST(FlowNetwork, HasTheRatesOfAPlainSolver) {
  for (std::uint64_t seed = 1; seed <= 1'000; ++seed) {
    EXPECT_LT(RandomNetwork(seed, 0).worst_after(60), 1e-7) << "seed " << seed;
    EXPECT_LT(RandomNetwork(seed, 0, true).worst_after(60), 1e-7) << "weights, seed " << seed;
  }
}

TEST(FlowNetwork, StaysWithinItsTolerance) {
  double worst = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    worst =
        std::max(worst, RandomNetwork(seed, FlowNetwork::default_tolerance).worst_after(200, 20));
  }
  EXPECT_LT(worst, 0.03);
  EXPECT_GT(worst, 0);
}

}  // namespace
}  // namespace tracebed
