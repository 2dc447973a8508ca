// How the bytes of a job are cut into tasks.
#pragma once

#include <cstdint>

namespace tracebed {

// All tasks but the last have `each` bytes.
struct ByteSplit {
  std::int64_t tasks = 0;
  std::int64_t each = 0;
  std::int64_t last = 0;
};

// `tasks` is positive; the last one has what the division leaves, too.
constexpr ByteSplit split_evenly(std::int64_t bytes, std::int64_t tasks) {
  const std::int64_t each = bytes / tasks;
  return {tasks, each, bytes - each * (tasks - 1)};
}
// Into blocks, of which the last may be shorter; nothing at all is one task without bytes.
constexpr ByteSplit split_into_blocks(std::int64_t bytes, std::int64_t block_bytes) {
  if (bytes == 0) return {1, 0, 0};
  const std::int64_t tasks = bytes / block_bytes + (bytes % block_bytes != 0 ? 1 : 0);
  return {tasks, block_bytes, bytes - block_bytes * (tasks - 1)};
}

}  // namespace tracebed
