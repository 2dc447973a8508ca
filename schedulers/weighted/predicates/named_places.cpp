// HostName and required node affinity; the ask states both.
#include "schedulers/weighted/predicates/predicates.h"

namespace tracebed {

const Predicate named_places_predicate{
    "named_places",
    "is among the places that the ask is confined to, and not the one that it avoids",
    [](const UnitRequest& request, const CandidateNode& candidate) {
      return request.allowed.units(request.id, request.ask, candidate.node, 1) > 0;
    }};

}  // namespace tracebed
