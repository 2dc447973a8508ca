// Warnings for the user about a run that continues nevertheless.
#pragma once

#include <string>
#include <vector>

#include "coordinator/monitoring/run_observer.h"

namespace tracebed {

// Passes warnings on and keeps them for the run record: a bounded number, since an administrator's
// script can cause any number of them.
class Warnings {
 public:
  static constexpr std::size_t kept_max = 1'000;

  explicit Warnings(RunObserver& observer) : observer_(observer) {}
  void add(const std::string& message) {
    observer_.warned(message);
    if (messages_.size() < kept_max) {
      messages_.push_back(message);
    } else if (messages_.size() == kept_max) {
      messages_.push_back("more warnings were raised than the 1,000 that are kept");
    }
  }
  const std::vector<std::string>& messages() const { return messages_; }

 private:
  RunObserver& observer_;
  std::vector<std::string> messages_;
};

}  // namespace tracebed
