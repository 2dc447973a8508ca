// Faults of tasks that an experiment injects, to observe their consequences.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/ids.h"
#include "core/random.h"
#include "core/resources.h"
#include "core/task_work.h"

namespace tracebed {

struct TaskFaults {
  // The part of all task attempts, from 0 to 1, that continue when asked to keep their progress and
  // end.
  double ignored_checkpoints = 0;
  // The part that touch twice the memory of their container, and at least `excess_mib_min`, which
  // always exceeds the smallest limit (agents/cgroups/limits.h).
  double exceeded_memory = 0;
  std::uint64_t seed = 1;

  static constexpr std::int64_t excess_mib_min = 16;

  // Whether the attempt in this container is one of them.
  bool ignores_checkpoint(ContainerId container) const {
    return is_drawn(ignored_checkpoints, 0x69676e6f72657321, container);
  }
  bool exceeds_memory(ContainerId container) const {
    return is_drawn(exceeded_memory, 0x6f75746f666d656d, container);
  }

  // What the attempt in this container, with these limits, does. Without a limit, none is exceeded.
  TaskWork work_in(ContainerId container, const Resources& limits, TaskWork work) const {
    if (limits.memory_mib() > 0 && exceeds_memory(container)) {
      work.memory_mib = std::max(2 * limits.memory_mib(), excess_mib_min);
    }
    work.ignores_checkpoint = ignores_checkpoint(container);
    return work;
  }

 private:
  // Each salt gives a separate stream.
  bool is_drawn(double part, std::uint64_t salt, ContainerId container) const {
    if (part <= 0) return false;
    const std::uint64_t drawn = mix(mix(seed ^ salt) + container.value());
    return static_cast<double>(drawn >> 11) * 0x1p-53 < part;
  }
};

}  // namespace tracebed
