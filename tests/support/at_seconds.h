#pragma once

#include <cstdint>

#include "core/time.h"

namespace tracebed {

inline TraceTime at_seconds(std::int64_t count) {
  return TraceTime(seconds(count));
}

}  // namespace tracebed
