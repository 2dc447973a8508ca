// A capacity-scheduler.xml, told as lines, where capacities may have any form.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "schedulers/yarn/capacity/capacity_configuration.h"

namespace tracebed {

// Names without the prefix "yarn.scheduler.capacity."; the first is line 1 of cs.xml.
using VectorLines = std::vector<std::pair<std::string, std::string>>;

inline Result<LoadedCapacityConfiguration> read_vectors(const VectorLines& lines,
                                                        const ResourceDimensions& dimensions,
                                                        bool has_any_form = true) {
  HadoopProperties properties;
  int line = 0;
  for (const auto& [name, value] : lines) {
    properties.set("yarn.scheduler.capacity." + name, value, "cs.xml:" + std::to_string(++line));
  }
  properties.set("yarn.scheduler.capacity.legacy-queue-mode.enabled",
                 has_any_form ? "false" : "true", "cs.xml:99");
  return read_capacity_configuration(properties, dimensions);
}

}  // namespace tracebed
