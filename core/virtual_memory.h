// Whether a container's virtual memory is within what its machine lets it map, as YARN's
// NodeManager checks it (nodemanager.containermanager.monitor.ContainersMonitorImpl).
#pragma once

#include <cmath>
#include <cstdint>

#include "core/time.h"

namespace tracebed {

struct VirtualMemoryCheck {
  // A container may map `ratio` times its memory (yarn.nodemanager.vmem-pmem-ratio); 0: no check.
  double ratio = 0;
  // A task maps `factor` times the memory that it touches: traces do not record it.
  double factor = 1;
  // The interval between checks of a machine's containers
  // (yarn.nodemanager.container-monitor.interval-ms).
  Duration interval = seconds(3);

  bool is_on() const { return ratio > 0; }
  std::int64_t mapped_mib(std::int64_t memory_mib) const {
    return static_cast<std::int64_t>(std::ceil(static_cast<double>(memory_mib) * factor));
  }
  // How many checks a process survives that touches `memory_mib` in a container of that size; -1:
  // any number.
  int looks_survived_by(std::int64_t memory_mib, std::int64_t container_memory_mib) const;
  // Zero if it is not limited; a container without a limit of its memory has none here.
  std::int64_t limit_mib(std::int64_t container_memory_mib) const {
    return static_cast<std::int64_t>(static_cast<double>(container_memory_mib) * ratio);
  }
};

// How many checks a process survives that has `mapped` memory mapped, counted from its start: none
// if more than twice the limit is mapped, else one, since a process that has just forked counts
// twice for a moment. -1: any number.
constexpr int looks_survived(std::int64_t mapped, std::int64_t limit) {
  if (limit <= 0 || mapped <= limit) return -1;
  return mapped > 2 * limit ? 0 : 1;
}

inline int VirtualMemoryCheck::looks_survived_by(std::int64_t memory_mib,
                                                 std::int64_t container_memory_mib) const {
  return is_on() ? looks_survived(mapped_mib(memory_mib), limit_mib(container_memory_mib)) : -1;
}

}  // namespace tracebed
