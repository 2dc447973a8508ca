// Watches a run of a coordinator as if it ran here.
#pragma once

#include "coordinator/api/control_client.h"
#include "coordinator/cli/progress_line.h"
#include "coordinator/cli/retrying_client.h"
#include "system/interruption.h"

namespace tracebed {

struct FollowedRun {
  control::RunStatus status;
  bool is_left = false;  // it continues without us
};

// As the coordinator reports it.
RunProgress to_progress(const control::ReplayProgress& wire);

// Until it has ended, or is left. Ctrl-C cancels it, and a second Ctrl-C leaves it to end by
// itself; other signals (a closed terminal) leave it as it is. Throws EnvironmentError as
// RetryingClient does.
FollowedRun follow_run(RetryingClient& client, std::int64_t run, const Interruption& interruption,
                       ProgressLine& progress);

}  // namespace tracebed
