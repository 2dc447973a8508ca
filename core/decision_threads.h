// The port of schedulers that decide side by side, each in a thread of its own. The engine takes
// none of its steps in those threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace tracebed {

class DecisionThreads {
 public:
  virtual ~DecisionThreads() = default;

  // Calls `decide` once, in the thread of the scheduler with that index, and returns before or
  // after it has. DecisionMade with the same two numbers is an arrival after it has returned; until
  // then nobody touches what `decide` touches, and the scheduler begins nothing else.
  //
  // Which round the arrival is part of is all that a run does not know beforehand: the same
  // arrivals give the same decisions, whether `decide` was called at once or in a thread.
  virtual void begin(std::size_t scheduler, std::uint64_t decision,
                     std::function<void()> decide) = 0;
};

// Calls at once: for a recorded run, whose log has the arrivals.
class ImmediateDecisions final : public DecisionThreads {
 public:
  void begin(std::size_t /*scheduler*/, std::uint64_t /*decision*/,
             std::function<void()> decide) override {
    decide();
  }
};

}  // namespace tracebed
