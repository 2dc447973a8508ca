// The limits of a leaf queue and its users, as formulas over plain figures (AbstractLeafQueue,
// UsersManager). "Normalised up" is ResourceCalculator::multiply_and_normalize_up with the minimum
// allocation as the step.
#pragma once

#include <cstdint>
#include <optional>

#include "schedulers/yarn/capacity/capacity_configuration.h"
#include "schedulers/yarn/resource_calculator.h"

namespace tracebed {

// The inputs of all formulas of a leaf in one partition.
struct LeafBasis {
  ResourceCalculator calculator{ResourceCalculator::Kind::memory};
  Resources partition;   // all of its resources
  Resources guaranteed;  // the leaf's part
  Resources maximum;     // what it may use at most
  Resources minimum_allocation;
  float user_limit_percent = 100;
  float user_limit_factor = 1;  // -1: without limit
  float application_master_share = 0.1F;
};

// The maximum number of applications of a leaf, including waiting ones: its own setting; else the
// one for all queues, at most the system's; else the system's × the absolute capacity, truncated.
// Where capacities are amounts, the one for all queues is multiplied by it, too.
// `absolute_capacity` is the largest of all partitions; without value on a cluster that has no
// resources, and then nothing is multiplied (AbstractLeafQueue.updateMaximumApplications).
std::int64_t maximum_applications(const CapacityConfiguration& configuration,
                                  const CapacityQueue& leaf,
                                  std::optional<float> absolute_capacity);
// Of one user: the leaf's × user limit × factor, truncated, at most the leaf's.
std::int64_t maximum_applications_of_user(const CapacityQueue& leaf, std::int64_t of_leaf);

// The same as in Hadoop 2.0, not limited to the leaf's.
std::int64_t uncapped_maximum_applications_of_user(const CapacityQueue& leaf, std::int64_t of_leaf);

// Resources that application masters of the leaf may use together: base × share, normalised up. The
// base is what the leaf may use now (`current_limit`) if its guarantee fits in that, else the
// guarantee.
Resources application_master_limit(const LeafBasis& leaf, const Resources& current_limit);
// Of one user: guarantee × share × min(max(user limit, 1 / active users) × weight, 1) × factor,
// normalised up, at most the leaf's. Without limit by the factor: guarantee × share.
Resources application_master_limit_of_user(const LeafBasis& leaf, const Resources& of_leaf,
                                           std::int64_t active_users, float weight);

// Hadoop 2.0 counts active applications instead of their masters' resources (the YARN analysis,
// section 6.2.2), as if every master were of the minimum allocation: partition / minimum allocation
// × share × absolute capacity, rounded up, at least 1. For the leaf with its absolute maximum
// capacity; for a user with its absolute capacity, then × user limit × factor.
std::int64_t maximum_active_applications(const LeafBasis& leaf, float absolute_capacity);
std::int64_t maximum_active_applications_of_user(const LeafBasis& leaf, float absolute_capacity);

// Of the leaf's users.
struct UsersUsage {
  // Σ over all users of the used part of the partition (ResourceCalculator::divide).
  float usage_ratio = 0;
  Resources used_by_active;  // active: users with pending asks
  float weights_of_active = 1;
  float weights_of_all = 1;
};

// What each active user may use, before the user's weight:
//   consumed = partition × usage ratio, normalised up
//   current  = guarantee while consumed is less, else consumed + minimum allocation
//   limit    = max((used by active users + minimum allocation) / Σ their weights,
//                  current × user limit), both rounded up
// at most guarantee × factor, then up to a multiple of the minimum allocation. The guarantee counts
// as at least the minimum allocation. Without guarantee, or without limit by the factor, the leaf's
// maximum stands in for guarantee × factor. With `of_all`, current / Σ all users' weights stands in
// for the first term: intra-queue preemption looks at that.
Resources user_limit(const LeafBasis& leaf, const UsersUsage& users, bool of_all = false);
// The same as in Hadoop 2.0: max(current / users, current × user limit), both rounded up, where
// current = guarantee while the leaf uses less, else what it uses + minimum allocation; then at
// most guarantee × factor, up to a multiple of the minimum allocation. `users` are the active ones.
Resources user_limit_by_users(const LeafBasis& leaf, const Resources& used, std::int64_t users);
// The limit of one user: × weight, down to a multiple of the minimum allocation.
Resources weighted_user_limit(const LeafBasis& leaf, const Resources& limit, float weight);

}  // namespace tracebed
