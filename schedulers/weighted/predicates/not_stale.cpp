// A node whose heartbeats stay away is avoided before it is given up: HDFS's stale datanodes
// (dfs.namenode.stale.datanode.interval, of 30 s). In Kubernetes such a node is not ready
// (CheckNodeCondition).
#include "schedulers/weighted/predicates/predicates.h"

namespace tracebed {

const Predicate not_stale_predicate{
    .name = "not_stale",
    .meaning = "has sent a heartbeat within stale_after_ms",
    .holds =
        [](const UnitRequest& request, const CandidateNode& candidate) {
          return request.now - candidate.report.at <= request.conditions.stale_after;
        },
    .reads_reports = true};

}  // namespace tracebed
