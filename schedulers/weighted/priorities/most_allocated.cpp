// MostRequestedPriority: 10 × requested / capacity, the mean over the dimensions, where requested
// includes the unit.
#include "schedulers/weighted/priorities/priorities.h"

namespace tracebed {

const Priority most_allocated_priority{
    "most_allocated", "nodes of which the most is used with the unit",
    [](const UnitRequest& request, const CandidateNode& candidate) {
      return score_max - score_of_unused(used_after(request, candidate), dimensions_of(request));
    }};

}  // namespace tracebed
