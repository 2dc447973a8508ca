// Faults of tasks that an experiment asks for, to see what becomes of them.
#pragma once

#include <cstdint>

#include "core/ids.h"
#include "core/random.h"

namespace tracebed {

struct TaskFaults {
  // Of all attempts at tasks the part, from 0 to 1, that go on when they are told to keep their
  // progress and end.
  double ignored_checkpoints = 0;
  std::uint64_t seed = 1;

  // Whether the attempt in this container is one of them.
  bool ignores_checkpoint(ContainerId container) const {
    if (ignored_checkpoints <= 0) return false;
    constexpr std::uint64_t salt = 0x69676e6f72657321;  // a stream of its own
    const std::uint64_t drawn = mix(mix(seed ^ salt) + container.value());
    return static_cast<double>(drawn >> 11) * 0x1p-53 < ignored_checkpoints;
  }
};

}  // namespace tracebed
