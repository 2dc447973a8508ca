// MatchInterPodAffinity: required affinity of a user's containers to each other, by host. The first
// of them may go anywhere, as in Kubernetes, or none could ever start.
#include "schedulers/weighted/predicates/predicates.h"

namespace tracebed {

const Predicate beside_user_predicate{
    "beside_user", "has a container of the user, if any node has one",
    [](const UnitRequest& request, const CandidateNode& candidate) {
      return request.most_of_user == 0 || candidate.of_user > 0;
    },
    true, true};

}  // namespace tracebed
