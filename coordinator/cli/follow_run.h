// Watches a run of a coordinator as if it ran here.
#pragma once

#include "coordinator/api/control_client.h"
#include "coordinator/cli/coordinator_flag.h"
#include "coordinator/cli/progress_line.h"
#include "coordinator/runner/interruption.h"

namespace tracebed {

struct FollowedRun {
  control::RunStatus status;
  bool is_left = false;  // it goes on without us
};

// Until it has ended, or is left. Ctrl-C cancels it, and once more leaves it to end by itself;
// other signals (a closed terminal) leave it as it is. A coordinator that does not answer is asked
// again for a minute; then EnvironmentError is thrown.
FollowedRun follow_run(const CoordinatorFlags& flags, std::int64_t run,
                       const Interruption& interruption, ProgressLine& progress);

}  // namespace tracebed
