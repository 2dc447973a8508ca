// The work of tracebed-task, and how its launcher passes it: as plain words that `ps` shows,
//   tracebed-task profile threads=1 held=0 container=7 duration_us=1500000 cpu_time_us=900000 ...
// in this order, then the fields of core/task_work.h, and last what it reads its input with, whose
// words may end with their '='; none of them omitted. Both sides are the project's own programs.
#pragma once

#include <csignal>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/result.h"
#include "core/task_work.h"

namespace tracebed {

// How a task reaches HDFS; all empty where a run has no storage.
struct InputSource {
  static constexpr std::size_t text_bytes_max = 255;

  std::string namenode;  // ADDRESS:PORT, an IPv4 address in digits
  std::string address;   // of the task's node, that its connections come from
  std::string rack;      // of the task's node

  bool operator==(const InputSource&) const = default;
};

// The kind "profile": burn, wait and touch as agents/task/profile_work.h defines.
struct WorkSpec {
  TaskWork work;  // in wall time; CPU time is summed over the threads
  std::int64_t threads = 1;
  // 1: the work begins only when the process receives the signal `begin_signal`, which is blocked
  // at its start, so that an early one stays pending.
  std::int64_t held = 0;
  std::int64_t container = 0;  // its own, as its launcher numbers them
  InputSource input = {};

  bool operator==(const WorkSpec&) const = default;
};

inline constexpr int begin_signal = SIGUSR1;
// Stop, report the progress (agents/task/progress_report.h), and exit with 0. This signal is
// blocked at the start, too. Once the work is done it is ignored.
inline constexpr int checkpoint_signal = SIGUSR2;
inline bool obeys_checkpoint(const TaskWork& work) {
  return !work.ignores_checkpoint;
}
// None of the codes that a task ends with otherwise (core/exit_codes.h).
inline constexpr int heap_exhausted_exit = 12;
// Its input could not be read from any replica; what it prints names file and block.
inline constexpr int input_failed_exit = 13;
// Its output could not be written; what it prints names the file.
inline constexpr int output_failed_exit = 14;
// What it fetches from other tasks, or keeps for them, could not be transferred; what it prints
// names the server.
inline constexpr int shuffle_failed_exit = 15;
constexpr bool is_storage_failure(int exit_code) {
  return exit_code == input_failed_exit || exit_code == output_failed_exit ||
         exit_code == shuffle_failed_exit;
}
inline constexpr std::int64_t work_duration_us_max = std::int64_t{366} * 24 * 3600 * 1'000'000;
inline constexpr std::int64_t work_threads_max = 1'024;
inline constexpr std::int64_t work_memory_mib_max = std::int64_t{1} << 24;  // 16 TiB

// Says which figure is out of its range.
Status check(const WorkSpec& spec);

// The words, the program's name first.
std::vector<std::string> to_arguments(const WorkSpec& spec);
// The words after the program's name. The error names the word, the expected and the actual value.
Result<WorkSpec> parse_arguments(std::span<char* const> words);

}  // namespace tracebed
