// SelectorSpreadPriority, without zones: 10 × (most - here) / most, where these are containers of
// the ask's application: on the node that has the most of them, and on this one.
#include "schedulers/weighted/priorities/priorities.h"

namespace tracebed {

const Priority spread_by_job_priority{
    "spread_by_job", "nodes with the fewest containers of the same application",
    [](const UnitRequest& request, const CandidateNode& candidate) {
      if (request.most_of_application == 0) return score_max;
      return score_of_part(request.most_of_application - candidate.of_application,
                           request.most_of_application);
    },
    false, true};

}  // namespace tracebed
