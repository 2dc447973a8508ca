// In tracebed-task's place: waits for the order to keep its progress, and tells the bench when it
// began, under which process id, and at which moment the order came: over a socket, since its
// standard streams are read when it has ended.
#include <cstdio>
#include <cstdlib>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "agents/task/progress_report.h"
#include "agents/task/work_spec.h"
#include "bench/probe_address.h"

int main(int count, char** words) {
  const auto spec = tracebed::parse_arguments({words + 1, static_cast<std::size_t>(count - 1)});
  if (!spec) return 2;
  const auto container = static_cast<std::uint32_t>(spec->container);
  const int bench = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  const tracebed::ProbeAddress address;
  char line[64] = {};
  const auto tell_bench = [&](const char* what, long long value) {
    const int bytes = std::snprintf(line, sizeof(line), "probe %s %u %lld", what, container, value);
    sendto(bench, line, static_cast<std::size_t>(bytes), 0, address.get(), address.bytes);
  };
  tell_bench("began", getpid());
  sigset_t orders;
  sigemptyset(&orders);
  sigaddset(&orders, tracebed::checkpoint_signal);
  sigwaitinfo(&orders, nullptr);
  timespec now = {};
  clock_gettime(CLOCK_MONOTONIC, &now);
  tell_bench("heard", static_cast<long long>(now.tv_sec) * 1'000'000'000 + now.tv_nsec);
  return tracebed::tell({.container = container, .progress = 1}) ? 0 : 1;
}
