// A run's cluster, nodes and applications as YARN's ResourceManager reports them: the objects
// ClusterInfo, ClusterMetricsInfo, NodeInfo and AppInfo of
// org.apache.hadoop.yarn.server.resourcemanager.webapp.dao, under their names. Fields whose values
// are not known here are omitted.
//
// Times are milliseconds since 1970, as YARN's: that at which the replay began, and the trace's
// time since then.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "coordinator/monitoring/run_snapshot.h"

namespace tracebed {

nlohmann::ordered_json cluster_info(const RunSnapshot& snapshot);
nlohmann::ordered_json cluster_metrics(const RunSnapshot& snapshot);
nlohmann::ordered_json node_info(const RunSnapshot& snapshot, const NodeSnapshot& node);
nlohmann::ordered_json app_info(const RunSnapshot& snapshot,
                                const ApplicationSnapshot& application);

// YARN's words: NodeState, YarnApplicationState, FinalApplicationStatus.
std::string node_state(const NodeSnapshot& node);
std::string application_state(const ApplicationSnapshot& application);
std::string final_status(const ApplicationSnapshot& application);
// "application_1326815542473_0001": the time at which the replay began, and its place in it.
std::string application_name(const RunSnapshot& snapshot, ApplicationId id);
// "NAME:0": containers are not managed at a port.
std::string node_name(const NodeSnapshot& node);
// "MAPREDUCE" as YARN's; "RIGID", "DAG" and "SERVICE" are the trace model's.
std::string application_type(const ApplicationSnapshot& application);
std::int64_t time_in_ms(const RunSnapshot& snapshot, TraceTime at);

}  // namespace tracebed
