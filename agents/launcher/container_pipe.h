// A container's output: its standard output and error are one pipe of its own. It is not read until
// the container's first process has ended; then it is read once, up to a few thousand bytes, and
// closed. So a container cannot keep its launcher busy through it, and shares nothing with others:
// not an open file, whose flags all of them would share, and not a socket, which could be shut down
// or have descriptors sent over it. What it writes beyond the pipe's 64 KiB is refused; no write
// waits.
#pragma once

#include <optional>
#include <string>

#include "agents/task/progress_report.h"
#include "core/result.h"
#include "system/file_descriptor.h"

namespace tracebed::launcher {

class ContainerPipe {
 public:
  ContainerPipe() = default;
  // The error says why it could not be made.
  static Result<ContainerPipe> make();

  // For the container; to be closed once it has been started.
  int writing_end() const { return writing_end_.number(); }
  void close_writing_end() { writing_end_.reset(); }

  struct Output {
    std::optional<ProgressReport> report;  // if that is what it wrote first
    std::string text;                      // the rest: printable, and truncated
  };
  // After the first process has ended; closes the pipe.
  Output take();

 private:
  FileDescriptor reading_end_;
  FileDescriptor writing_end_;
};

}  // namespace tracebed::launcher
