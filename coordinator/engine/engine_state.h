// What the engine keeps of an application and of a container beside the cluster model.
#pragma once

#include "coordinator/engine/engine.h"

namespace tracebed {

struct Engine::ApplicationState {
  explicit ApplicationState(const Job& job) : tasks(job) {}

  std::unique_ptr<ApplicationMaster> master;
  std::vector<AskId> asks;  // by the master's slot; invalid where closed
  Answer answer = Answer::awaited;
  TaskAccount tasks;
  JobRecord record;
  TraceTime heartbeat_at = never;
};

struct Engine::ContainerState {
  JobId job;
  LaunchTask task;  // meaningful once launched
  AskSlot slot = 0;
  TraceTime work_begun{};  // when it was let begin, if it was launched held
  bool is_launched = false;
  bool is_being_killed = false;
};

}  // namespace tracebed
