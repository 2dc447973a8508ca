// The report page's data on a scheduler's queues.
#pragma once

#include "report/json_fields.h"
#include "report/run_folder.h"

namespace tracebed {

// {"at": [s, …], "queues": n, "by_dimension": {"memory": [{"queue": …, "used": […],
// "entitled": […]}, …], …}}: what the busiest leaves used of the cluster and were entitled to.
Json queues_over_time(const RunFolder& run);

// {"at": s, "used_share": 0 to 1, "queues_in_all": n, "is_resource_managers": …, "figures": ["Queue
// State", …], "queues": [{"path": …, "values": ["RUNNING", …]}, …]}: the page as recorded, for the
// queues that used most; null for a figure that a queue does not have. Null if the scheduler has no
// queues.
Json queue_page_data(const RunFolder& run);

}  // namespace tracebed
