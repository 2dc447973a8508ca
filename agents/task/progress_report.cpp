#include "agents/task/progress_report.h"

#include <cerrno>
#include <cstring>
#include <string>
#include <sys/socket.h>
#include <unistd.h>

namespace tracebed {

Status tell(const ProgressReport& report) {
  // Not write(): a task that was started by hand has no socket there, and a terminal is no place
  // for it.
  while (send(STDOUT_FILENO, &report, sizeof(report), MSG_NOSIGNAL) < 0) {
    if (errno != EINTR) {
      return Error{std::string("its progress cannot be told: ") + std::strerror(errno)};
    }
  }
  return success();
}

}  // namespace tracebed
