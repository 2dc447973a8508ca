// What a task reports that was ordered to keep its progress, or has read from HDFS, written to it
// or fetched from other tasks: these bytes, before any others, on its standard output, which is a
// pipe of its container's own. The launcher reads it when the task has ended, and accepts only a
// report for that container.
#pragma once

#include <cstdint>

#include "core/result.h"
#include "core/task_account.h"

namespace tracebed {

// In the machine's byte order.
struct ProgressReport {
  static constexpr std::uint32_t mark = 0x35504254;  // "TBP5"; the digit is the layout's version
  std::uint32_t magic = mark;
  std::uint32_t container = 0;
  // Of the work that the process was started with, in millionths. All of it: it has ended by
  // itself, and reports what it has read and written.
  std::uint32_t progress = 0;
  std::uint32_t unused = 0;
  TaskAccount account;
};
static_assert(sizeof(ProgressReport) == 80);

// The error says why it was not reported.
Status tell(const ProgressReport& report);

}  // namespace tracebed
