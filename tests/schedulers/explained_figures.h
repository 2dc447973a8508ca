// Figures of what a scheduler explains, by their names.
#pragma once

#include <gtest/gtest.h>
#include <string>

#include "core/scheduler_view.h"

namespace tracebed::test {

// An empty one and a failure if the queue has none of that name.
inline const ExplainedFigure& figure(const ExplainedQueue& queue, const std::string& name) {
  for (const ExplainedFigure& each : queue.figures) {
    if (each.name == name) return each;
  }
  static const ExplainedFigure none;
  ADD_FAILURE() << queue.path << " has no figure " << name;
  return none;
}

}  // namespace tracebed::test
