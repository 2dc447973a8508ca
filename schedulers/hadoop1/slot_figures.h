// Slots as resources, for plots of a queue's part of the cluster.
#pragma once

#include "schedulers/hadoop1/slots.h"

namespace tracebed {

// The cluster's resources × `slots` / all of its slots.
Resources part_of_cluster(const ClusterModel& cluster, const SlotTable& table, double slots);

}  // namespace tracebed
