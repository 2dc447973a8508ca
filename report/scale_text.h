// What scaling made of a workload, for a terminal.
#pragma once

#include <string>
#include <vector>

namespace tracebed {

struct ScaleEffects {
  struct Factor {
    std::string name;     // "cpu ÷ 4"
    std::string changes;  // what it changes
  };
  struct Statistic {
    std::string name;
    double trace = 0;
    double run = 0;        // of the scaled workload
    double deviation = 0;  // of `run` from what the factors alone would have made of `trace`
  };
  std::vector<Factor> factors;        // empty if nothing was scaled
  std::vector<Statistic> statistics;  // those that did not change among them
};

// "Scaled: cpu ÷ 12, memory ÷ 16." in a line; empty if nothing was scaled.
std::string scale_line(const ScaleEffects& effects);

// The same, what each factor changes, and a table of the statistics that changed.
std::string scale_text(const ScaleEffects& effects);

}  // namespace tracebed
