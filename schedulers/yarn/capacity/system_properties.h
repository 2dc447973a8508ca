// What capacity-scheduler.xml states of the scheduler as a whole, and of all its queues.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "schedulers/yarn/capacity/capacity_configuration.h"
#include "schedulers/yarn/configuration/property_reader.h"

namespace tracebed {

// Absent or -1: not set.
std::optional<std::int64_t> count_property(PropertyReader& reader, const std::string& name);

// Everything of the configuration but its queues and mapping rules.
void read_system_properties(PropertyReader& reader, const HadoopProperties& properties,
                            YarnGeneration generation, CapacityConfiguration& configuration);
// Adds policies of the scheduler's monitor that are unknown here, and that none of them preempts.
void review_monitor_policies(const HadoopProperties& properties, PropertyReview& review);

}  // namespace tracebed
