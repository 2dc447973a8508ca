// How much each application of a leaf has to give to more important ones of the same leaf
// (monitor.capacity.FifoIntraQueuePreemptionPlugin). Formulas over plain figures.
//
// Masters are excluded: what they use is subtracted from all figures.
//
// Applications are ordered by importance: by priority, then by id. If the leaf's own order is fair
// and users below their limit are spared, by what their users use, masters aside, less before more;
// those of one user by the leaf's own order
// (IntraQueueCandidatesSelector.TAFairOrderingComparator).
// 1. From the most important application on, as long as something is left:
//      ideal = min(used + pending − chosen, what is left of its user's limit, what is left of
//                  used − to_obtain of the leaf)
//    and it is in need of ideal − (used − chosen), if that is more than 0.
// 2. From the least important one on, at most guaranteed × most taken − to_obtain, and at most what
//    the round allows, together:
//      to_preempt = used − ideal − chosen − master (− minimum allocation, if users below their
//                   limit are spared)
// 3. The needs, the most important first, are met from these, the least important first, but never
//    from the same user's equally or more important ones. Where users below their limit are
//    spared, other users give nothing unless they use more than their limit; and for equal
//    priorities, once, only what they use above it.
// 4. What earlier selectors chose of the leaf is deducted from what each application gives, from
//    every one of them in full
//    (CapacitySchedulerPreemptionUtils.deductPreemptableResourcesBasedSelectedCandidates).
//
// Deviations, each on purpose:
// - [capacity-equal-users] The original compares applications of different users who use the same
//   by their ids, which is no order if users have several; here such users are ordered, with all
//   their applications, by the oldest of these.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/ids.h"
#include "core/resources.h"
#include "schedulers/yarn/resource_calculator.h"

namespace tracebed {

struct ApplicationBalance {
  ApplicationId id;
  std::size_t user = 0;  // in LeafBalance::users
  std::int32_t priority = 0;
  std::size_t turn = 0;  // in the leaf's own order; ignored unless that is fair
  Resources used;        // with its master
  Resources master;
  Resources pending;
  Resources chosen;  // of it, by earlier selectors

  // Results.
  Resources ideal;
  Resources needed;      // from others
  Resources to_preempt;  // could be taken
  Resources to_obtain;   // is
};

struct UserBalance {
  Resources used;
  Resources masters;
  Resources limit;   // among all users of the leaf, masters included
  Resources chosen;  // Σ of the user's applications that were given an ideal; a result

  Resources ideal;
  bool has_given_above_limit = false;
};

struct LeafBalance {
  std::vector<ApplicationBalance> applications;  // all of the leaf; sorted by this
  std::vector<UserBalance> users;
  Resources used;
  Resources guaranteed;
  Resources to_obtain;   // by other queues
  Resources chosen;      // by earlier selectors
  bool is_fair = false;  // its own order of applications
};

struct WithinRules {
  ResourceCalculator calculator{ResourceCalculator::Kind::memory};
  Resources cluster;
  Resources allowed;  // still allowed in this round
  Resources minimum_allocation;
  float most_taken = 0.2F;
  bool spares_users_below_limit = true;
  // No ideal once nothing is left of some dimension.
  bool is_conservative = true;
};

// Fills the results, and sorts the applications: the least important first.
void balance_within(LeafBalance& leaf, const WithinRules& rules);

}  // namespace tracebed
