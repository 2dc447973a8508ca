// The text of one of Hadoop's configuration files.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace tracebed::test {

// Property by property, the n-th in line n.
inline std::string hadoop_file(const std::vector<std::pair<std::string, std::string>>& lines) {
  std::string text = "<configuration>";
  for (const auto& [name, value] : lines) {
    text += "<property><name>" + name + "</name><value>" + value + "</value></property>\n";
  }
  return text + "</configuration>";
}

}  // namespace tracebed::test
