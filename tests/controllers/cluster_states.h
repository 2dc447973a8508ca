// States of a cluster of 100 GiB with one queue, as controllers see them.
#pragma once

#include <cstdint>

#include "core/controller.h"

namespace tracebed::testing {

inline ControllerInput state(std::uint32_t pending, std::uint32_t running,
                             std::int64_t used_percent) {
  constexpr std::int64_t percent_mib = 1024;
  ControllerInput input;
  input.pending = pending;
  input.running = running;
  input.memory_total_mib = 100 * percent_mib;
  input.memory_used_mib = input.queue_used_mib = used_percent * percent_mib;
  return input;
}

}  // namespace tracebed::testing
