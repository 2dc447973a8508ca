// H. Lian and Y. Liu, 2020: how large a part of a queue application masters may take decides how
// long a group of MapReduce jobs takes, and a control loop finds it. Five machines, one of them the
// master; four groups of thirty jobs, all submitted together; Capacity's
// maximum-am-resource-percent and Fair's maxAMShare, at their defaults, at each of eleven values,
// and under the paper's controller and its predecessors.
//
// The paper does not state the machines, the costs of the jobs or the order of the mixed group:
// memory of 8 GiB and four cores are assumed, costs are those of the cost table
// (traces/parts/job_kinds.h), and the kinds take turns. Application masters of 1536 MB take two
// units of 1024 MB, tasks one. Containers compute on idle cores beyond their vcores, as they do in
// YARN unless strict-resource-usage is set. Disks and links are not modelled: what a task waits for
// its disk is in its costs.
#include "coordinator/reproductions/lian_experiments.h"
#include "coordinator/reproductions/papers.h"

namespace tracebed {

Reproduction lian_reproduction() {
  return {.name = "lian",
          .paper =
              "H. Lian and Y. Liu: Number Adjustment Method of MapReduce Jobs Based on YARN "
              "Resource Scheduler, Computer Systems & Applications 29(3), 2020",
          .summary =
              "Thirty MapReduce jobs of each of four groups under Capacity and Fair, with every "
              "value of the parameter that limits application masters, with the paper's controller "
              "and with its predecessors.",
          .settings = lian::settings(),
          .plan = lian::plan,
          .tables = lian::tables,
          .real_part = RealPart{
              .repetitions = 1,
              .summary = "The default, the best fixed value and the paper's controller with a "
                         "period of 15 s, under each scheduler in each group: 24 runs on four "
                         "agents.",
              .without = {"gap_ms", "master_startup_ms"},
              .plan = lian::real_plan,
              .tables = lian::real_tables}};
}

}  // namespace tracebed
