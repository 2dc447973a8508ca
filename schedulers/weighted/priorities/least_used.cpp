// 10 × the unused part of the node, by the setting share the mean over the dimensions or that of
// the scarcest one; the latter is what Spread ranks by with share = "dominant" (nodes_by_use.h).
#include "schedulers/weighted/priorities/priorities.h"

namespace tracebed {

const Priority least_used_priority{
    "least_used", "nodes of which the least is used before the unit is placed",
    [](const UnitRequest& request, const CandidateNode& candidate) {
      return score_of_unused(used_before(request, candidate), dimensions_of(request));
    }};

}  // namespace tracebed
