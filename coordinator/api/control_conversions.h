// What the coordinator knows, as the control service tells it.
#pragma once

#include "Control.h"
#include "coordinator/api/run_entry.h"
#include "coordinator/real/agent_roster.h"

namespace tracebed {

control::RunState::type to_wire(RunState state);
control::RunStatus to_wire(const RunEntry& entry);
control::AgentStatus to_wire(const RosterMember& member);

}  // namespace tracebed
