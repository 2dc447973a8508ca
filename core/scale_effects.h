// What scaling made of a workload.
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

}  // namespace tracebed
