// What a round of preemption has chosen so far, and what may still be chosen: each selector takes
// from the same containers and from the same allowance
// (monitor.capacity.CapacitySchedulerPreemptionUtils).
#pragma once

#include <vector>

#include "schedulers/yarn/capacity/live_containers.h"

namespace tracebed {

// What is to be preempted, by partition.
class Wants {
 public:
  Wants(const ResourceCalculator& calculator, const Resources& cluster)
      : calculator_(calculator), cluster_(cluster) {}

  void add(PartitionIndex partition, const Resources& amount);
  bool empty() const { return open_ == 0; }
  bool has(PartitionIndex partition) const {
    return partition < wants_.size() && wants_[partition].is_open;
  }
  const Resources& amount(PartitionIndex partition) const { return wants_[partition].amount; }
  // True if taking `amount` helps: it reduces some dimension in which something is wanted. If
  // conservative, only if something is wanted in every dimension.
  bool is_served_by(PartitionIndex partition, const Resources& amount, bool is_conservative) const;
  void deduct(PartitionIndex partition, const Resources& amount);

 private:
  struct Want {
    Resources amount;
    bool is_open = false;  // more is wanted
  };
  // Of dimensions that the calculator counts and the cluster has.
  template <class Test>
  bool all_of_dimensions(const Resources& amount, Test&& test) const;

  ResourceCalculator calculator_;
  Resources cluster_;
  std::vector<Want> wants_;
  std::size_t open_ = 0;
};

class Victims {
 public:
  Victims(const CapacityState& state, LiveContainers& containers);

  LiveContainers& containers() { return containers_; }
  const Resources& cluster() const { return cluster_; }
  // What may still be taken in this round.
  const Resources& allowed() const { return allowed_; }
  const ResourceCalculator& calculator() const { return calculator_; }
  // Chosen of the leaf.
  const Resources& chosen_of(QueueIndex leaf, PartitionIndex partition) const {
    return sum_in(chosen_[leaf], partition);
  }

  // Chooses the container if it serves `wants` and the allowance has room; true if so.
  bool take(LiveContainer& container, Wants& wants, ChosenFor chosen_for, bool is_conservative);
  // Chooses it unconditionally; its amount is subtracted from the allowance.
  void choose(LiveContainer& container, ChosenFor chosen_for);
  // The reservation is given up, and counts as taken if it serves `wants`.
  void unreserve(NodeId node, const RunningApplication& application, Wants& wants,
                 bool is_conservative);
  bool is_unreserved(NodeId node) const;

  RoundChoice finish() { return std::move(choice_); }

 private:
  bool may_take(PartitionIndex partition, const Resources& amount, const Wants& wants,
                bool is_conservative) const;

  const CapacityState& state_;
  LiveContainers& containers_;
  const ResourceCalculator calculator_;
  const Resources cluster_;
  Resources allowed_;
  std::vector<std::vector<Resources>> chosen_;  // by leaf and partition
  RoundChoice choice_;
};

// The selectors. `balances` are by partition; except for select_for_reserved, amounts to obtain
// exclude what earlier selectors chose.
using Balances = std::vector<std::vector<QueueBalance>>;
// Returns the reservations to move.
std::vector<MovedReservation> select_by_priority(const CapacityState& state,
                                                 const ClusterModel& cluster, TraceTime now,
                                                 Victims& victims);
void select_for_reserved(const CapacityState& state, const ClusterModel& cluster,
                         const Balances& balances, Victims& victims);
void select_by_share(const CapacityState& state, const Balances& balances, ChosenFor chosen_for,
                     Victims& victims);
// `under_served` are leaves and parents by partition, the most under-served first.
void select_within_queues(const CapacityState& state, const Balances& balances,
                          const std::vector<std::vector<std::size_t>>& under_served,
                          Victims& victims);

}  // namespace tracebed
