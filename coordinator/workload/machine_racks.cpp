#include "coordinator/workload/machine_racks.h"

#include <algorithm>
#include <fmt/format.h>
#include <span>
#include <sstream>

#include "core/input_error.h"
#include "system/program_output.h"

namespace tracebed {
namespace {

// NetworkTopology.DEFAULT_RACK and its like: from the root, without what paths may not have.
bool is_rack(const std::string& word) {
  constexpr std::size_t bytes_max = 255;
  const bool is_plain = std::all_of(word.begin(), word.end(),
                                    [](char c) { return static_cast<unsigned char>(c) > ' '; });
  return word.size() > 1 && word.size() <= bytes_max && word.front() == '/' && word.back() != '/' &&
         is_plain;
}

void run_script(const TopologyChoice& topology, std::span<Machine> machines) {
  constexpr std::size_t line_max = 1'024;
  ProgramCall call{topology.script, {}, topology.script_timeout, line_max * machines.size()};
  for (const Machine& machine : machines) call.arguments.push_back(machine.name);
  const auto refuse = [&](const std::string& message) {
    throw InputError(fmt::format("{}: {}", topology.script_where, message));
  };
  const auto printed = program_output(call);
  if (!printed) refuse(printed.error().message);
  std::istringstream words(*printed);
  for (Machine& machine : machines) {
    if (!(words >> machine.rack)) {
      refuse(fmt::format("expected {} to print {} racks, one for each argument, got none for {}",
                         topology.script, machines.size(), machine.name));
    }
    if (!is_rack(machine.rack)) {
      refuse(fmt::format("expected {} to print racks like /rack1, got \"{}\" for {}",
                         topology.script, machine.rack, machine.name));
    }
  }
  if (std::string more; words >> more) {
    refuse(fmt::format("expected {} to print {} racks, one for each argument, got more: \"{}\"",
                       topology.script, machines.size(), more));
  }
}

}  // namespace

void set_racks(const TopologyChoice& topology, std::vector<Machine>& machines) {
  if (!topology.script.empty()) {
    const std::span<Machine> all(machines);
    for (std::size_t at = 0; at < all.size(); at += topology.script_args) {
      run_script(topology, all.subspan(at, std::min(topology.script_args, all.size() - at)));
    }
  }
  for (Machine& machine : machines) {
    const auto rack = topology.racks.find(machine.name);
    if (rack != topology.racks.end()) machine.rack = rack->second;
  }
}

}  // namespace tracebed
