// tracebed-shuffle: the map outputs of one machine; see agents/shuffle_link/shuffle_daemon.h.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "agents/shuffle_link/flags.h"
#include "agents/shuffle_link/shuffle_daemon.h"
#include "core/input_error.h"
#include "daemon/daemon_log.h"
#include "system/file_size_limit.h"
#include "system/plain_message.h"

namespace tracebed {
namespace {

int run_program(int count, char** words) {
  CLI::App app;
  shuffle_link::add_flags(app);
  try {
    app.parse(count, words);
  } catch (const CLI::Success& wanted) {
    return app.exit(wanted);
  } catch (const CLI::ParseError& error) {
    std::fprintf(stderr, "tracebed-shuffle: %s; see tracebed-shuffle --help\n", error.what());
    return to_int(ExitCode::usage);
  }
  const DaemonLog log("shuffle");
  fcntl(STDIN_FILENO, F_SETFD, FD_CLOEXEC);
  return to_int(ShuffleDaemon(FileDescriptor(STDIN_FILENO)).run());
}

}  // namespace
}  // namespace tracebed

int main(int count, char** words) {
  using tracebed::ExitCode;
  // It has the run's key in its memory, and containers may be of the same user.
  prctl(PR_SET_DUMPABLE, 0);
  tracebed::report_file_size_limit();
  try {
    return tracebed::run_program(count, words);
  } catch (const tracebed::InputError& error) {
    std::fprintf(stderr, "tracebed-shuffle: %s\n", error.what());
    return to_int(ExitCode::input);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "tracebed-shuffle: %s\n", tracebed::plain_message(error).c_str());
    return to_int(ExitCode::environment);
  }
}
