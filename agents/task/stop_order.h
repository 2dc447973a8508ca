// The order to stop before the work is done, as all threads of a task see it.
#pragma once

#include <atomic>
#include <cstdint>

namespace tracebed {

class StopOrder {
 public:
  // May be called by a signal handler, and more than once.
  void give();
  bool has_come() const { return word_.load(std::memory_order_relaxed) != 0; }
  // A descriptor that is readable once the order was given, the same for all who poll; -1 if there
  // is none left. One thread calls it.
  int open_descriptor();
  // Returns after that time, or as soon as the order is given.
  void sleep_ns(std::int64_t duration_ns) const;

 private:
  std::atomic<std::uint32_t> word_ = 0;  // the futex that sleepers wait on
  std::atomic<int> descriptor_ = -1;     // an eventfd, which lives as long as the process
};

// CLOCK_MONOTONIC, or another clock of this process or thread, in nanoseconds.
std::int64_t now_ns(int clock);

}  // namespace tracebed
