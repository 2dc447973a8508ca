// MatchInterPodAffinity: required anti-affinity of a user's applications to each other, by host.
#include "schedulers/weighted/predicates/predicates.h"

namespace tracebed {

const Predicate apart_from_user_predicate{"apart_from_user",
                                          "has no container of another application of the user",
                                          [](const UnitRequest&, const CandidateNode& candidate) {
                                            return candidate.of_user == candidate.of_application;
                                          },
                                          true, true};

}  // namespace tracebed
