// PodFitsResources.
#include "schedulers/weighted/predicates/predicates.h"

namespace tracebed {

const Predicate fits_predicate{"fits", "has room for the unit",
                               [](const UnitRequest& /*request*/, const CandidateNode& candidate) {
                                 return candidate.has_room;
                               }};

}  // namespace tracebed
