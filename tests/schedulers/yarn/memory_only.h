#pragma once

#include <cstdint>

#include "core/resources.h"

namespace tracebed {

inline Resources memory_only(std::int64_t mib) {
  return {0, mib};
}

}  // namespace tracebed
