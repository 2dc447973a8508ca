// Reads Prometheus' text format by the rules of its documentation and of promtool's checks.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace tracebed::test {

struct Exposition {
  std::map<std::string, double> samples;  // by name and labels, as they stand
  std::vector<std::string> faults;        // sentences; none: it is well-formed
};

Exposition read_exposition(const std::string& text);

}  // namespace tracebed::test
