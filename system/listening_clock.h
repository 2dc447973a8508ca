// A monotonic clock for measuring how long others have been silent: it counts only the time in
// which its owner listened. While the owner itself was stopped (SIGSTOP, a paused virtual machine,
// a step that took long), messages from others could not be read, so that time does not count as
// their silence.
#pragma once

#include <algorithm>
#include <chrono>

namespace tracebed {

class ListeningClock {
 public:
  using Moment = std::chrono::steady_clock::time_point;
  using Span = std::chrono::steady_clock::duration;

  // An owner that looks later than `look_max` after the last time was not listening meanwhile.
  explicit ListeningClock(Span look_max, Moment begin = std::chrono::steady_clock::now())
      : look_max_(look_max), last_look_(begin) {}

  // Advances to `moment` of the monotonic clock; returns how much of the advance is not counted.
  Span look(Moment moment = std::chrono::steady_clock::now()) {
    const Span late = std::max(moment - last_look_ - look_max_, Span::zero());
    last_look_ = std::max(moment, last_look_);
    left_out_ += late;
    return late;
  }

  Span look_max() const { return look_max_; }
  // As of the last look.
  Moment now() const { return last_look_ - left_out_; }
  // The moment by the monotonic clock at which this one will show `own`, if its owner keeps
  // listening.
  Moment to_monotonic(Moment own) const {
    return own >= Moment::max() - left_out_ ? Moment::max() : own + left_out_;
  }

 private:
  Span look_max_;
  Moment last_look_;
  Span left_out_{};
};

}  // namespace tracebed
