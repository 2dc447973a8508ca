// The machines of a run as data: what joins, and when it leaves and comes back.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/ids.h"
#include "core/resources.h"
#include "core/time.h"

namespace tracebed {

struct Machine {
  std::string name;
  std::string rack = "/default-rack";
  Resources capacity;
  std::vector<std::string> labels;
  // Of its CPUs, in thousandths of those that the trace was recorded on.
  std::uint32_t speed = 1'000;

  bool operator==(const Machine&) const = default;
};

// A machine that leaves or comes back at a given time, from a trace or an experiment's schedule.
struct MachineChange {
  TraceTime at{};
  NodeId node;  // index in the list of machines
  bool up = false;
};

}  // namespace tracebed
