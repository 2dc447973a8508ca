// MatchInterPodAffinity: required anti-affinity of an application's containers to each other, by
// host.
#include "schedulers/weighted/predicates/predicates.h"

namespace tracebed {

const Predicate apart_predicate{"apart", "has no other container of the application",
                                [](const UnitRequest&, const CandidateNode& candidate) {
                                  return candidate.of_application == 0;
                                },
                                true};

}  // namespace tracebed
