// The version of the messages between coordinator, agents and datanodes.
#pragma once

#include <cstdint>

#include "core/task_account.h"
#include "core/task_work.h"

namespace tracebed::wire {

// 13 for the messages, followed by the number of fields of a task's work and of its account, so
// that a peer which has other fields is refused.
inline constexpr std::uint32_t protocol_version =
    1300 + task_work_fields.size() + task_account_fields.size();

}  // namespace tracebed::wire
