// A RealFleet with scripted agents, and the messages that tests of it are made of.
#pragma once

#include <chrono>
#include <deque>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <vector>

#include "coordinator/real/real_fleet.h"
#include "coordinator/real/scripted_agent.h"
#include "support/eventually.h"
#include "support/temporary_folder.h"

namespace tracebed::test {

using namespace std::chrono_literals;

inline const auto look_at_nothing = [] {};

inline wire::WallTime wall_now() {
  return std::chrono::system_clock::now();
}

inline wire::Heartbeat heartbeat(std::vector<wire::ContainerExit> exits = {}) {
  wire::Heartbeat heartbeat;
  heartbeat.wall_clock = wall_now();
  heartbeat.used_milli_vcores = 1'500;
  heartbeat.used_memory_mib = 700;
  heartbeat.exits = std::move(exits);
  return heartbeat;
}

inline wire::ContainerExit exit_of(std::uint32_t container, std::uint64_t sequence) {
  wire::ContainerExit exit;
  exit.sequence = sequence;
  exit.container = ContainerId(container);
  exit.started = exit.ended = wall_now();
  exit.cpu_time = 1ms;
  exit.memory_peak_bytes = (10 << 20) + 1;
  return exit;
}

inline LaunchContainer launch_on(std::uint32_t node, std::uint32_t container) {
  LaunchContainer launch;
  launch.container = ContainerId(container);
  launch.node = NodeId(node);
  launch.application = ApplicationId(3u);
  launch.task = TaskRef{1, 5};
  launch.attempt = 2;
  launch.limits = Resources(1'000, 256);
  launch.work.duration = seconds(60);
  launch.work.cpu_time = seconds(30);
  launch.work.memory_mib = 200;
  return launch;
}

class RealFleetTest : public ::testing::Test {
 protected:
  RealFleetTest() { options_.endpoint = "ipc://" + folder_.file("agents"); }

  // A fleet of `count` agents that have registered and whose nodes have joined.
  void start(std::size_t count) {
    open(count);
    for (std::size_t i = 0; i < count; ++i) add_agent(i).send_hello();
    fleet_->wait_for_agents(timeout, look_at_nothing);
    for (ScriptedAgent& agent : agents_) agent.expect<wire::Welcome>();
    wait();
    ASSERT_EQ(round_.arrivals.size(), count);
  }
  void open(std::size_t count) {
    std::vector<Machine> machines(count);
    for (std::size_t i = 0; i < count; ++i) {
      machines[i].name = "node-" + std::to_string(i);
      machines[i].capacity = Resources(4'000, 4'096);
    }
    fleet_.emplace(options_, machines, [this](const std::string& m) { warnings_.push_back(m); });
  }
  ScriptedAgent& add_agent(std::size_t number) {
    ScriptedAgent& agent =
        agents_.emplace_back(fleet_->endpoint(), options_.run, "node-" + std::to_string(number),
                             fleet_->links().at(number));
    agent.start_sessions_at(1'000 * (number + 1));
    return agent;
  }

  // Waits until something arrives.
  void wait(TraceTime deadline = never) {
    round_.clear();
    fleet_->wait_until(deadline, round_);
  }
  // Waits for a heartbeat of the agent, dropping what else comes with it.
  void beat(std::size_t agent) {
    agents_[agent].send(heartbeat());
    wait();
  }
  void execute(const std::vector<Command>& commands) { fleet_->execute(commands, {}); }
  template <class Kind>
  std::vector<Kind> arrived() const {
    std::vector<Kind> list;
    for (const Arrival& arrival : round_.arrivals) {
      if (const auto* kind = std::get_if<Kind>(&arrival)) list.push_back(*kind);
    }
    return list;
  }

  TemporaryFolder folder_;
  RealFleetOptions options_{.run = "run-1", .epoch = 4, .time_scale = 60, .silence_max = timeout};
  std::vector<std::string> warnings_;
  std::optional<RealFleet> fleet_;
  std::deque<ScriptedAgent> agents_;
  Round round_;
};

}  // namespace tracebed::test
