// 10 / (1 + containers on the node).
#include "schedulers/weighted/priorities/priorities.h"

namespace tracebed {

const Priority fewest_containers_priority{"fewest_containers", "nodes with the fewest containers",
                                          [](const UnitRequest&, const CandidateNode& candidate) {
                                            return score_of_part(
                                                1, std::uint64_t{1} + candidate.containers);
                                          }};

}  // namespace tracebed
