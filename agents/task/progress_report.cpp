#include "agents/task/progress_report.h"

#include <cerrno>
#include <cstring>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

namespace tracebed {

Status tell(const ProgressReport& report) {
  // A task that was started by hand has no pipe there, and a terminal is no place for it.
  struct stat output = {};
  if (fstat(STDOUT_FILENO, &output) != 0 || !S_ISFIFO(output.st_mode)) {
    return Error{"cannot report progress: standard output is not the launcher's pipe"};
  }
  ssize_t written = 0;
  do {
    written = write(STDOUT_FILENO, &report, sizeof(report));
  } while (written < 0 && errno == EINTR);
  if (written == sizeof(report)) return success();  // so little is written whole (pipe(7))
  return Error{std::string("cannot report progress: ") + std::strerror(errno)};
}

}  // namespace tracebed
