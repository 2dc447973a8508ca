// LeastRequestedPriority: 10 × (capacity - requested) / capacity, the mean over the dimensions,
// where requested includes the unit.
#include "schedulers/weighted/priorities/priorities.h"

namespace tracebed {

const Priority least_allocated_priority{
    "least_allocated", "nodes of which the least is used with the unit",
    [](const UnitRequest& request, const CandidateNode& candidate) {
      return score_of_unused(used_after(request, candidate), dimensions_of(request));
    }};

}  // namespace tracebed
