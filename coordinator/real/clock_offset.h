// How far the wall clock of another machine is ahead of ours, estimated from the stamps of its
// messages. A message is under way for a while, so that every stamp looks too old by that; the
// estimate is the greatest difference, that of the quickest message, among the latest.
#pragma once

#include <algorithm>
#include <chrono>
#include <limits>

namespace tracebed {

class ClockOffset {
 public:
  using Nanoseconds = std::chrono::nanoseconds;
  using Moment = std::chrono::steady_clock::time_point;

  // `ahead` is a message's stamp less our wall clock at its receipt, which was `now`.
  void add(Nanoseconds ahead, Moment now) {
    if (!is_known_) window_ends_ = now + window;
    is_known_ = true;
    if (now >= window_ends_) {
      is_settled_ = true;
      before_ = latest_;
      latest_ = Nanoseconds::min();
      window_ends_ = now + window;
    }
    latest_ = std::max(latest_, ahead);
  }

  // Zero while nothing is known. Positive: the other clock is ahead.
  Nanoseconds ahead() const { return is_known_ ? std::max(before_, latest_) : Nanoseconds(0); }
  // Whether a whole window of messages was seen: a single one may have been under way for long.
  bool is_settled() const { return is_settled_; }

 private:
  // A busy machine may keep messages waiting for seconds on end. A clock that drifts, or is set, is
  // believed after two windows at the latest.
  static constexpr std::chrono::seconds window{20};

  Nanoseconds before_ = Nanoseconds::min();
  Nanoseconds latest_ = Nanoseconds::min();
  Moment window_ends_{};
  bool is_known_ = false;
  bool is_settled_ = false;
};

}  // namespace tracebed
