// Times the calls of decide(). The engine has no clock, so its caller supplies one.
#pragma once

namespace tracebed {

class DecisionMeter {
 public:
  virtual ~DecisionMeter() = default;
  virtual void decide_begins() = 0;
  virtual void decide_ended() = 0;
};

}  // namespace tracebed
