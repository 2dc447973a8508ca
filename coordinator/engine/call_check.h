// What a master in a container may do. Its calls come from another process and are not trusted: it
// may act only for its own application, on its own containers and tasks.
#pragma once

#include <cstdint>
#include <vector>

#include "coordinator/engine/container_state.h"
#include "core/application_master.h"
#include "core/cluster_model.h"

namespace tracebed {

enum class ActionVerdict : std::uint8_t {
  allowed,
  late,      // overtaken by other events: ignored
  repeated,  // done before: ignored
  foreign,   // on a container that is not the master's
  refused,   // otherwise not permitted, or out of its bounds
};

struct CallContext {
  TraceTime now;
  ApplicationId application;
  const ClusterModel& cluster;
  const ContainerStates& states;
  const std::vector<std::uint32_t>& stage_tasks;  // how many tasks each stage of its job has
  const AskList& asks;                            // by slot of the engine's numbering
  ContainerId own_container;
};

// Of an action whose slot, if it has one, is already of the engine's numbering. Does not check
// whether the application may finish.
ActionVerdict judge(const CallContext& context, const MasterAction& action);

}  // namespace tracebed
