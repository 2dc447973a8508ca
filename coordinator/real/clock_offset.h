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

  // `ahead` is a message's stamp less our clock at its receipt.
  void add(Nanoseconds ahead) {
    if (++samples_ > window) {
      before_ = latest_;
      latest_ = Nanoseconds::min();
      samples_ = 1;
    }
    latest_ = std::max(latest_, ahead);
  }

  bool is_known() const { return samples_ > 0; }
  // Zero while nothing is known. Positive: the other clock is ahead.
  Nanoseconds ahead() const { return is_known() ? std::max(before_, latest_) : Nanoseconds(0); }

 private:
  // A clock that drifts, or is set, is believed after two windows at the latest.
  static constexpr int window = 8;

  Nanoseconds before_ = Nanoseconds::min();
  Nanoseconds latest_ = Nanoseconds::min();
  int samples_ = 0;
};

}  // namespace tracebed
