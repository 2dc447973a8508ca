// A modelled machine whose containers have no limits, for tests.
#pragma once

#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <utility>
#include <variant>
#include <vector>

#include "coordinator/engine/doubles.h"
#include "coordinator/virtual/virtual_fleet.h"
#include "support/at_seconds.h"

namespace tracebed::test {

inline VirtualOptions without_latency() {
  VirtualOptions options;
  options.launch_latency.median = Duration::zero();
  return options;
}

inline Work computing(Duration duration, std::int64_t cores, std::int64_t memory_mib = 100) {
  return {.duration = duration, .cpu_time = cores * duration, .memory_mib = memory_mib};
}

// A machine of four cores and 4096 MiB. Containers have no limits.
class SharedMachine {
 public:
  explicit SharedMachine(const VirtualOptions& options = without_latency(),
                         std::vector<MachineChange> changes = {})
      : fleet_(options, {doubles::plain_machine(4)}, std::move(changes)) {
    go_to(at_seconds(0));
  }

  void launch(std::uint32_t container, const Work& work, bool is_held = false) {
    LaunchContainer launch;
    launch.container = ContainerId(container);
    launch.node = NodeId(0u);
    launch.work = {work};
    launch.is_held = is_held;
    tell(launch);
  }
  // Likewise, of so many thousandths of a vcore.
  void launch_with_vcores(std::uint32_t container, const Work& work, std::int64_t milli_vcores) {
    LaunchContainer launch;
    launch.container = ContainerId(container);
    launch.node = NodeId(0u);
    launch.work = {work};
    launch.limits = Resources(milli_vcores, 0);
    tell(launch);
  }
  // Likewise, reading a file of this length.
  void launch_reader(std::uint32_t container, const Work& work, std::int64_t bytes) {
    LaunchContainer launch;
    launch.container = ContainerId(container);
    launch.node = NodeId(0u);
    launch.work = {work};
    launch.work.input_file = 1;
    launch.work.input_length = bytes;
    tell(launch);
  }
  void look_at(const StorageView& namenode) { fleet_.look_at(namenode); }
  void tell(const Command& command) {
    const std::vector<Command> commands = {command};
    fleet_.execute(commands, {});
  }
  void go_to(TraceTime time) {
    Round round;
    while (round.now < time || !has_begun_) {
      has_begun_ = true;
      round.clear();
      fleet_.wait_until(time, round);
      for (const Arrival& arrival : round.arrivals) {
        if (const auto* ended = std::get_if<ContainerEnded>(&arrival)) {
          ended_.emplace(ended->container.value(), *ended);
        }
        if (const auto* beat = std::get_if<NodeHeartbeat>(&arrival)) last_beat_ = *beat;
      }
      if (round.now == never) break;
    }
  }
  // How it ended, which it is to have done by that time.
  const ContainerEnded& end_of(std::uint32_t container, TraceTime by = at_seconds(1'000)) {
    go_to(by);
    static const ContainerEnded none;
    const auto found = ended_.find(container);
    EXPECT_NE(found, ended_.end()) << "container " << container << " has not ended";
    return found == ended_.end() ? none : found->second;
  }
  bool has_ended(std::uint32_t container) const { return ended_.contains(container); }
  // As the last heartbeat had it.
  const Resources& used() const { return last_beat_.used; }
  std::int32_t io_pressure() const { return last_beat_.io_pressure; }

 private:
  VirtualFleet fleet_;
  std::map<std::uint32_t, ContainerEnded> ended_;
  NodeHeartbeat last_beat_;
  bool has_begun_ = false;
};

}  // namespace tracebed::test
