// InterPodAffinityPriority with a term for the user's containers, by host: 10 × here / most, where
// these are containers of the user: on this node, and on the one that has the most of them.
#include "schedulers/weighted/priorities/priorities.h"

namespace tracebed {

const Priority beside_user_priority{"beside_user",
                                    "nodes with the most containers of the same user",
                                    [](const UnitRequest& request, const CandidateNode& candidate) {
                                      if (request.most_of_user == 0) return Score{0};
                                      return score_of_part(candidate.of_user, request.most_of_user);
                                    },
                                    false,
                                    true,
                                    true};

}  // namespace tracebed
