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
  AskSlot slot = 0;
  // What was launched in it, once something was.
  TaskRef task;
  std::uint32_t attempt = 1;
  Locality locality = Locality::none_asked;
  bool is_launched = false;
  bool is_held = false;
  bool is_being_killed = false;
  TraceTime waiting_since{};
  TraceTime work_begun{};  // when it was let begin, if it was launched held
  Duration nominal{};
};

}  // namespace tracebed
