// For schedulers without admission rules: every application is accepted when it is added.
#pragma once

#include "core/scheduler.h"

namespace tracebed {

inline void accept_all(const SchedulerInput& input, Decisions& decisions) {
  for (const SchedulerEvent& event : input.events) {
    if (const auto* added = std::get_if<ApplicationAdded>(&event)) {
      decisions.accept(added->application);
    }
  }
}

}  // namespace tracebed
