// What the engine keeps of an application beside the cluster model.
#pragma once

#include "coordinator/engine/engine.h"
#include "coordinator/engine/kept_progress.h"
#include "coordinator/engine/managed_master.h"

namespace tracebed {

// Containers of a gang that was launched at once.
struct Engine::WholeGang {
  ContainerId first;
  std::uint32_t containers = 0;
  bool operator==(const WholeGang&) const = default;
};

struct Engine::ApplicationState {
  explicit ApplicationState(const Job& job) : tasks(job) {}

  std::unique_ptr<ApplicationMaster> master;
  ManagedMaster* managed = nullptr;  // `master`, if it stands for one in a container
  AskList asks;                      // by the master's slot; invalid where closed
  Answer answer = Answer::awaited;
  TaskAccount tasks;
  JobRecord record;
  TraceTime heartbeat_at = never;
  Duration longest_delay{};  // Stage::delay
  KeptProgress kept;
  // The last gang, while none of the application's containers has ended alone since.
  std::optional<WholeGang> whole_gang;
};

}  // namespace tracebed
