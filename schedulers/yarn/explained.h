// What a scheduler's configuration means on a cluster, as lines for people and programs.
#pragma once

#include <string>
#include <vector>

#include "core/resources.h"

namespace tracebed {

struct ExplainedFigure {
  std::string name;
  std::string value;
  std::string formula;  // with the numbers put in; empty: configured, or a default
};

struct ExplainedQueue {
  std::string path;
  bool is_leaf = false;
  std::vector<ExplainedFigure> figures;
};

// "75.0%" of 0.75, with up to six digits.
std::string percent_text(double fraction);
// "10.0", with up to six digits.
std::string number_text(double number);
// "memory: 4096, vCores: 4", as YARN writes resources; vCores only if there are some.
std::string resources_text(const Resources& resources);

}  // namespace tracebed
