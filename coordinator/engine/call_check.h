// What a master in a container may do. Its calls come from another process, so nothing in them is
// taken for granted: it acts for its own application, on its own containers and tasks, or not.
#pragma once

#include <cstdint>
#include <vector>

#include "coordinator/engine/container_state.h"
#include "core/application_master.h"
#include "core/cluster_model.h"

namespace tracebed {

enum class ActionVerdict : std::uint8_t {
  allowed,
  late,      // overtaken by what happened meanwhile: nothing is to be done
  repeated,  // done before: nothing is to be done
  foreign,   // on a container that is not the master's
  refused,   // not the master's to do otherwise, or out of its bounds
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

// Of an action whose slot, if it has one, is already of the engine's numbering. Whether the
// application may finish is not looked at.
ActionVerdict judge(const CallContext& context, const MasterAction& action);

}  // namespace tracebed
