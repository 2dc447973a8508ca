// X. Ma and J. Hong, 2012: MFS, a scheduler that gives tasks what they demand of several resources,
// beside Hadoop 0.20.2's Fair and Capacity, which give slots. Twenty nodes of 16 cores and 16 GB;
// 80 small jobs, 40 large ones, or 40 small ones of one user and 20 large ones of another, all
// submitted at once; vcores and memory drawn for each job; 13 to 17 slots on each node.
//
// Slots do not know what tasks demand. Tasks of the slot schedulers ask for nothing, therefore, and
// use what their jobs demand, which may be more than a machine has: what that costs is the machine
// model's (coordinator/virtual/core_shares.h). Under MFS the same tasks ask for what they use.
//
// The paper's figures have no numbers that could be read; its text states which scheduler is ahead
// of which. Open are whether tasks really compute on as many cores as they demand, whose the jobs
// are, what slots are for, what tasks cost, and the threshold of MFS.
#include "coordinator/reproductions/mfs_experiments.h"
#include "coordinator/reproductions/papers.h"

namespace tracebed {

Reproduction mfs_reproduction() {
  return {
      .name = "mfs",
      .paper =
          "X. Ma and J. Hong: A Multi-resource Fair Scheduler of Hadoop, Journal of Integration "
          "Technology, 2012",
      .summary =
          "Small, large and mixed MapReduce jobs with demands of their own under MFS, and under "
          "Hadoop 1's Fair and Capacity with 13 to 17 slots on each node.",
      .settings = ma2012::settings(),
      .plan = ma2012::plan,
      .tables = ma2012::tables,
      .real_part = RealPart{
          .repetitions = 1,
          .summary =
              "The small jobs under MFS, and under Fair and Capacity with 13 to 17 slots, on "
              "four agents that share CPU time by weight: 22 runs.",
          .without = {"swap_cost"},
          .plan = ma2012::real_plan,
          .tables = ma2012::real_tables}};
}

}  // namespace tracebed
