// What the coordinator knows, as the control service tells it.
#pragma once

#include <cstddef>

#include "Control.h"
#include "coordinator/api/run_entry.h"
#include "coordinator/real/agent_roster.h"

namespace tracebed {

// The most that the progress of a run can have in an answer, about.
inline constexpr std::size_t progress_bytes_max = std::size_t{64} << 10;

control::RunState::type to_wire(RunState state);
control::RunStatus to_wire(const RunEntry& entry);
control::AgentStatus to_wire(const RosterMember& member);

}  // namespace tracebed
