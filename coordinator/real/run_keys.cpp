#include "coordinator/real/run_keys.h"

#include <utility>

namespace tracebed {

RunKeys make_run_keys(const std::vector<Machine>& machines) {
  RunKeys keys;
  keys.coordinator.own = make_key_pair();
  for (const Machine& machine : machines) {
    KeyPair own = make_key_pair();
    keys.coordinator.agents.emplace(own.public_key, machine.name);
    keys.links.push_back({std::move(own), keys.coordinator.own.public_key});
  }
  return keys;
}

}  // namespace tracebed
