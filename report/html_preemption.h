// What the report's page is told of the containers that were asked back.
#pragma once

#include "report/json_fields.h"
#include "report/run_folder.h"

namespace tracebed {

// {"bins": {"start": s, "width": s, "asked": […], "in_time": […], "forced": […], "cancelled": […],
// "lost": […]}, "applications": {"total": n, "most": […]}}: how many were asked back in each part
// of the run's time, and how many were settled in which way; and the applications that lost or
// saved most. Null where nothing was asked back.
Json preemption_data(const RunFolder& run);

}  // namespace tracebed
