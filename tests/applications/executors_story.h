// A job on executors whose scheduler is played by the test.
#pragma once

#include <cstdint>
#include <gtest/gtest.h>
#include <optional>
#include <utility>
#include <vector>

#include "applications/executors/executors_master.h"
#include "applications/master_harness.h"

namespace tracebed {

inline constexpr AskSlot wanted_ask = 0;  // executors without a place
inline constexpr AskSlot placed_ask = 1;  // those that have one, at their nodes

inline Stage executor_stage(std::uint32_t tasks, StageKind kind = StageKind::map) {
  Stage stage;
  stage.kind = kind;
  stage.demand = Resources(1'000, 512);
  Work work;
  work.duration = seconds(2);
  if (tasks > 0) stage.runs = {{tasks, work}};
  return stage;
}

inline RackId rack_of(std::uint32_t node) {
  return RackId(node / 10);
}

// Each task's input on one node.
inline StagePlaces input_on(const std::vector<std::uint32_t>& nodes) {
  StagePlaces places;
  places.replication = 1;
  for (const std::uint32_t node : nodes) places.replicas.push_back({NodeId(node), rack_of(node)});
  return places;
}

class Executors : public ::testing::Test {
 protected:
  void make(std::uint32_t executors, std::vector<Stage> stages, std::vector<StagePlaces> places,
            ExecutorOptions options = {}) {
    Job job;
    job.id = JobId(0u);
    job.stages = std::move(stages);
    places.resize(job.stages.size());
    options.executors = executors;
    master_.emplace(options, job, std::move(places), 1);
    harness_.emplace(*master_);
    harness_->start();
  }
  // Two executors, and two stages of which each reads the same two blocks of 64 bytes, on nodes 1
  // and 2.
  void make_iterating() {
    Stage stage = executor_stage(2);
    stage.input_path = "/points";
    stage.runs.front().work.input_bytes = 64;
    Stage next = stage;
    next.needs = {0};
    ExecutorOptions options;
    options.cache_bytes = 1'000;
    make(2, {stage, next}, {input_on({1, 2}), input_on({1, 2})}, options);
  }
  // Dynamic allocation. The first stage's tasks have input on these nodes, 64 bytes each.
  void make_dynamic(std::uint32_t most, const std::vector<std::uint32_t>& nodes,
                    const std::vector<Stage>& later = {}) {
    Stage stage = executor_stage(static_cast<std::uint32_t>(nodes.size()));
    stage.input_path = "/points";
    stage.runs.front().work.input_bytes = 64;
    std::vector<Stage> stages{stage};
    stages.insert(stages.end(), later.begin(), later.end());
    ExecutorOptions options;
    options.cache_bytes = 1'000;
    options.allocation.is_dynamic = true;
    make(most, std::move(stages), {input_on(nodes)}, options);
  }
  // The scheduler places an executor.
  ContainerId place(std::uint32_t node) {
    return harness_->grant(wanted_ask, NodeId(node), rack_of(node));
  }
  // One gets a container at its node again.
  ContainerId again(std::uint32_t node) {
    return harness_->grant(placed_ask, NodeId(node), rack_of(node));
  }
  bool runs(ContainerId container) const { return harness_->is_running(container); }
  bool is_idle(ContainerId container) const { return harness_->is_idle(container); }
  const LaunchTask& launched(ContainerId container) const { return harness_->launched(container); }
  TaskRef task_in(ContainerId container) const { return launched(container).task; }
  void beat_at(int second) {
    harness_->at(seconds(second));
    harness_->heartbeat(Resources());
  }

  std::optional<ExecutorsMaster> master_;
  std::optional<MasterHarness> harness_;
};

}  // namespace tracebed
