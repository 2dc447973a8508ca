// The users of a leaf queue: what they use, how many applications they have there, which of them
// are active, and the limit that follows for each (scheduler.capacity.UsersManager). A user is kept
// while having applications in the leaf.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "schedulers/yarn/capacity/leaf_limits.h"
#include "schedulers/yarn/capacity/partitions.h"

namespace tracebed {

struct LeafUser {
  struct Use {
    Resources used;  // with what is reserved
    Resources masters;
    float ratio = 0;  // used / the partition
    // What it may use, valid as long as the leaf's version is this one.
    Resources limit;
    std::uint64_t limit_version = 0;
  };
  float weight = 1;
  std::uint32_t applications = 0;  // accepted ones
  std::uint32_t waiting = 0;       // of them, those that wait for the limit on masters
  std::uint32_t active = 0;
  std::uint32_t wanting = 0;  // active ones that want containers
  std::vector<Use> uses;      // by partition

  bool has_only_waiting() const { return waiting > 0 && active == 0; }
};

class LeafUsers {
 public:
  // References stay valid until remove().
  LeafUser& add(UserId user, float weight, std::size_t partitions);
  LeafUser* find(UserId user);
  void remove(UserId user) { users_.erase(user); }
  const std::map<UserId, LeafUser>& all() const { return users_; }

  // Adds to (or subtracts from) the user's use; `partition_resources` is all of the partition.
  void charge(LeafUser& user, PartitionIndex partition, const Resources& amount,
              const ResourceCalculator& calculator, const Resources& partition_resources);
  // An application of the user became active with pending units, or ceased to be.
  void count_wanting(LeafUser& user, int change);
  // An application began to wait, was activated, or left; to be called around any such change.
  template <class Change>
  void change_stage(LeafUser& user, Change&& change) {
    users_with_only_waiting_ -= user.has_only_waiting() ? 1 : 0;
    change(user);
    users_with_only_waiting_ += user.has_only_waiting() ? 1 : 0;
  }

  // What the user may use in the partition (leaf_limits.h): as Hadoop 3 computes it, or with the
  // equal parts of 2.0, for which `leaf_used` is what the leaf uses.
  const Resources& limit(LeafUser& user, PartitionIndex partition, const LeafBasis& basis,
                         bool divides_among_users, const Resources& leaf_used);
  // The same on the nodes of a label that is shared, for asks that do not name it: the limit is not
  // guarantee × factor, but all of the partition.
  Resources shared_limit(const LeafUser& user, PartitionIndex partition, LeafBasis basis,
                         bool divides_among_users, const Resources& leaf_used) const;
  // What the user may use if all users of the leaf count, not only the active ones; for intra-queue
  // preemption.
  Resources limit_among_all(const LeafUser& user, PartitionIndex partition,
                            const LeafBasis& basis) const;
  // Those with pending units, and those all of whose applications wait: the limit on masters counts
  // both.
  std::int64_t active_users() const { return active_users_ + users_with_only_waiting_; }

  // Limits, weights or the cluster changed: what was derived is computed again.
  void recompute(const ResourceCalculator& calculator, const Partitions& partitions);
  void set_weight(LeafUser& user, float weight) { user.weight = weight; }

 private:
  struct Sums {
    float usage_ratio = 0;
    Resources used_by_active;
    Resources limit;
    std::uint64_t limit_version = 0;
  };
  void sum_weights();
  Resources limit_of_all(PartitionIndex partition, const LeafBasis& basis, bool divides_among_users,
                         const Resources& leaf_used) const;

  std::map<UserId, LeafUser> users_;
  std::vector<Sums> sums_;  // by partition
  std::int64_t active_users_ = 0;
  std::int64_t users_with_only_waiting_ = 0;
  float weights_of_active_ = 0;
  float weights_of_all_ = 0;
  std::uint64_t version_ = 1;  // of all that limits are computed from
};

}  // namespace tracebed
