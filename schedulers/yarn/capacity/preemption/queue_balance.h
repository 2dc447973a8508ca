// What each queue should have of a partition, and how much to preempt from those that have more
// (monitor.capacity.AbstractPreemptableResourceCalculator, PreemptableResourceCalculator,
// TempQueuePerPartition). Formulas over plain figures; preemption_round.h chooses the containers.
//
// 1. From the leaves up: extra = max(used − guaranteed, 0). A leaf's is untouchable if its
//    preemption is disabled, else preemptable; of a parent, min(Σ children's preemptable, extra) is
//    preemptable and the rest of its extra untouchable.
// 2. From the root's guarantee down, level by level, children with a guarantee first, then, if
//    something is left, those without, in equal parts. A child begins with what it uses or, above
//    its guarantee, with that + untouchable. What is left is offered again and again to the most
//    under-served of those that want more (the lowest ideal / guaranteed; between unequal
//    priorities and on the same side of 1 the higher priority): its guarantee's part of all wanting
//    ones' guarantees, by dimension and in 32 bits, of what was left when the round began,
//    normalised up to whole units, at most what is left. In a dimension in which a guarantee among
//    them is rounded to zero, parts are those of absolute capacities, and in one in which all are,
//    parts are even (YARN-11073: else nothing of it would be offered to a queue that small, and
//    containers would be killed round after round for nobody). It takes at most its maximum, what
//    it uses and wants, and, being a leaf, the larger of what it uses and its guarantee. One that
//    takes nothing is done.
// 3. to_preempt = (used − leaving − max(ideal, min(used + pending, guaranteed))) × scale, where
//    scale = allowed / Σ (used − ideal) on that level if that is less than 1.
// 4. For leaves that use more than guaranteed × (1 + ignored over capacity), and whose preemption
//    is not disabled: to_obtain = to_preempt × natural termination factor, normalised up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/resources.h"
#include "schedulers/yarn/resource_calculator.h"

namespace tracebed {

// A queue in one partition. "Used" includes what is reserved.
struct QueueBalance {
  Resources guaranteed;
  float absolute_capacity = 0;  // the guarantee as a part of the partition, not rounded
  Resources maximum;
  Resources used;
  Resources pending;                  // within the users' limits
  Resources pending_less_reserved;    // the same, after what was reserved for it
  Resources leaving;                  // of used: containers that are being killed
  bool is_disabled = false;           // its preemption is
  std::int32_t priority = 0;          // among siblings, if their order respects it
  std::vector<std::size_t> children;  // positions after its own; a leaf has none

  // Results.
  Resources untouchable;
  Resources preemptable;
  Resources ideal;
  Resources to_preempt;
  Resources to_obtain;  // of leaves

  bool is_leaf() const { return children.empty(); }
};

struct BalanceRules {
  ResourceCalculator calculator{ResourceCalculator::Kind::memory};
  Resources cluster;  // all partitions
  Resources allowed;  // still allowed in this round
  // What is reserved counts as demand, and nothing is left to natural termination.
  bool counts_reserved = false;
  // Leaves may take more than their guarantee, too, so that what is above guarantees is evened out.
  bool goes_beyond_guarantee = false;
  double ignored_over_capacity = 0.1;
  double natural_termination = 0.2;
};

// Fills the results of the queues of one partition, the root first, parents before children.
// Returns those that need more than they begin with, in the order in which they were served.
std::vector<std::size_t> balance_queues(std::vector<QueueBalance>& queues,
                                        const BalanceRules& rules);

}  // namespace tracebed
