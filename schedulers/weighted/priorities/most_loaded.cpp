// 10 × the loaded part of the node, as in least_loaded.
#include "schedulers/weighted/priorities/priorities.h"

namespace tracebed {

const Priority most_loaded_priority{
    .name = "most_loaded",
    .meaning = "nodes of which the most is measured as used",
    .score =
        [](const UnitRequest& request, const CandidateNode& candidate) {
          return score_max - least_loaded_priority.score(request, candidate);
        },
    .reads_reports = true};

}  // namespace tracebed
