// The report page's data on containers marked for preemption.
#pragma once

#include "report/json_fields.h"
#include "report/run_folder.h"

namespace tracebed {

// {"bins": {"start": s, "width": s, "asked": […], "in_time": […], "forced": […], "cancelled": […],
// "lost": […]}, "applications": {"total": n, "most": […]}}: how many preemption requests were made
// in each part of the run's time, and how many were settled in which way; and the applications that
// lost or saved most. Null if there were none.
Json preemption_data(const RunFolder& run);

}  // namespace tracebed
