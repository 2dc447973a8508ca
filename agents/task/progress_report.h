// The last output of a task that was ordered to keep its progress: these bytes, and no others, on
// its standard output, which is a pipe of its container's own. The launcher reads it when the task
// has ended, and accepts only a report for that container.
#pragma once

#include <cstdint>

#include "core/result.h"

namespace tracebed {

// In the machine's byte order.
struct ProgressReport {
  static constexpr std::uint32_t mark = 0x31504254;  // "TBP1"; the digit is the layout's version
  std::uint32_t magic = mark;
  std::uint32_t container = 0;
  std::uint32_t progress = 0;  // of the work that the process was started with, in millionths
};
static_assert(sizeof(ProgressReport) == 12);

// The error says why it was not reported.
Status tell(const ProgressReport& report);

}  // namespace tracebed
