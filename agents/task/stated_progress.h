// How far a task is while it runs (TaskWork::progress_interval): a number in a file in memory,
// which its launcher makes, the task writes, and the launcher looks at when its agent asks. So a
// task states it as often as it likes without keeping anybody busy: nothing is sent, and nothing
// waits.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/result.h"
#include "system/file_descriptor.h"

namespace tracebed {

// In a task's environment: the number of its descriptor of the file.
inline constexpr const char* progress_variable = "TRACEBED_PROGRESS";

// The launcher's.
class ProgressFile {
 public:
  // Of one number, and sealed: it never has another size. The error says why it could not be made.
  static Result<ProgressFile> make();

  int number() const { return file_.number(); }
  // In millionths, at most whole_work; none: nothing was stated.
  std::optional<std::uint32_t> stated() const;

 private:
  FileDescriptor file_;
};

// The task's, whose threads have equal parts of its work.
class StatedProgress {
 public:
  // Without such a file nothing is stated.
  explicit StatedProgress(std::size_t threads);

  // What the thread has done of its part, in millionths. The first thread states the least of all.
  void note(std::size_t thread, std::uint32_t done);

 private:
  int file_ = -1;
  std::vector<std::atomic<std::uint32_t>> done_;
};

}  // namespace tracebed
