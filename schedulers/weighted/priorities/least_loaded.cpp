// 10 × what the measured load leaves of the node, of its vcores or of its memory, of whichever it
// is less (measured_load.h): as load-aware plugins of later versions of Kubernetes score
// (Trimaran's LoadVariationRiskBalancing and TargetLoadPacking), of the last heartbeat alone.
#include "schedulers/parts/measured_load.h"
#include "schedulers/weighted/priorities/priorities.h"

namespace tracebed {

const Priority least_loaded_priority{
    .name = "least_loaded",
    .meaning = "nodes of which the least is measured as used",
    .score =
        [](const UnitRequest&, const CandidateNode& candidate) {
          return score_of_part(
              static_cast<std::uint64_t>(unloaded_part(candidate.node, candidate.free)),
              unloaded_whole);
        },
    .reads_reports = true};

}  // namespace tracebed
