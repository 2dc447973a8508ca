// CheckNodeMemoryPressure and CheckNodeDiskPressure, where the kubelet's thresholds are parts of
// what the last heartbeat measured: of the node's memory, and of the time in which some task waited
// for I/O. That of a node that does not measure it is no pressure.
#include "schedulers/weighted/predicates/predicates.h"

namespace tracebed {

const Predicate not_under_pressure_predicate{
    .name = "not_under_pressure",
    .meaning =
        "uses less than memory_pressure of its memory, and waits less than io_pressure of "
        "the time for I/O",
    .holds =
        [](const UnitRequest& request, const CandidateNode& candidate) {
          const NodeReport& report = candidate.report;
          const auto memory = static_cast<double>(candidate.node.capacity.memory_mib());
          return static_cast<double>(report.used.memory_mib()) <
                     request.conditions.memory_pressure * memory &&
                 report.io_pressure < request.conditions.io_pressure;
        },
    .reads_reports = true};

}  // namespace tracebed
