// Whether a run keeps the rows of its attempts, and how.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace tracebed {

enum class TaskRows : std::uint8_t {
  csv,   // tasks.csv
  zstd,  // the same, compressed: tasks.csv.zst
  none,  // `tracebed export` makes them of the log
};

// By their numbers.
inline constexpr std::array<std::string_view, 3> task_rows_names{"csv", "zstd", "none"};

// Unless it is chosen: those of more tasks are compressed.
inline constexpr std::uint64_t csv_tasks_max = 1'000'000;
constexpr TaskRows default_task_rows(std::uint64_t tasks) {
  return tasks > csv_tasks_max ? TaskRows::zstd : TaskRows::csv;
}

}  // namespace tracebed
