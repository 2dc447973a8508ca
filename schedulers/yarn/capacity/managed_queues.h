// Leaves below a queue with auto-create-child-queue.enabled, and the capacities that they have
// (ManagedParentQueue, AutoCreatedLeafQueue, GuaranteedOrZeroCapacityOverTimePolicy,
// QueueManagementDynamicEditPolicy): the template's, or none. A leaf has it as long as it has
// applications and there is room in its parent for it.
//
// In each partition, room is the parent's share of the cluster less those of the leaves that have
// their capacity. A new leaf has it if there is room. Where the monitor's policy is on, it looks at
// the leaves every interval: those without applications lose theirs, and others get it in the order
// in which their applications were submitted, as long as there is room. That of what leaves lose in
// a look counts in it already. Nothing is given or taken below a queue with
// fail-on-exceeding-parent-capacity, which refuses leaves for which there is no room instead. A
// refresh takes all capacities away and gives them anew.
//
// Deviations, each on purpose:
// - [capacity-managed-applications] A leaf's maximum of applications follows from the template's
//   capacity. The original computes it from the capacity that the leaf has: with none it would
//   refuse the application that it was created for.
// - [capacity-managed-own-properties] Leaves have the template's properties alone; those under a
//   leaf's own path, which the original reads where the template states none, are listed as
//   ignored.
// - [capacity-managed-same-time] Of applications that were submitted at the same time, the one
//   whose leaf was created first comes first; the original leaves that to a hash table.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "schedulers/yarn/capacity/capacity_state.h"

namespace tracebed {

// The share of the cluster that a leaf of the template has below a queue with the share
// `of_parent`, in the partition of this label and size. No share where the template states none.
float managed_share(const CapacityConfiguration& configuration, const CapacityQueue& parent,
                    const std::string& label, float of_parent, const Resources& partition);
// Whether a leaf may be created below the queue, which has the figures of now.
Status check_room_for_managed(const CapacityState& state, QueueIndex parent);
// Gives a leaf that is not among the queues yet the template's capacity where there is room.
void give_first_capacities(const CapacityState& state, CapacityQueue& leaf);

class ManagedQueues {
 public:
  // `state` outlives it.
  explicit ManagedQueues(CapacityState& state) : state_(state) {}

  // Looks, if it is time. True if capacities changed, after which figures are old.
  bool look(TraceTime now);
  // When it must be woken, later than now; `never` while it would change nothing.
  TraceTime next_look(TraceTime now);
  // After a refresh, whether or not the policy is on.
  bool give_all();

 private:
  struct Change {
    QueueIndex leaf = 0;
    std::string label;
    bool is_given = false;
  };
  std::vector<Change> changes_below(QueueIndex parent) const;
  void add_changes(QueueIndex parent, const std::string& label, std::vector<Change>& changes) const;
  // Leaves with applications, the one with the oldest first, as often as they have some.
  std::vector<QueueIndex> leaves_by_application(QueueIndex parent) const;
  bool would_change() const;
  bool apply(bool includes_failing);

  CapacityState& state_;
  std::optional<Duration> interval_;  // that of the policy's start, which a refresh does not change
  std::uint64_t version_ = 0;         // of the queues that would_change_ is about
  bool would_change_ = false;
  TraceTime next_ = never;
};

}  // namespace tracebed
