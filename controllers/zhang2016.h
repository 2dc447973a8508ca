// The controller that the authors of B. Zhang and others (2015, 2016) released
// (Spirals-Team/hadoop-benchmark), for the Capacity Scheduler with one queue: maximum-am-resource-
// percent by the queue's used capacity u, which a scalar Kalman filter smooths.
//
// Each poll in which jobs are pending looks at u up to ten times, a second apart, and stops looking
// at the first u below 0.9. Then: below 0.9 the share rises by max(√((0.9 − u) × 100) / 100, 0.01),
// above 0.95 it falls by max(√((u − 0.95) × 100) / 100, 0.01); it is kept within [0.1, 1].
//
// The filter (transition 1, process noise 0.9, measurement noise 0.1) begins with an estimate of 0
// and the process noise as its variance, which the program leaves to its library.
#pragma once

#include "controllers/controller_entry.h"

namespace tracebed {

// A scalar Kalman filter with transition and observation 1.
class ScalarKalmanFilter {
 public:
  ScalarKalmanFilter(double process_noise, double measurement_noise)
      : process_noise_(process_noise),
        measurement_noise_(measurement_noise),
        variance_(process_noise) {}

  // Predicts, corrects by the measurement, and returns the estimate.
  double take(double measured);

 private:
  double process_noise_;
  double measurement_noise_;
  double variance_;
  double estimate_ = 0;
};

ControllerEntry zhang2016_entry();

}  // namespace tracebed
