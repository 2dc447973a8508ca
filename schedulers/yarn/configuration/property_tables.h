// What is known of the properties of YARN's files, all of them in these tables.
#pragma once

#include <span>

#include "schedulers/known_properties.h"

namespace tracebed {

// Of capacity-scheduler.xml, and what Capacity alone reads of yarn-site.xml
// (CapacitySchedulerConfiguration, YarnConfiguration of Hadoop 3.4).
std::span<const KnownProperty> known_capacity_properties();
// Of Fair's allocation file (AllocationFileParser, AllocationFileQueueParser), and what Fair alone
// reads of yarn-site.xml.
std::span<const KnownProperty> known_fair_properties();
// Of yarn-site.xml, of no use to any scheduler here.
std::span<const KnownProperty> known_site_properties();

}  // namespace tracebed
