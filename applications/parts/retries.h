// What is kept about the tasks of a stage whose first attempt did not succeed. They are few, and
// all others need no memory.
#pragma once

#include <cstdint>
#include <map>

#include "core/time.h"

namespace tracebed {

class Retries {
 public:
  // The number of the task's next attempt, from 1.
  std::uint32_t next_attempt(std::uint32_t task) const {
    const auto known = tasks_.find(task);
    return known == tasks_.end() ? 1 : known->second.attempts + 1;
  }
  // Since when the task has been waiting; `first_asked` if it has not been tried before.
  TraceTime waiting_since(std::uint32_t task, TraceTime first_asked) const {
    const auto known = tasks_.find(task);
    return known == tasks_.end() ? first_asked : known->second.waiting_since;
  }
  std::uint32_t failures(std::uint32_t task) const {
    const auto known = tasks_.find(task);
    return known == tasks_.end() ? 0 : known->second.failures;
  }

  // The task got a container for its next attempt.
  void launched(std::uint32_t task) {
    const auto known = tasks_.find(task);
    if (known == tasks_.end()) return;
    known->second.is_waiting = false;
    --waiting_;
  }
  // Attempt number `attempt` of the task did not succeed, and it waits again.
  void waits_again(std::uint32_t task, std::uint32_t attempt, bool has_failed, TraceTime now) {
    Task& state = tasks_[task];
    state.attempts = attempt;
    state.failures += has_failed ? 1 : 0;
    state.waiting_since = now;
    state.is_waiting = true;
    ++waiting_;
  }

  // A running task gets another attempt beside it: that is its next one.
  void duplicated(std::uint32_t task) { ++tasks_[task].attempts; }
  // One of two attempts failed, and the other goes on. Returns the task's failures.
  std::uint32_t failed_beside(std::uint32_t task) { return ++tasks_[task].failures; }

  // Tasks that were tried before and wait.
  std::uint32_t waiting() const { return waiting_; }
  // Those of them that have waited for longer than `delay`.
  std::uint32_t waiting_longer_than(Duration delay, TraceTime now) const {
    if (waiting_ == 0) return 0;
    std::uint32_t count = 0;
    for (const auto& [task, state] : tasks_) {
      if (state.is_waiting && now - state.waiting_since > delay) ++count;
    }
    return count;
  }

 private:
  struct Task {
    std::uint32_t attempts = 0;
    std::uint32_t failures = 0;
    TraceTime waiting_since{};
    bool is_waiting = false;
  };
  std::map<std::uint32_t, Task> tasks_;
  std::uint32_t waiting_ = 0;
};

}  // namespace tracebed
