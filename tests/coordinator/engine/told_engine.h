// A fixture around an engine that is told one thing at a time.
#pragma once

#include <gtest/gtest.h>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "coordinator/engine/doubles.h"
#include "coordinator/engine/engine.h"

namespace tracebed::doubles {

class ToldEngine : public testing::Test {
 protected:
  void build(std::unique_ptr<Scheduler> scheduler, MasterFactory masters = plain_master,
             std::optional<RelocationOptions> relocation = std::nullopt) {
    EngineSetup setup;
    setup.relocation = relocation;
    setup.scheduler = std::move(scheduler);
    setup.make_master = std::move(masters);
    setup.paranoid = true;
    setup.devices = devices_;
    engine_ = std::make_unique<Engine>(std::move(setup), records_);
  }
  void join(std::uint32_t node, std::int64_t vcores, std::uint32_t speed = 1'000) {
    Round round = at();
    round.machines.push_back(plain_machine(vcores, "node" + std::to_string(node)));
    round.machines.back().speed = speed;
    round.arrivals.push_back(NodeJoined{NodeId(node), 0});
    step(round);
  }
  // In devices of a thousand, of the first further resource.
  void join_with_gpus(std::uint32_t node, std::int64_t vcores, std::int64_t gpus) {
    Round round = at();
    round.machines.push_back(plain_machine(vcores, "node" + std::to_string(node)));
    round.machines.back().capacity[gpu_dimension] = gpus * 1'000;
    round.arrivals.push_back(NodeJoined{NodeId(node), 0});
    step(round);
  }
  void submit(Job job) {
    Round round = at();
    round.add_job() = std::move(job);
    round.submit(0);
    step(round);
  }
  void arrive(const Arrival& arrival) {
    Round round = at();
    round.arrivals.push_back(arrival);
    step(round);
  }
  void end(std::uint32_t container, ContainerEnd end = ContainerEnd::succeeded) {
    arrive(ContainerEnded{ContainerId(container), NodeId(0u), end, {}});
  }
  Round at() const {
    Round round;
    round.now = now_;
    return round;
  }
  void step(Round& round) {
    commands_.clear();
    engine_->step(round, commands_);
  }
  template <class Kind>
  std::vector<Kind> sent() const {
    std::vector<Kind> list;
    for (const Command& command : commands_) {
      if (const auto* kind = std::get_if<Kind>(&command)) list.push_back(*kind);
    }
    return list;
  }

  DeviceSizes devices_;  // of an engine that is built from then on
  Records records_;
  std::unique_ptr<Engine> engine_;
  std::vector<Command> commands_;
  TraceTime now_ = trace_time(0);
};

}  // namespace tracebed::doubles
