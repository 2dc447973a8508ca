// A thread with a small stack, for programs that have thousands of them.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <pthread.h>
#include <utility>

namespace tracebed {

class SmallThread {
 public:
  // None if the system has no room for one more (RLIMIT_NPROC, pids.max, memory).
  static std::optional<SmallThread> start(std::size_t stack_bytes, std::function<void()> body);

  // Waits for its end.
  ~SmallThread() { join(); }
  SmallThread(SmallThread&& other) noexcept : thread_(std::exchange(other.thread_, std::nullopt)) {}
  SmallThread& operator=(SmallThread&& other) noexcept {
    join();
    thread_ = std::exchange(other.thread_, std::nullopt);
    return *this;
  }

  void join();

 private:
  explicit SmallThread(pthread_t thread) : thread_(thread) {}

  std::optional<pthread_t> thread_;  // none: it has been joined
};

}  // namespace tracebed
