// The properties of a YARN configuration that bound the size of every container.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "core/resources.h"

namespace tracebed {

struct AllocationProperty {
  std::string_view name;     // whole MiB or vcores
  std::string_view setting;  // of the schedulers: MiB or thousandths of a vcore
  std::size_t dimension;
  bool is_minimum;
};

inline constexpr std::array<AllocationProperty, 4> allocation_properties{{
    {"yarn.scheduler.minimum-allocation-mb", "minimum_allocation_mib", Resources::memory_dimension,
     true},
    {"yarn.scheduler.minimum-allocation-vcores", "minimum_allocation_milli_vcores",
     Resources::vcores_dimension, true},
    {"yarn.scheduler.maximum-allocation-mb", "maximum_allocation_mib", Resources::memory_dimension,
     false},
    {"yarn.scheduler.maximum-allocation-vcores", "maximum_allocation_milli_vcores",
     Resources::vcores_dimension, false},
}};

}  // namespace tracebed
