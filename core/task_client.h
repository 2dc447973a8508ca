// How tasks are named to the mock HDFS.
#pragma once

#include <string_view>

namespace tracebed {

// All tasks are one client of HDFS by name, so that datanodes count what they send to tasks apart
// from what they send to others.
inline constexpr std::string_view task_client_name = "tracebed-task";

}  // namespace tracebed
