#include "schedulers/multi_resource/market_shares.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/check.h"

namespace tracebed {
namespace {

constexpr double price_tolerance = 1e-12;
constexpr int rounds_max = 1'000;
constexpr int halvings = 60;

using PerResource = std::array<double, Resources::dimensions_max>;

// Demands are parts of all there is of a resource, and incomes and prices add up to 1.
struct Trader {
  PerResource demand{};
  double income = 0;
  double spent = 0;  // on one task, at the current prices
};

class Market {
 public:
  explicit Market(std::vector<Trader> traders) : traders_(std::move(traders)) {
    std::size_t demanded = 0;
    for (std::size_t d = 0; d < prices_.size(); ++d) {
      is_demanded_[d] = std::any_of(traders_.begin(), traders_.end(),
                                    [d](const Trader& one) { return one.demand[d] > 0; });
      demanded += is_demanded_[d] ? 1U : 0U;
    }
    for (std::size_t d = 0; d < prices_.size(); ++d) {
      if (is_demanded_[d]) prices_[d] = 1 / static_cast<double>(demanded);
    }
  }

  void settle() {
    for (int round = 0; round < rounds_max; ++round) {
      double change = 0;
      for (std::size_t d = 0; d < prices_.size(); ++d) {
        if (is_demanded_[d]) change = std::max(change, settle_price(d));
      }
      if (change <= price_tolerance) return;
    }
  }

  double tasks_of(const Trader& one) const {
    double spent = 0;
    for (std::size_t d = 0; d < prices_.size(); ++d) spent += prices_[d] * one.demand[d];
    return one.income / spent;
  }
  const std::vector<Trader>& traders() const { return traders_; }

 private:
  // What is left of the resource at that price; grows with it.
  double left_at(std::size_t d, double price) const {
    double left = 1;
    for (const Trader& one : traders_) {
      if (one.demand[d] <= 0) continue;
      const double spent = one.spent + price * one.demand[d];
      if (spent <= 0) return -1;  // for nothing they want without end
      left -= one.income * one.demand[d] / spent;
    }
    return left;
  }

  // Returns by how much the price changed. All of the resource is sold, or it costs nothing. At a
  // price of 1, all incomes together buy no more than there is.
  double settle_price(std::size_t d) {
    for (Trader& one : traders_) {
      one.spent = 0;
      for (std::size_t other = 0; other < prices_.size(); ++other) {
        if (other != d) one.spent += prices_[other] * one.demand[other];
      }
    }
    double low = 0;
    double high = 1;
    if (left_at(d, low) >= 0) {
      high = 0;
    } else {
      for (int i = 0; i < halvings; ++i) {
        const double middle = (low + high) / 2;
        (left_at(d, middle) < 0 ? low : high) = middle;
      }
    }
    const double change = std::abs(high - prices_[d]);
    prices_[d] = high;
    return change;
  }

  std::vector<Trader> traders_;
  PerResource prices_{};
  std::array<bool, Resources::dimensions_max> is_demanded_{};
};

}  // namespace

std::vector<double> market_tasks(const Resources& total, std::span<const MarketUser> users) {
  std::vector<Trader> traders;
  std::vector<std::size_t> places;
  double incomes = 0;
  for (std::size_t i = 0; i < users.size(); ++i) {
    TRACEBED_CHECK(users[i].weight > 0, "weights are positive");
    Trader trader;
    bool is_trading = false;
    for (std::size_t d = 0; d < total.dimensions_used(); ++d) {
      if (total[d] <= 0 || users[i].demand[d] <= 0) continue;
      trader.demand[d] = static_cast<double>(users[i].demand[d]) / static_cast<double>(total[d]);
      is_trading = true;
    }
    if (!is_trading) continue;
    trader.income = static_cast<double>(users[i].weight);
    incomes += trader.income;
    traders.push_back(trader);
    places.push_back(i);
  }
  for (Trader& one : traders) one.income /= incomes;
  Market market(std::move(traders));
  market.settle();
  std::vector<double> tasks(users.size(), 0);
  for (std::size_t i = 0; i < places.size(); ++i) {
    tasks[places[i]] = market.tasks_of(market.traders()[i]);
  }
  return tasks;
}

}  // namespace tracebed
