// PodToleratesNodeTaints: a label is a taint to all asks that are not confined to it, as those of
// YARN's exclusive partitions are.
#include "schedulers/weighted/predicates/predicates.h"

namespace tracebed {

const Predicate dedicated_predicate{
    "dedicated", "has no label, or the one that the ask is confined to",
    [](const UnitRequest& request, const CandidateNode& candidate) {
      return candidate.node.labels.empty() ||
             (request.ask.label.is_valid() && label_predicate.holds(request, candidate));
    }};

}  // namespace tracebed
