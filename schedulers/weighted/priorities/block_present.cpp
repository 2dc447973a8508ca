// As ImageLocalityPriority does with images: 10 × the part of the input's blocks that the node
// holds; 0 for an application without input.
#include "schedulers/weighted/priorities/priorities.h"

namespace tracebed {

const Priority block_present_priority{
    "block_present", "nodes that hold the most blocks of the application's input",
    [](const UnitRequest& request, const CandidateNode& candidate) {
      if (request.input == nullptr || request.input->blocks == 0) return Score{0};
      return score_of_part(request.input->on(candidate.node.id), request.input->blocks);
    },
    true};

}  // namespace tracebed
