// What the user should know about a run that goes on all the same.
#pragma once

#include <string>
#include <vector>

#include "coordinator/runner/run_observer.h"

namespace tracebed {

// Passes warnings on and keeps them for the run record.
class Warnings {
 public:
  explicit Warnings(RunObserver& observer) : observer_(observer) {}
  void add(const std::string& message) {
    observer_.warned(message);
    messages_.push_back(message);
  }
  const std::vector<std::string>& messages() const { return messages_; }

 private:
  RunObserver& observer_;
  std::vector<std::string> messages_;
};

}  // namespace tracebed
