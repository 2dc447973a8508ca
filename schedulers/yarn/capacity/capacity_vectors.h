// What queues have of a cluster where each capacity, and each resource of it, may be an amount, a
// percentage or a weight: yarn.scheduler.capacity.legacy-queue-mode.enabled = false
// (CapacitySchedulerQueueCapacityHandler, ResourceCalculationDriver).
//
// Below each queue, resource by resource, memory first:
// 1. amounts. Where they add up to more than the queue has, each is scaled down;
// 2. percentages, of what the amounts leave;
// 3. weights, in proportion, of what is left then.
// Amounts and percentages are cut to whole units, weights rounded, and in each step siblings have
// their turns in the file's order: nobody is given more than those before left, or more than its
// maximum. Maxima are amounts, or percentages of the parent's; at most, and by default, what the
// parent's is. A queue without memory has nothing.
//
// Shares follow from the amounts: capacity = guaranteed / the parent's, by the calculator.
// Deviations, each on purpose:
// - [capacity-turns-after-refresh] Also after a refresh siblings have their turns in the file's
//   order, and not in that of a hash table (AbstractParentQueue.reinitialize).
#pragma once

#include <string>
#include <vector>

#include "schedulers/yarn/capacity/capacity_configuration.h"
#include "schedulers/yarn/capacity/queue_figures.h"

namespace tracebed {

// As figures_in(). Of an empty partition everything is zero, without warnings; the original
// computes with 0 / 0 then.
std::vector<QueueFigures> figures_by_resource(const CapacityConfiguration& configuration,
                                              const std::string& partition,
                                              const Resources& resources);

}  // namespace tracebed
