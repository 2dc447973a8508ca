// What capacity-scheduler.xml states of one queue, whatever its parent and its siblings state.
#pragma once

#include "schedulers/yarn/capacity/capacity_configuration.h"
#include "schedulers/yarn/configuration/property_reader.h"

namespace tracebed {

// RUNNING, STOPPED or DRAINING; as the parent where that does not run.
CapacityQueueState read_state(PropertyReader& reader, const std::string& path,
                              CapacityQueueState of_parent);

// Whether queues are created below it, how many, and when one that was created is removed. A parent
// that was created creates others, whatever is stated.
void read_creation(PropertyReader& reader, CapacityQueue& queue);

// PATH.user-settings.NAME.weight, on top of those that the queue inherited.
void read_user_weights(PropertyReader& reader, const HadoopProperties& properties,
                       CapacityQueue& queue);

// Of its users and its applications; of all queues where it states nothing.
void read_leaf_limits(PropertyReader& reader, CapacityQueue& queue);

// All queues, as mapping rules call them.
NamedQueues names_of(const CapacityConfiguration& configuration);

}  // namespace tracebed
