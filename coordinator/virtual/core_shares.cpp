#include "coordinator/virtual/core_shares.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/check.h"

namespace tracebed {
namespace {

__extension__ using WideAmount = __int128;

// Clocks are exact while no task is slower than its demand lets it be, and then as numbers are:
// some nanoseconds after a year. Ends are whole microseconds, rounded up from this much more.
constexpr double end_rounding = 1e-3;

}  // namespace

std::size_t CoreShares::find(ContainerId container) const {
  const auto found = std::find_if(working_.begin(), working_.end(),
                                  [&](const Working& one) { return one.container == container; });
  return static_cast<std::size_t>(found - working_.begin());
}

void CoreShares::begin(ContainerId container, const CoreDemand& demand, TraceTime now) {
  TRACEBED_CHECK(demand.weight > 0, "a container has a weight");
  move_to(now);
  const Working added{.container = container,
                      .milli_cores = demand.milli_cores,
                      .weight = demand.weight,
                      .memory_mib = demand.memory_mib};
  const auto wants_less = [](const Working& a, const Working& b) {
    const WideAmount a_wants = WideAmount{a.milli_cores} * b.weight;
    const WideAmount b_wants = WideAmount{b.milli_cores} * a.weight;
    return a_wants != b_wants ? a_wants < b_wants : a.container < b.container;
  };
  const auto place = static_cast<std::size_t>(
      std::lower_bound(working_.begin(), working_.end(), added, wants_less) - working_.begin());
  working_.insert(working_.begin() + static_cast<std::ptrdiff_t>(place), added);
  const auto left = static_cast<double>(demand.run_time.count());
  // Who wants nothing has it, at any level.
  if (place < satisfied_ || demand.milli_cores == 0) {
    working_[place].done_at = full_clock_ + left;
    ++satisfied_;
    satisfied_milli_cores_ += demand.milli_cores;
  } else {
    const double ratio =
        static_cast<double>(demand.milli_cores) / static_cast<double>(demand.weight);
    working_[place].done_at = level_clock_ + left * ratio;
    limited_weight_ += demand.weight;
  }
  change_memory(demand.memory_mib);
  settle();
}

void CoreShares::hold(ContainerId container, std::int64_t memory_mib, TraceTime now) {
  move_to(now);
  holding_.push_back({container, memory_mib, 0});
  change_memory(memory_mib);
}

void CoreShares::stop(ContainerId container, TraceTime now) {
  const std::size_t place = find(container);
  if (place == working_.size()) return;
  move_to(now);
  holding_.push_back({container, working_[place].memory_mib, left_of(place)});
  remove(place);
  settle();
}

void CoreShares::end(ContainerId container, TraceTime now) {
  stop(container, now);
  const auto held = std::find_if(holding_.begin(), holding_.end(),
                                 [&](const Holding& one) { return one.container == container; });
  if (held == holding_.end()) return;
  move_to(now);
  change_memory(-held->memory_mib);
  holding_.erase(held);
}

void CoreShares::take_done(TraceTime now, std::vector<ContainerId>& done) {
  move_to(now);
  const std::size_t before = done.size();
  for (std::size_t place = working_.size(); place-- > 0;) {
    if (left_of(place) > 2 * end_rounding) continue;
    done.push_back(working_[place].container);
    holding_.push_back({working_[place].container, working_[place].memory_mib, 0});
    remove(place);
  }
  std::sort(done.begin() + static_cast<std::ptrdiff_t>(before), done.end());
  settle();
}

TraceTime CoreShares::next_done() const {
  double least = std::numeric_limits<double>::infinity();
  const auto at_least = [&](std::size_t begin, std::size_t end) {
    std::size_t first = begin;
    for (std::size_t place = begin; place < end; ++place) {
      if (working_[place].done_at < working_[first].done_at) first = place;
    }
    if (begin < end) least = std::min(least, time_for(first, left_of(first)));
  };
  at_least(0, satisfied_);
  // By their own clock, those that are limited end in the order of their ends by it.
  at_least(satisfied_, working_.size());
  return after(least);
}

std::optional<double> CoreShares::left(ContainerId container, TraceTime now) const {
  const std::size_t place = find(container);
  if (place < working_.size()) {
    const double left = left_of(place);
    const double to_end = time_for(place, left);
    const auto passed = static_cast<double>((now - since_).count());
    return passed >= to_end ? 0 : left * (1 - passed / to_end);
  }
  for (const Holding& one : holding_) {
    if (one.container == container) return one.left;
  }
  return std::nullopt;
}

TraceTime CoreShares::done_at(ContainerId container) const {
  const std::size_t place = find(container);
  return place < working_.size() ? after(time_for(place, left_of(place))) : never;
}

double CoreShares::rate_of(ContainerId container) const {
  const std::size_t place = find(container);
  if (place == working_.size()) return 0;
  const double share = has_its_demand(place) ? static_cast<double>(working_[place].milli_cores)
                                             : level_ * static_cast<double>(working_[place].weight);
  return share / slowdown_;
}

double CoreShares::rate_of_all() const {
  const double limited =
      satisfied_ < working_.size() ? level_ * static_cast<double>(limited_weight_) : 0;
  return (static_cast<double>(satisfied_milli_cores_) + limited) / slowdown_;
}

void CoreShares::move_to(TraceTime now) {
  const double time = static_cast<double>((now - since_).count()) / slowdown_;
  since_ = now;
  full_clock_ += time;
  level_clock_ += time * level_;
  // The smaller they are, the more exact.
  if (satisfied_ == 0) full_clock_ = 0;
  if (satisfied_ == working_.size()) level_clock_ = 0;
}

bool CoreShares::level_reaches(const Working& one) const {
  if (capacity_.milli_vcores() <= 0) return true;
  const std::int64_t left = capacity_.milli_vcores() - satisfied_milli_cores_;
  if (limited_weight_ == 0) return left >= 0;
  return WideAmount{one.milli_cores} * limited_weight_ <= WideAmount{one.weight} * left;
}

// Whoever is moved raises the level for all others, so the first loop leaves nothing to the second
// unless it has nothing to do itself.
void CoreShares::settle() {
  while (satisfied_ > 0 && !level_reaches(working_[satisfied_ - 1])) limit_last();
  while (satisfied_ < working_.size() && level_reaches(working_[satisfied_])) satisfy_next();
  level_ = limited_weight_ == 0
               ? 0
               : static_cast<double>(capacity_.milli_vcores() - satisfied_milli_cores_) /
                     static_cast<double>(limited_weight_);
}

void CoreShares::satisfy_next() {
  Working& one = working_[satisfied_];
  one.done_at = full_clock_ + left_of(satisfied_);
  ++satisfied_;
  satisfied_milli_cores_ += one.milli_cores;
  limited_weight_ -= one.weight;
}

void CoreShares::limit_last() {
  Working& one = working_[satisfied_ - 1];
  one.done_at = level_clock_ + left_of(satisfied_ - 1) * static_cast<double>(one.milli_cores) /
                                   static_cast<double>(one.weight);
  --satisfied_;
  satisfied_milli_cores_ -= one.milli_cores;
  limited_weight_ += one.weight;
}

void CoreShares::remove(std::size_t place) {
  if (has_its_demand(place)) {
    --satisfied_;
    satisfied_milli_cores_ -= working_[place].milli_cores;
  } else {
    limited_weight_ -= working_[place].weight;
  }
  working_.erase(working_.begin() + static_cast<std::ptrdiff_t>(place));
}

void CoreShares::change_memory(std::int64_t mib) {
  used_memory_mib_ += mib;
  const std::int64_t over = used_memory_mib_ - capacity_.memory_mib();
  slowdown_ = capacity_.memory_mib() <= 0 || over <= 0
                  ? 1
                  : 1 + swap_cost_ * static_cast<double>(over) /
                            static_cast<double>(capacity_.memory_mib());
}

double CoreShares::left_of(std::size_t place) const {
  const Working& one = working_[place];
  if (has_its_demand(place)) return std::max(0.0, one.done_at - full_clock_);
  return std::max(0.0, one.done_at - level_clock_) * static_cast<double>(one.weight) /
         static_cast<double>(one.milli_cores);
}

double CoreShares::time_for(std::size_t place, double left) const {
  if (has_its_demand(place)) return left * slowdown_;
  const Working& one = working_[place];
  return left * slowdown_ * static_cast<double>(one.milli_cores) /
         (level_ * static_cast<double>(one.weight));
}

TraceTime CoreShares::after(double microseconds) const {
  const auto until_never = static_cast<double>((never - since_).count());
  if (!(microseconds < until_never / 2)) return never;
  return since_ +
         Duration(static_cast<std::int64_t>(std::ceil(std::max(0.0, microseconds - end_rounding))));
}

}  // namespace tracebed
