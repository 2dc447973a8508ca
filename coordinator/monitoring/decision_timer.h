// Measures the wall time of the scheduler's calls.
#pragma once

#include <chrono>
#include <optional>

#include "coordinator/engine/decision_meter.h"
#include "report/log_histogram.h"

namespace tracebed {

class DecisionTimer final : public DecisionMeter {
 public:
  void decide_begins() override { began_ = std::chrono::steady_clock::now(); }
  void decide_ended() override {
    const auto took = std::chrono::steady_clock::now() - began_;
    histogram_.add(Duration(std::chrono::nanoseconds(took).count()));
  }
  // In seconds; none without a call.
  std::optional<Spread> spread() const {
    if (histogram_.count() == 0) return std::nullopt;
    Spread spread = histogram_.spread();
    for (double* figure : {&spread.mean, &spread.p50, &spread.p95, &spread.p99, &spread.max}) {
      *figure /= 1000;
    }
    return spread;
  }

 private:
  std::chrono::steady_clock::time_point began_;
  LogHistogram histogram_;  // of nanoseconds in place of its microseconds: a call is short
};

}  // namespace tracebed
