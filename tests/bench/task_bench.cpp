// How long tasks last in a container of their own, of the time that their work is to take: at CPU
// limits from 0.02 to 2 cores, with little memory and with much, with work that needs all the CPU
// time of the limit and with work that needs half of it. One at a time, so that nobody contends but
// what else this machine does. What is printed is the wall time from the process' start to its end,
// as the launcher accounts for it, less the nominal time, and the CPU time in percent of the
// nominal.
//
//   task_bench [SECONDS [REPETITIONS [OTHER_TASK]]]
#include <algorithm>
#include <cstdio>
#include <string>
#include <unistd.h>
#include <vector>

#include "agents/cgroups/open_tree.h"
#include "agents/launcher_process.h"

namespace tracebed {
namespace {

using launcher::ExitedRecord;

struct Case {
  int milli_vcores;
  int memory_mib;
  double share;  // of the CPU time that the limit allows
};

class Measured {
 public:
  Measured(double seconds, const std::string& task)
      : seconds_(seconds),
        launcher_({.task = task, .run = "task-bench-" + std::to_string(getpid()), .more = {}}) {
    launcher_.next_state();
  }

  // Prints a line; the error in ms of the wall time.
  double run(const Case& one, int repetitions) {
    const std::int64_t threads = std::max(1, (one.milli_vcores + 999) / 1'000);
    const Duration nominal(static_cast<std::int64_t>(seconds_ * 1e6));
    const Duration cpu(static_cast<std::int64_t>(seconds_ * 1e3 * one.milli_vcores * one.share));
    std::vector<double> over_ms;
    double cpu_part = 0;
    for (int i = 0; i < repetitions; ++i) {
      launcher::LaunchRecord record;
      record.container = ++last_;
      record.milli_vcores = one.milli_vcores;
      record.memory_mib = one.memory_mib;
      record.pids = 8 + threads;
      record.threads = static_cast<std::uint32_t>(threads);
      TaskWork work;
      work.duration = nominal;
      work.cpu_time = cpu;
      work.memory_mib = one.memory_mib;
      record.work = to_numbers(work);
      launcher_.launch(record);
      const ExitedRecord exit = launcher_.next_exited();
      launcher_.client().acknowledge(exit.sequence);
      over_ms.push_back(static_cast<double>(exit.ended_ns - exit.started_ns) / 1e6 -
                        seconds_ * 1e3);
      cpu_part += static_cast<double>(exit.cpu_time_us) / static_cast<double>(cpu.count());
    }
    std::sort(over_ms.begin(), over_ms.end());
    const double median = over_ms[over_ms.size() / 2];
    std::printf("%6.2f %8d %6.0f%% %10.1f %10.1f %8.2f%% %9.0f%%\n", one.milli_vcores / 1e3,
                one.memory_mib, one.share * 100, median, over_ms.back(), median / seconds_ / 10,
                cpu_part / repetitions * 100);
    std::fflush(stdout);
    return median;
  }

 private:
  double seconds_;
  std::uint32_t last_ = 0;
  launcher::LauncherProcess launcher_;
};

int measure(double seconds, int repetitions, const std::string& task) {
  std::printf("nominal time %.2f s, %d times each\n", seconds, repetitions);
  std::printf("%6s %8s %7s %10s %10s %9s %10s\n", "cores", "MiB", "use", "median ms", "most ms",
              "median", "CPU time");
  Measured measured(seconds, task);
  int worse = 0, measured_cases = 0;
  for (const int milli_vcores : {20, 50, 83, 100, 250, 500, 1'000, 2'000}) {
    for (const int memory_mib : {8, 64, 512}) {
      for (const double share : {0.5, 1.0}) {
        const double over_ms = measured.run({milli_vcores, memory_mib, share}, repetitions);
        const double allowed_ms = std::max(10.0, seconds * 10);
        worse += over_ms > allowed_ms || over_ms < -allowed_ms;
        ++measured_cases;
      }
    }
  }
  std::printf("medians that are off by more than 1 %% and 10 ms: %d of %d\n", worse,
              measured_cases);
  return 0;
}

}  // namespace
}  // namespace tracebed

int main(int count, char** words) {
  if (tracebed::detect_cgroups(tracebed::cgroup_surroundings()).kind ==
      tracebed::CgroupSupport::Kind::none) {
    std::printf("cgroups cannot be written here\n");
    return 77;  // what tests exit with that were skipped
  }
  return tracebed::measure(count > 1 ? std::stod(words[1]) : 2, count > 2 ? std::stoi(words[2]) : 3,
                           count > 3 ? words[3] : TRACEBED_TASK);
}
