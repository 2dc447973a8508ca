// What the page of queues calls its figures.
#pragma once

#include <string>
#include <vector>

#include "report/queue_page.h"

namespace tracebed::test {

inline std::vector<std::string> page_labels() {
  std::vector<std::string> labels;
  for (const QueuePageFigure& figure : queue_page_figures) labels.emplace_back(figure.label);
  return labels;
}

}  // namespace tracebed::test
