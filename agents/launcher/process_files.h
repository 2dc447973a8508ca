// What /proc reports about one process (proc(5)).
#pragma once

#include <cstdint>
#include <sys/types.h>

namespace tracebed::launcher {

struct ProcessIo {
  std::int64_t bytes_read = 0;     // fetched from storage
  std::int64_t bytes_written = 0;  // sent towards storage: pages made dirty, less those thrown away
};
// Of a process that has ended but was not waited for, with the children it waited for; zeros if the
// kernel keeps no such account.
ProcessIo read_process_io(pid_t process);

struct ProcessUse {
  std::int64_t cpu_time_us = 0;
  std::int64_t memory_bytes = 0;  // resident
  std::int64_t virtual_bytes = 0;
};
// Zeros if the process is gone.
ProcessUse read_process_use(pid_t process);

}  // namespace tracebed::launcher
