// Whether a container's virtual memory is within what its machine lets it map, as YARN's
// NodeManager looks at it (nodemanager.containermanager.monitor.ContainersMonitorImpl).
#pragma once

#include <cmath>
#include <cstdint>

#include "core/time.h"

namespace tracebed {

struct VirtualMemoryCheck {
  // What a container may map is so many times its memory (yarn.nodemanager.vmem-pmem-ratio); 0: no
  // check.
  double ratio = 0;
  // What a task maps is so many times the memory that it touches: traces do not record it.
  double factor = 1;
  // How far apart the looks at a machine's containers are
  // (yarn.nodemanager.container-monitor.interval-ms).
  Duration interval = seconds(3);

  bool is_on() const { return ratio > 0; }
  std::int64_t mapped_mib(std::int64_t memory_mib) const {
    return static_cast<std::int64_t>(std::ceil(static_cast<double>(memory_mib) * factor));
  }
  // How many looks a process survives that touches so much in a container of that size; -1: any.
  int looks_survived_by(std::int64_t memory_mib, std::int64_t container_memory_mib) const;
  // Zero if it is not limited; a container without a limit of its memory has none here.
  std::int64_t limit_mib(std::int64_t container_memory_mib) const {
    return static_cast<std::int64_t>(static_cast<double>(container_memory_mib) * ratio);
  }
};

// How many looks a process with so much mapped survives, counted from its start: none if more than
// twice the limit is mapped, else one, since a process that has just forked counts twice for a
// moment. -1: any number.
constexpr int looks_survived(std::int64_t mapped, std::int64_t limit) {
  if (limit <= 0 || mapped <= limit) return -1;
  return mapped > 2 * limit ? 0 : 1;
}

inline int VirtualMemoryCheck::looks_survived_by(std::int64_t memory_mib,
                                                 std::int64_t container_memory_mib) const {
  return is_on() ? looks_survived(mapped_mib(memory_mib), limit_mib(container_memory_mib)) : -1;
}

}  // namespace tracebed
