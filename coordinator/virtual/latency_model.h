// A time that machines take again and again, a bit different each time: log-normal.
#pragma once

#include "core/random.h"
#include "core/time.h"

namespace tracebed {

struct LatencySpread {
  Duration median{};  // zero: no time at all
  double spread = 1;  // the 95th percentile over the median; 1: always the median
};

class LatencyModel {
 public:
  LatencyModel(const LatencySpread& latency, Random random);
  Duration draw() { return draw(random_); }
  // From another stream.
  Duration draw(Random& random) const;

 private:
  Random random_;
  Duration median_;
  double mu_ = 0;     // of the logarithm of microseconds
  double sigma_ = 0;  // 0: always the median
};

}  // namespace tracebed
