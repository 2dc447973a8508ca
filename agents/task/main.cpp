// tracebed-task: the one program that runs in containers. Started by tracebed-launcher only; the
// words are described in agents/task/work_spec.h.
#include <cerrno>
#include <cstdio>
#include <initializer_list>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>

#include "agents/task/profile_work.h"
#include "agents/task/progress_report.h"
#include "core/exit_codes.h"

namespace tracebed {
namespace {

StopOrder stop;  // here, since a signal handler reaches nothing else

sigset_t set_of(std::initializer_list<int> signals) {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : signals) sigaddset(&set, signal);
  return set;
}

// Waits until the work is to begin, or false: it never is.
bool may_begin(bool obeys_checkpoints) {
  const sigset_t awaited =
      obeys_checkpoints ? set_of({begin_signal, checkpoint_signal}) : set_of({begin_signal});
  int order = 0;
  do {
    order = sigwaitinfo(&awaited, nullptr);
  } while (order < 0 && errno == EINTR);
  return order != checkpoint_signal;
}

void stop_on_checkpoint_signal() {
  struct sigaction action = {};
  action.sa_handler = [](int) { stop.give(); };
  sigaction(checkpoint_signal, &action, nullptr);
  const sigset_t awaited = set_of({checkpoint_signal});
  sigprocmask(SIG_UNBLOCK, &awaited, nullptr);
}

// By default each thread would take 8 MiB of address space for a stack and 64 for a heap of its
// own, and a task keeps little in either.
void keep_address_space_small() {
  mallopt(M_ARENA_MAX, 1);
  constexpr std::size_t stack_bytes = std::size_t{64} << 10;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, stack_bytes);
  pthread_setattr_default_np(&attributes);
  pthread_attr_destroy(&attributes);
}

// The exit code.
Result<int> run(const WorkSpec& spec) {
  // Blocked already by whoever started this; again, for a start by hand.
  const sigset_t orders = set_of({begin_signal, checkpoint_signal});
  sigprocmask(SIG_BLOCK, &orders, nullptr);
  keep_address_space_small();
  std::uint32_t progress = 0;
  const bool obeys = obeys_checkpoint(spec.work);
  if (spec.held == 0 || may_begin(obeys)) {
    if (obeys) stop_on_checkpoint_signal();
    if (spec.work.exhausts_heap) {
      if (const Status filled = fill_heap(spec.work, stop); !filled) return filled.error();
      if (!stop.has_come()) return heap_exhausted_exit;
    } else {
      const Result<std::uint32_t> done = do_profile_work(spec, stop);
      if (!done) return done.error();
      progress = *done;
      if (progress == whole_work) return to_int(ExitCode::success);
    }
  }
  const Status told =
      tell({.container = static_cast<std::uint32_t>(spec.container), .progress = progress});
  if (!told) return told.error();
  return to_int(ExitCode::success);
}

}  // namespace
}  // namespace tracebed

int main(int count, char** words) {
  using tracebed::ExitCode;
  // Started by file descriptor, it would be named after the number.
  prctl(PR_SET_NAME, "tracebed-task", 0, 0, 0);
  prctl(PR_SET_DUMPABLE, 0);  // other containers may be of the same user
  const auto spec = tracebed::parse_arguments(
      {words + (count > 0 ? 1 : 0), static_cast<std::size_t>(count > 0 ? count - 1 : 0)});
  if (!spec) {
    std::fprintf(stderr, "tracebed-task: %s\n", spec.error().message.c_str());
    return to_int(ExitCode::usage);
  }
  const tracebed::Result<int> code = tracebed::run(*spec);
  if (code) return *code;
  std::fprintf(stderr, "tracebed-task: %s\n", code.error().message.c_str());
  return to_int(ExitCode::environment);
}
