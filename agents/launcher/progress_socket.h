// Where the tasks of a launcher tell their progress (agents/task/progress_report.h): one packet
// socket pair for all of them, of which every task inherits the same end.
#pragma once

#include <cstdint>
#include <optional>
#include <sys/types.h>

#include "agents/task/progress_report.h"
#include "system/file_descriptor.h"

namespace tracebed::launcher {

class ProgressSocket {
 public:
  // Throws EnvironmentError if it cannot be had.
  ProgressSocket();

  // The launcher's end, to poll for input.
  int number() const { return own_end_.number(); }
  // What tasks get as their standard output.
  int task_end() const { return task_end_.number(); }

  struct Packet {
    pid_t process = 0;                     // that sent it: the kernel says so
    std::optional<ProgressReport> report;  // none: it was not one
  };
  // The next one that has arrived, or nothing. What a process sent before it ended is there when
  // its end is.
  std::optional<Packet> receive();

 private:
  FileDescriptor own_end_;
  FileDescriptor task_end_;
};

}  // namespace tracebed::launcher
