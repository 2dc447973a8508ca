// The machines of an experiment that fail during the run ([[crash]]), and come back: a fleet that
// passes everything to the world's own and crashes its machines on time.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "coordinator/config/experiment.h"
#include "coordinator/engine/engine.h"
#include "coordinator/worlds/run_world.h"
#include "core/fleet.h"

namespace tracebed {

struct PlannedCrash {
  std::optional<TraceTime> at;  // none: as soon as a container on it is marked for preemption
  NodeId node;                  // invalid, without `at`: any
  std::optional<Duration> down;
};

// Nodes are positions in `machines`. Throws InputError for an unknown name.
std::vector<PlannedCrash> planned_crashes(const std::vector<CrashChoice>& crashes,
                                          const std::vector<Machine>& machines);

class CrashingFleet final : public Fleet {
 public:
  // World and engine outlive this.
  CrashingFleet(RunWorld& world, std::vector<PlannedCrash> crashes, const Engine& engine);

  void execute(std::span<const Command> commands, const HeartbeatInterest& interest) override;
  void wait_until(TraceTime deadline, Round& round) override;
  void begin_jobs() override { world_.fleet().begin_jobs(); }
  bool expects_changes() const override;

  // For each crash that did not happen, the reason; after the run has ended. `machines` are the
  // run's.
  std::vector<std::string> remarks(const std::vector<Machine>& machines) const;

 private:
  void crash(NodeId node, const PlannedCrash& crash);
  // A node with a container that is marked for preemption and not being killed yet: `node`, or if
  // that is invalid any. Invalid if there is none.
  NodeId node_in_preemption(NodeId node) const;

  RunWorld& world_;
  std::vector<PlannedCrash> on_occasion_;
  std::multimap<TraceTime, PlannedCrash> at_times_;
  std::multimap<TraceTime, NodeId> returns_;
  const Engine& engine_;
  TraceTime now_{};
};

}  // namespace tracebed
