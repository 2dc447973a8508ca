// Until when something is waited for, by the monotonic clock.
#pragma once

#include <algorithm>
#include <chrono>

namespace tracebed::hdfs {

class Deadline {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Deadline(Clock::time_point moment) : moment_(moment) {}
  static Deadline after(std::chrono::milliseconds time) { return Deadline(Clock::now() + time); }

  bool has_passed() const { return Clock::now() >= moment_; }
  Clock::time_point moment() const { return moment_; }
  // For poll(2), in milliseconds: rounded up, so that a wait does not end before the deadline by a
  // part of one; 0 if it has passed.
  int poll_timeout() const {
    constexpr std::chrono::milliseconds longest{1'000'000'000};
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(moment_ - Clock::now());
    return static_cast<int>(std::clamp(left, std::chrono::milliseconds(0), longest).count());
  }

 private:
  Clock::time_point moment_;
};

inline Deadline earlier(const Deadline& a, const Deadline& b) {
  return a.moment() < b.moment() ? a : b;
}

}  // namespace tracebed::hdfs
