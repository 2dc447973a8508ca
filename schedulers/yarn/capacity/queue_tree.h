// The queues at run time: what each uses and has pending, its figures on the current cluster, and
// the order in which siblings are offered a node (scheduler.capacity.AbstractCSQueue, ParentQueue,
// PriorityUtilizationQueueOrderingPolicy). Everything is kept up to date change by change, so that
// an offer visits only queues with pending units.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "schedulers/yarn/capacity/capacity_settings.h"
#include "schedulers/yarn/capacity/queue_figures.h"
#include "schedulers/yarn/capacity/running_application.h"
#include "schedulers/yarn/capacity/strict_line.h"

namespace tracebed {

// A queue in one partition.
struct QueueUse {
  QueueFigures figures;
  Resources maximum;     // figures.maximum, down to a multiple of the minimum allocation
  Resources guaranteed;  // figures.guaranteed, but at least the minimum allocation
  LeafBasis basis;       // of a leaf
  Resources configured;  // the guarantee, if configured as an amount
  bool is_accessible = true;
  Resources used;  // with what is reserved
  Resources reserved;
  Resources masters;                    // of a leaf's active applications
  std::uint64_t wanted = 0;             // units, by active applications
  float used_share = 0;                 // used / guaranteed
  float absolute_used = 0;              // used / partition
  std::vector<QueueIndex> with_demand;  // children with pending units, in the order of their turns
};

// What only leaves have.
struct LeafState {
  LeafUsers users;
  // Active applications with pending units, in the order of their turns: those that may take a node
  // that they did not name, and those that may not.
  std::vector<RunningApplication*> line;
  StrictLine strict;
  std::set<ApplicationRank> waiting;  // by priority, then id
  DemandCensus waiting_masters;
  std::set<ApplicationId> active;
  std::set<ApplicationId> held;
  // What the queue could use when it was last offered a node, in the default partition.
  Resources current_limit;
  std::int64_t maximum_applications = 0;
  std::int64_t maximum_applications_of_user = 0;
  std::uint32_t applications() const {
    return static_cast<std::uint32_t>(waiting.size() + active.size() + held.size());
  }
};

struct RunningQueue {
  std::vector<QueueUse> uses;       // by partition
  std::uint32_t containers = 0;     // with reservations
  std::uint32_t applications = 0;   // accepted ones
  std::uint32_t running = 0;        // of them, those not held by max-parallel-apps
  std::unique_ptr<LeafState> leaf;  // null: a parent
};

class QueueTree {
 public:
  explicit QueueTree(const CapacitySettings& settings);

  const CapacityConfiguration& configuration() const { return settings_.configuration; }
  const CapacityQueue& configured(QueueIndex queue) const {
    return settings_.configuration.queues[queue];
  }
  std::size_t size() const { return queues_.size(); }
  RunningQueue& operator[](QueueIndex queue) { return queues_[queue]; }
  const RunningQueue& operator[](QueueIndex queue) const { return queues_[queue]; }
  bool is_root(QueueIndex queue) const { return queue == 0; }
  QueueIndex parent(QueueIndex queue) const {
    return static_cast<QueueIndex>(configured(queue).parent);
  }
  // Calls visit(queue) for the queue and each of its ancestors.
  template <class Visitor>
  void visit_up(QueueIndex queue, Visitor&& visit) {
    for (;; queue = parent(queue)) {
      visit(queue);
      if (is_root(queue)) return;
    }
  }

  // Adds to (or subtracts from) what the leaf and its ancestors use.
  void charge(QueueIndex leaf, PartitionIndex partition, const Resources& amount, int containers);
  void reserve(QueueIndex leaf, PartitionIndex partition, const Resources& amount);
  // Likewise for the pending units of active applications.
  void want(QueueIndex leaf, PartitionIndex partition, std::int64_t units);

  // Computes all figures for the current partitions, and all orders, again.
  void recompute(Partitions& partitions);

  // The configuration got queues at its end; recompute() has to follow.
  void follow_created();

  // Moves a leaf of another tree here, with its use, its applications and those counts above it.
  // Afterwards want() counts pending units again, and recompute() the figures.
  void carry_over(QueueTree& other, QueueIndex from, QueueIndex to);

  // An offer of a node without a label was not taken, and would not be on any such node that no ask
  // names: none of an offer's inputs has changed since.
  void note_settled() { is_settled_ = true; }
  bool is_settled() const { return is_settled_; }

  // All children, in the order in which they would be offered a node if all had pending units.
  std::vector<QueueIndex> order_of(QueueIndex parent, PartitionIndex partition) const;

 private:
  bool comes_before(QueueIndex a, QueueIndex b, PartitionIndex partition, bool with_priority) const;
  std::vector<QueueIndex>& siblings_with_demand(QueueIndex queue, PartitionIndex partition);
  std::vector<QueueIndex>::iterator place_of(QueueIndex queue, PartitionIndex partition);
  void set_shares(QueueIndex queue, PartitionIndex partition);
  void set_figures(QueueIndex queue, PartitionIndex partition, const QueueFigures& figures,
                   const std::string& label);
  bool is_accessible(QueueIndex queue, const std::string& label) const;
  // Absolute, of all partitions.
  std::optional<float> largest_capacity(QueueIndex leaf, const Partitions& partitions) const;

  const CapacitySettings& settings_;
  std::vector<RunningQueue> queues_;
  std::vector<Resources> partition_resources_;
  bool is_settled_ = false;
};

}  // namespace tracebed
