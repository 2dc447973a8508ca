#include "schedulers/yarn/capacity/leaf_limits.h"

#include <algorithm>
#include <cmath>

namespace tracebed {
namespace {

const Resources& smaller(const LeafBasis& leaf, const Resources& a, const Resources& b) {
  return leaf.calculator.compare(a, b, leaf.partition) <= 0 ? a : b;
}
const Resources& larger(const LeafBasis& leaf, const Resources& a, const Resources& b) {
  return leaf.calculator.compare(a, b, leaf.partition) >= 0 ? a : b;
}

}  // namespace

std::int64_t maximum_applications(const CapacityConfiguration& configuration,
                                  const CapacityQueue& leaf,
                                  std::optional<float> absolute_capacity) {
  if (leaf.maximum_applications) return *leaf.maximum_applications;
  const std::int64_t of_all_queues = configuration.global_queue_maximum_applications.value_or(0);
  const std::int64_t of_system = configuration.maximum_system_applications;
  const std::int64_t most = of_all_queues > 0 ? std::min(of_all_queues, of_system) : of_system;
  const bool is_whole = of_all_queues > 0 && !leaf.has_amounts();
  if (is_whole || !absolute_capacity) return most;
  return static_cast<std::int64_t>(static_cast<float>(most) * *absolute_capacity);
}

std::int64_t uncapped_maximum_applications_of_user(const CapacityQueue& leaf,
                                                   std::int64_t of_leaf) {
  return static_cast<std::int64_t>(static_cast<float>(of_leaf) * (leaf.user_limit_percent / 100) *
                                   leaf.user_limit_factor);
}

std::int64_t maximum_applications_of_user(const CapacityQueue& leaf, std::int64_t of_leaf) {
  if (leaf.user_limit_factor == -1) return of_leaf;
  return std::min(of_leaf, uncapped_maximum_applications_of_user(leaf, of_leaf));
}

Resources application_master_limit(const LeafBasis& leaf, const Resources& current_limit) {
  const bool has_its_guarantee = leaf.calculator.fits(leaf.guaranteed, current_limit);
  const Resources& base = has_its_guarantee ? current_limit : leaf.guaranteed;
  return leaf.calculator.multiply_and_normalize_up(base, leaf.application_master_share,
                                                   leaf.minimum_allocation);
}

Resources application_master_limit_of_user(const LeafBasis& leaf, const Resources& of_leaf,
                                           std::int64_t active_users, float weight) {
  float factor = leaf.application_master_share;
  if (leaf.user_limit_factor != -1) {
    const float even = 1 / static_cast<float>(std::max<std::int64_t>(active_users, 1));
    const float share = std::max(leaf.user_limit_percent / 100, even);
    factor = factor * std::min(share * weight, 1.0F) * leaf.user_limit_factor;
  }
  return smaller(
      leaf,
      leaf.calculator.multiply_and_normalize_up(leaf.guaranteed, factor, leaf.minimum_allocation),
      of_leaf);
}

std::int64_t maximum_active_applications(const LeafBasis& leaf, float absolute_capacity) {
  const float count = leaf.calculator.ratio(leaf.partition, leaf.minimum_allocation) *
                      leaf.application_master_share * absolute_capacity;
  return std::max<std::int64_t>(static_cast<std::int64_t>(std::ceil(count)), 1);
}

std::int64_t maximum_active_applications_of_user(const LeafBasis& leaf, float absolute_capacity) {
  const std::int64_t of_guarantee = maximum_active_applications(leaf, absolute_capacity);
  const float count =
      static_cast<float>(of_guarantee) * (leaf.user_limit_percent / 100) * leaf.user_limit_factor;
  return std::max<std::int64_t>(static_cast<std::int64_t>(std::ceil(count)), 1);
}

namespace {

// max(`divided`, `current` × user limit), at most the guarantee × factor, in steps.
Resources bounded_user_limit(const LeafBasis& leaf, const Resources& capacity,
                             const Resources& current, const Resources& divided) {
  const ResourceCalculator& calculator = leaf.calculator;
  const Resources by_percent = calculator.divide_and_ceil(
      multiply_and_cut(current, leaf.user_limit_percent), std::int64_t{100});
  const bool has_no_factor = leaf.user_limit_factor == -1 || leaf.guaranteed.is_zero();
  const Resources most =
      has_no_factor ? leaf.maximum : multiply_and_cut(capacity, leaf.user_limit_factor);
  const Resources limit = larger(leaf, divided, by_percent);
  return calculator.round_up(smaller(leaf, limit, most), leaf.minimum_allocation);
}

}  // namespace

Resources user_limit(const LeafBasis& leaf, const UsersUsage& users, bool of_all) {
  const ResourceCalculator& calculator = leaf.calculator;
  const Resources& step = leaf.minimum_allocation;
  const Resources capacity = larger(leaf, leaf.guaranteed, step);
  const Resources consumed =
      calculator.multiply_and_normalize_up(leaf.partition, users.usage_ratio, step);
  const bool is_below = calculator.compare(consumed, capacity, leaf.partition) < 0;
  const Resources current = is_below ? capacity : consumed + step;
  const Resources divided =
      of_all ? calculator.divide_and_ceil(current, users.weights_of_all)
             : calculator.divide_and_ceil(users.used_by_active + step, users.weights_of_active);
  return bounded_user_limit(leaf, capacity, current, divided);
}

Resources user_limit_by_users(const LeafBasis& leaf, const Resources& used, std::int64_t users) {
  const Resources& step = leaf.minimum_allocation;
  const Resources capacity = larger(leaf, leaf.guaranteed, step);
  const bool is_below = leaf.calculator.compare(used, capacity, leaf.partition) < 0;
  const Resources current = is_below ? capacity : used + step;
  const Resources divided =
      leaf.calculator.divide_and_ceil(current, std::max<std::int64_t>(users, 1));
  return bounded_user_limit(leaf, capacity, current, divided);
}

Resources weighted_user_limit(const LeafBasis& leaf, const Resources& limit, float weight) {
  return leaf.calculator.multiply_and_normalize_down(limit, weight, leaf.minimum_allocation);
}

}  // namespace tracebed
