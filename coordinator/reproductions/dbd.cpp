// H. Du, Z. Lei and S. Chen: where the executors of a Spark job are placed decides how much of its
// input is on the nodes that read it. Ten machines on one switch, a file of twenty blocks of 128 MB
// with three replicas, eight executors, placed by Spread, Binpack and data block density.
//
// The paper does not state how many executors a machine holds, from where the file was written, how
// many racks its placement rule assumed, how long tasks waited for a near executor, nor what they
// computed; there is an experiment for each combination of these. What tasks compute is in parts of
// the cost table (traces/parts/job_kinds.h), whose figures are those of MapReduce: a core gets
// through 1 MB/s. KMeans and PageRank read their file once, and iterate on the blocks that
// executors keep in memory.
#include "coordinator/reproductions/dbd_experiments.h"
#include "coordinator/reproductions/papers.h"

namespace tracebed {

Reproduction dbd_reproduction() {
  return {
      .name = "dbd",
      .paper =
          "H. Du, Z. Lei and S. Chen: Data Block Density Scheduling Strategy Based on HDFS in "
          "Shared Cluster",
      .summary =
          "A Spark job of twenty blocks on eight executors, which Spread, Binpack, Random and "
          "data block density in three readings place on ten machines: how many tasks run "
          "where their block is, and how long the job takes; and forty of them at once, under "
          "three architectures of schedulers.",
      .settings = dbd::settings(),
      .plan = dbd::plan,
      .tables = dbd::tables,
      .real_part = RealPart{
          .repetitions = 3,
          .summary = "TeraSort and WordCount under Spread, Binpack and data block density in two "
                     "readings, on ten agents with datanodes: 24 runs.",
          .plan = dbd::real_plan,
          .tables = dbd::real_tables}};
}

}  // namespace tracebed
