// An agent whose process has ended, as reported by the process that started it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/ids.h"

namespace tracebed {

struct AgentDeath {
  NodeId node;
  std::string how;          // "ended by signal 9 (Killed); its log is …"
  bool comes_back = false;  // another will be started in its place
};

// Those since the last call.
using FindDeaths = std::function<std::vector<AgentDeath>()>;

}  // namespace tracebed
