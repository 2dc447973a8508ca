// The priorities with which MRv2's master requests containers for tasks (RMContainerAllocator:
// PRIORITY_FAST_FAIL_MAP, PRIORITY_REDUCE and PRIORITY_MAP). They order the asks of one
// application; which kind of tasks an ask is for is Ask::kind.
#pragma once

#include <cstdint>

#include "core/workload.h"

namespace tracebed {

// `is_repeated`: of maps that failed before, or whose output was lost.
constexpr std::int32_t map_reduce_priority(StageKind kind, bool is_repeated = false) {
  if (kind == StageKind::reduce) return 10;
  return is_repeated ? 5 : 20;
}

// The kind of tasks that are requested with that priority, for a story that states priorities
// alone.
constexpr StageKind map_reduce_kind(std::int32_t priority) {
  return priority == map_reduce_priority(StageKind::reduce) ? StageKind::reduce : StageKind::map;
}

}  // namespace tracebed
