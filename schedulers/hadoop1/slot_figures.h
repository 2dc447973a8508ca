// Slots as resources, for those who plot a queue's part of the cluster.
#pragma once

#include "schedulers/hadoop1/slots.h"

namespace tracebed {

// What as many of the cluster's resources are as `slots` are of all its slots.
Resources part_of_cluster(const ClusterModel& cluster, const SlotTable& table, double slots);

}  // namespace tracebed
