// BalancedResourceAllocation: 10 - 10 × |used share of vcores - used share of memory|, with the
// unit. (Kubernetes 1.5 gives 0 to a node that would be full in one of them; here that does not
// count.)
#include "schedulers/weighted/priorities/priorities.h"

namespace tracebed {

const Priority balanced_allocation_priority{
    "balanced_allocation", "nodes of which vcores and memory are used alike with the unit",
    [](const UnitRequest& request, const CandidateNode& candidate) {
      const Resources used = candidate.node.capacity - candidate.free + request.ask.demand;
      const auto share = [&](std::size_t dimension) {
        return used_share(used[dimension], candidate.node.capacity[dimension]);
      };
      const std::uint64_t vcores = share(Resources::vcores_dimension);
      const std::uint64_t memory = share(Resources::memory_dimension);
      return score_of_unused(vcores > memory ? vcores - memory : memory - vcores, 1);
    }};

}  // namespace tracebed
