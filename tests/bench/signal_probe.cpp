// In tracebed-task's place: waits for the order to keep its progress, and tells on its standard
// error when it began, under which process id, and at which moment the order came.
#include <cstdio>
#include <cstdlib>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "agents/task/progress_report.h"
#include "agents/task/work_spec.h"

int main(int count, char** words) {
  const auto spec = tracebed::parse_arguments({words + 1, static_cast<std::size_t>(count - 1)});
  if (!spec) return 2;
  const auto container = static_cast<std::uint32_t>(spec->container);
  std::fprintf(stderr, "probe began %u %d\n", container, getpid());
  sigset_t orders;
  sigemptyset(&orders);
  sigaddset(&orders, tracebed::checkpoint_signal);
  sigwaitinfo(&orders, nullptr);
  timespec now = {};
  clock_gettime(CLOCK_MONOTONIC, &now);
  std::fprintf(stderr, "probe heard %u %lld\n", container,
               static_cast<long long>(now.tv_sec) * 1'000'000'000 + now.tv_nsec);
  return tracebed::tell({.container = container, .progress = 1}) ? 0 : 1;
}
