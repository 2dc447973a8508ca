#include "agents/task/stop_order.h"

#include <climits>
#include <linux/futex.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

namespace tracebed {

static_assert(sizeof(std::atomic<std::uint32_t>) == sizeof(std::uint32_t) &&
                  std::atomic<std::uint32_t>::is_always_lock_free,
              "the kernel sees an atomic word as a word");

void StopOrder::give() {
  word_.store(1, std::memory_order_relaxed);
  syscall(SYS_futex, &word_, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
  const std::uint64_t one = 1;
  const int descriptor = descriptor_.load(std::memory_order_relaxed);
  // Its counter is full only if it is readable anyway.
  if (descriptor >= 0) static_cast<void>(!write(descriptor, &one, sizeof(one)));
}

int StopOrder::open_descriptor() {
  if (const int there = descriptor_.load(std::memory_order_relaxed); there >= 0) return there;
  descriptor_.store(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK), std::memory_order_relaxed);
  if (has_come()) give();
  return descriptor_.load(std::memory_order_relaxed);
}

void StopOrder::sleep_ns(std::int64_t duration_ns) const {
  const std::int64_t end_ns = now_ns(CLOCK_MONOTONIC) + duration_ns;
  for (std::int64_t left_ns = duration_ns; left_ns > 0 && !has_come();
       left_ns = end_ns - now_ns(CLOCK_MONOTONIC)) {
    const timespec left = {left_ns / 1'000'000'000, left_ns % 1'000'000'000};
    // Returns at once if the word is no longer 0.
    syscall(SYS_futex, &word_, FUTEX_WAIT_PRIVATE, 0, &left, nullptr, 0);
  }
}

std::int64_t now_ns(int clock) {
  timespec time = {};
  clock_gettime(clock, &time);
  return time.tv_sec * 1'000'000'000 + time.tv_nsec;
}

}  // namespace tracebed
