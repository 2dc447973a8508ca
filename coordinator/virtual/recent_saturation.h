// How much of the recent time a link was saturated, so that something waited for it: what Linux
// reports as pressure ("some avg10"), a mean in which what was weighs less the longer ago it is.
#pragma once

#include <cmath>

#include "core/time.h"

namespace tracebed {

class RecentSaturation {
 public:
  static constexpr Duration window = seconds(10);

  // From now on. Times ascend over all calls.
  void set(bool is_saturated, TraceTime now) {
    if (is_saturated == is_saturated_) return;
    part_ = part(now);
    since_ = now;
    is_saturated_ = is_saturated;
  }
  // From 0 to 1.
  double part(TraceTime now) const {
    const double kept = std::exp(-to_seconds(now - since_) / to_seconds(window));
    return is_saturated_ ? 1 - (1 - part_) * kept : part_ * kept;
  }

 private:
  double part_ = 0;  // at `since_`
  TraceTime since_{};
  bool is_saturated_ = false;
};

}  // namespace tracebed
