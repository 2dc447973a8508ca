// Checks the virtual memory of processes at intervals, as YARN's NodeManager does
// (core/virtual_memory.h defines the limit).
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <sys/types.h>
#include <unordered_map>
#include <vector>

namespace tracebed::launcher {

struct MemoryLimit {
  std::int64_t virtual_mib = 0;          // 0: none
  std::chrono::microseconds interval{};  // between checks
};

class MemoryMonitor {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // Checks begin with the next multiple of the interval, so that those of all processes coincide. A
  // process without a limit is ignored.
  void add(std::uint32_t container, pid_t process, const MemoryLimit& limit);
  // To be called when the process has ended, before another may be given its number.
  void forget(std::uint32_t container) { watched_.erase(container); }
  std::optional<Time> next_look() const;

  struct Excess {
    std::uint32_t container = 0;
    std::int64_t mapped_mib = 0;
    std::int64_t limit_mib = 0;
  };
  // Those that have mapped too much, by the checks that are due; they are forgotten.
  std::vector<Excess> look(Time now);

 private:
  struct Watched {
    pid_t process = 0;
    MemoryLimit limit;
    int looks = 0;  // so far
  };
  struct Look {
    Time at;
    std::uint32_t container;
    bool operator>(const Look& other) const { return at > other.at; }
  };
  void look_after(Time time, std::uint32_t container, const Watched& watched);

  std::unordered_map<std::uint32_t, Watched> watched_;
  std::priority_queue<Look, std::vector<Look>, std::greater<>> looks_;
};

}  // namespace tracebed::launcher
