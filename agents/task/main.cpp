// tracebed-task: the one program that runs in containers. Started by tracebed-launcher only; the
// words are described in agents/task/work_spec.h.
#include <cstdio>
#include <sys/prctl.h>

#include "agents/task/profile_work.h"
#include "core/exit_codes.h"

int main(int count, char** words) {
  using tracebed::ExitCode;
  // Started by file descriptor, it would be named after the number.
  prctl(PR_SET_NAME, "tracebed-task", 0, 0, 0);
  const auto spec = tracebed::parse_arguments(
      {words + (count > 0 ? 1 : 0), static_cast<std::size_t>(count > 0 ? count - 1 : 0)});
  if (!spec) {
    std::fprintf(stderr, "tracebed-task: %s\n", spec.error().message.c_str());
    return to_int(ExitCode::usage);
  }
  const tracebed::Status status = tracebed::do_profile_work(*spec);
  if (!status) {
    std::fprintf(stderr, "tracebed-task: %s\n", status.error().message.c_str());
    return to_int(ExitCode::environment);
  }
  return to_int(ExitCode::success);
}
