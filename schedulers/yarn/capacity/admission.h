// Which applications the Capacity scheduler accepts, and when they may start: ACLs and maxima at
// submission, max-parallel-apps, and the limit on what application masters use
// (scheduler.capacity.CapacityScheduler, AbstractLeafQueue, CSMaxRunningAppsEnforcer).
#pragma once

#include <optional>
#include <string>

#include "schedulers/yarn/capacity/capacity_state.h"
#include "schedulers/yarn/capacity/queue_creation.h"

namespace tracebed {

class Admission {
 public:
  explicit Admission(CapacityState& state) : state_(state) {}

  // Takes the application into its queue, which is created if it may be, and lets it start if it
  // may. Fails with the reason; a queue that was created remains then.
  Status submit(ApplicationId id, const Application& application);
  // The application left; others may start in its place.
  void remove(ApplicationId id);
  // Lets those start that now may, in all leaves: figures or limits changed.
  void start_all();
  // Why an application is held by max-parallel-apps; nothing if it no longer is.
  std::optional<WaitingReason> held_reason(const RunningApplication& application) const;

 private:
  // The name of its queue, by the mappings or as it asks.
  struct PlacedName {
    std::string name;
    bool is_mapped = false;
  };
  Result<PlacedName> queue_name(const Application& application) const;
  // Where the application goes: a leaf, or what has to be created for one.
  struct Destination {
    QueueIndex leaf = 0;
    PlannedQueues missing;  // empty: nothing
    bool is_mapped = false;
  };
  Result<Destination> find_destination(const Application& application) const;
  Result<QueueIndex> take_destination(Destination destination, const std::string& user);
  Status check_label(const Destination& destination, const Application& application) const;
  Status check_acl(const Destination& destination, const std::string& user) const;
  Result<QueueIndex> create(PlannedQueues missing);
  Status check_managed(QueueIndex leaf, bool is_mapped) const;
  Status check_states(QueueIndex leaf) const;
  Status check_system_maximum() const;
  Status check_maxima(QueueIndex leaf, UserId user);
  std::optional<QueueIndex> full_queue(QueueIndex leaf) const;
  std::int64_t running_of(UserId user) const;
  // Makes the application wait for the limit on masters next, if max-parallel-apps allows.
  bool release(RunningApplication& application);
  void release_held();
  void start_waiting(QueueIndex leaf);

  CapacityState& state_;
  std::set<ApplicationId> held_;
  std::map<UserId, std::int64_t> running_;  // applications not held, over all queues
};

// Why an application waits for the limit on masters; nothing if it may start.
std::optional<WaitingReason> master_limit_reason(const CapacityState& state,
                                                 const RunningApplication& application);

// The limits on masters of a leaf, and of one of its users, in a partition.
Resources master_limit(const CapacityState& state, QueueIndex leaf, PartitionIndex partition);
Resources master_limit_of_user(const CapacityState& state, QueueIndex leaf,
                               PartitionIndex partition, float weight);
// How many applications of the user may run at once, over all queues; nothing: any number.
std::optional<std::int64_t> maximum_parallel(const CapacityState& state, UserId user);

}  // namespace tracebed
