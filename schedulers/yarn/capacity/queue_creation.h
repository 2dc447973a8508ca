// Queues that are created because an application goes to one that is not there yet
// (CapacitySchedulerQueueManager.createQueue, AbstractParentQueue, Hadoop 3.4).
//
// Deviations, each on purpose:
// - [capacity-created-weights] What templates and a created queue's own properties state as its
//   capacity is a weight; anything else is refused. For YARN the first queue below a parent may
//   state a percentage or amounts, after which none can be created there any more; with
//   legacy-queue-mode.enabled = false each may.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "schedulers/yarn/capacity/capacity_settings.h"

namespace tracebed {

// The queues that are missing on the way to a leaf, from the highest to the leaf itself, as they
// are to be added at the end of the configuration's.
struct PlannedQueues {
  std::vector<CapacityQueue> queues;
  bool is_managed = false;  // one leaf, by the queue above, which gives it a capacity
  const CapacityQueue& leaf() const { return queues.back(); }
};

// What has to be created for an application to go to the queue `name`, of which there is none: a
// path, whose first part may be the last part of one that only one queue has. The error is why it
// cannot be.
Result<PlannedQueues> plan_creation(const CapacitySettings& settings, const std::string& name);

// Adds a planned queue at the end, and its name to those of mapping rules.
void add_created(CapacityConfiguration& configuration, CapacityQueue queue);

// Adds the queues that were created before the settings were read again, as these state them now:
// all but those that the file names, or whose parent is gone or has become a leaf
// (CapacitySchedulerQueueManager.updateQueues). Fails if one is not as it should be.
Status keep_created(const CapacityConfiguration& before, CapacitySettings& settings);

// Without these created queues, none of which has others below it.
void remove_created(CapacityConfiguration& configuration,
                    const std::set<std::string, std::less<>>& paths);

}  // namespace tracebed
