// PodFitsResources.
#include "schedulers/weighted/predicates/predicates.h"

namespace tracebed {

const Predicate fits_predicate{"fits", "has room for the unit",
                               [](const UnitRequest& request, const CandidateNode& candidate) {
                                 return request.ask.demand.fits_in(candidate.free);
                               }};

}  // namespace tracebed
