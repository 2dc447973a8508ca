// The modelled time from a launch command to a running process.
#pragma once

#include "coordinator/virtual/virtual_options.h"
#include "core/random.h"

namespace tracebed {

class LaunchModel {
 public:
  explicit LaunchModel(const VirtualOptions& options);
  Duration draw();

 private:
  Random random_;
  Duration median_;
  double mu_ = 0;     // of the logarithm of microseconds
  double sigma_ = 0;  // 0: always the median
};

}  // namespace tracebed
