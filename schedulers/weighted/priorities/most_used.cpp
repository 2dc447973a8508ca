// 10 × the used part of the node, as in least_used.
#include "schedulers/weighted/priorities/priorities.h"

namespace tracebed {

const Priority most_used_priority{
    "most_used", "nodes of which the most is used before the unit is placed",
    [](const UnitRequest& request, const CandidateNode& candidate) {
      return score_max - score_of_unused(used_before(request, candidate), dimensions_of(request));
    }};

}  // namespace tracebed
