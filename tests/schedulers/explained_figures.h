// Figures of what a scheduler tells, by their labels, as people read them.
#pragma once

#include <gtest/gtest.h>
#include <span>
#include <string>
#include <string_view>

#include "core/scheduler_view.h"
#include "report/figure_text.h"

namespace tracebed::test {

// "none" if there is none of that label.
inline std::string text_of(std::span<const Figure> figures, std::string_view label,
                           const ResourceDimensions& dimensions = {}) {
  for (const Figure& figure : figures) {
    if (figure.label == label) return figure_text(figure.value, dimensions);
  }
  return "none";
}
inline std::string text_of(const Figure& figure) {
  return figure_text(figure.value, {});
}

// A failure if the queue has none of that label.
inline std::string value(const ExplainedQueue& queue, std::string_view label) {
  std::string text = text_of(queue.figures, label);
  EXPECT_NE(text, "none") << queue.path << " has no figure " << label;
  return text;
}
inline std::string formula(const ExplainedQueue& queue, std::string_view label) {
  for (const Figure& figure : queue.figures) {
    if (figure.label == label) return figure.formula;
  }
  ADD_FAILURE() << queue.path << " has no figure " << label;
  return {};
}

}  // namespace tracebed::test
