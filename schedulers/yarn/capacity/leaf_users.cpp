#include "schedulers/yarn/capacity/leaf_users.h"

namespace tracebed {
namespace {

float part_of(const Resources& used, const Resources& all, const ResourceCalculator& calculator) {
  return calculator.compare(all, Resources(), all) > 0 ? calculator.divide(used, all, all) : 0;
}

}  // namespace

LeafUser& LeafUsers::add(UserId id, float weight, std::size_t partitions) {
  const auto [found, is_new] = users_.try_emplace(id);
  LeafUser& user = found->second;
  if (is_new) user.weight = weight;
  if (user.uses.size() < partitions) user.uses.resize(partitions);
  if (sums_.size() < partitions) sums_.resize(partitions);
  return user;
}

LeafUser* LeafUsers::find(UserId user) {
  const auto found = users_.find(user);
  return found == users_.end() ? nullptr : &found->second;
}

void LeafUsers::charge(LeafUser& user, PartitionIndex partition, const Resources& amount,
                       const ResourceCalculator& calculator, const Resources& partition_resources) {
  LeafUser::Use& use = user.uses[partition];
  Sums& sums = sums_[partition];
  use.used += amount;
  if (user.wanting > 0) sums.used_by_active += amount;
  const float ratio = part_of(use.used, partition_resources, calculator);
  sums.usage_ratio += ratio - use.ratio;
  use.ratio = ratio;
  ++version_;
}

void LeafUsers::count_wanting(LeafUser& user, int change) {
  const bool was_active = user.wanting > 0;
  user.wanting = static_cast<std::uint32_t>(static_cast<int>(user.wanting) + change);
  const bool is_active = user.wanting > 0;
  if (was_active == is_active) return;
  active_users_ += is_active ? 1 : -1;
  for (PartitionIndex i = 0; i < user.uses.size(); ++i) {
    if (is_active) {
      sums_[i].used_by_active += user.uses[i].used;
    } else {
      sums_[i].used_by_active -= user.uses[i].used;
    }
  }
  sum_weights();
  ++version_;
}

void LeafUsers::sum_weights() {
  weights_of_active_ = weights_of_all_ = 0;
  for (const auto& [id, user] : users_) {
    weights_of_all_ += user.weight;
    if (user.wanting > 0) weights_of_active_ += user.weight;
  }
}

Resources LeafUsers::limit_of_all(PartitionIndex partition, const LeafBasis& basis,
                                  bool divides_among_users, const Resources& leaf_used) const {
  if (divides_among_users) return user_limit_by_users(basis, leaf_used, active_users_);
  const Sums& sums = sums_[partition];
  return user_limit(basis, {.usage_ratio = sums.usage_ratio,
                            .used_by_active = sums.used_by_active,
                            .weights_of_active = weights_of_active_,
                            .weights_of_all = weights_of_all_});
}

const Resources& LeafUsers::limit(LeafUser& user, PartitionIndex partition, const LeafBasis& basis,
                                  bool divides_among_users, const Resources& leaf_used) {
  LeafUser::Use& use = user.uses[partition];
  if (use.limit_version == version_) return use.limit;
  Sums& sums = sums_[partition];
  if (sums.limit_version != version_) {
    sums.limit = limit_of_all(partition, basis, divides_among_users, leaf_used);
    sums.limit_version = version_;
  }
  use.limit = user.weight == 1 ? sums.limit : weighted_user_limit(basis, sums.limit, user.weight);
  use.limit_version = version_;
  return use.limit;
}

Resources LeafUsers::shared_limit(const LeafUser& user, PartitionIndex partition, LeafBasis basis,
                                  bool divides_among_users, const Resources& leaf_used) const {
  basis.user_limit_factor = -1;
  basis.maximum = basis.partition;
  return weighted_user_limit(basis, limit_of_all(partition, basis, divides_among_users, leaf_used),
                             user.weight);
}

Resources LeafUsers::limit_among_all(const LeafUser& user, PartitionIndex partition,
                                     const LeafBasis& basis) const {
  const Sums& sums = sums_[partition];
  const UsersUsage usage{.usage_ratio = sums.usage_ratio,
                         .used_by_active = sums.used_by_active,
                         .weights_of_active = weights_of_active_,
                         .weights_of_all = weights_of_all_};
  return weighted_user_limit(basis, user_limit(basis, usage, true), user.weight);
}

void LeafUsers::recompute(const ResourceCalculator& calculator, const Partitions& partitions) {
  sums_.assign(partitions.size(), Sums());
  for (auto& [id, user] : users_) {
    user.uses.resize(partitions.size());
    for (PartitionIndex i = 0; i < user.uses.size(); ++i) {
      LeafUser::Use& use = user.uses[i];
      use.ratio = part_of(use.used, partitions.resources(i), calculator);
      sums_[i].usage_ratio += use.ratio;
      if (user.wanting > 0) sums_[i].used_by_active += use.used;
    }
  }
  sum_weights();
  ++version_;
}

}  // namespace tracebed
