// 10 - 10 / (1 + containers on the node).
#include "schedulers/weighted/priorities/priorities.h"

namespace tracebed {

const Priority most_containers_priority{
    "most_containers", "nodes with the most containers",
    [](const UnitRequest&, const CandidateNode& candidate) {
      return score_max - score_of_part(1, std::uint64_t{1} + candidate.containers);
    }};

}  // namespace tracebed
