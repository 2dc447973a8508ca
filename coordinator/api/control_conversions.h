// The coordinator's data, as the control service reports it.
#pragma once

#include <cstddef>

#include "Control.h"
#include "coordinator/api/run_entry.h"
#include "coordinator/real/agent_roster.h"

namespace tracebed {

// The approximate maximum size of a run's progress in an answer.
inline constexpr std::size_t progress_bytes_max = std::size_t{64} << 10;

control::RunState::type to_wire(RunState state);
control::RunStatus to_wire(const RunEntry& entry);
control::DatanodeStatus to_wire(const DatanodeMember& member);
control::AgentStatus to_wire(const RosterMember& member);

}  // namespace tracebed
