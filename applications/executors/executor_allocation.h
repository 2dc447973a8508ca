// How many executors a job with dynamic allocation wants, and near what (Spark 2.1,
// org.apache.spark.ExecutorAllocationManager; on YARN,
// LocalityPreferredContainerPlacementStrategy).
//
// It begins with none. While tasks have waited for the backlog time it wants one more, after each
// further such time twice as many more as before, up to one for each task that waits or runs. It
// wants no more than that from the moment in which fewer tasks are left; executors go when they
// have been idle for a time.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "core/cluster_model.h"
#include "core/ids.h"
#include "core/time.h"

namespace tracebed {

struct AllocationOptions {
  bool is_dynamic = false;
  // spark.dynamicAllocation.schedulerBacklogTimeout, sustainedSchedulerBacklogTimeout.
  Duration backlog = seconds(1);
  Duration idle = seconds(60);  // executorIdleTimeout; those with input in memory stay
};

class ExecutorAllocation {
 public:
  ExecutorAllocation(const AllocationOptions& options, std::uint32_t most)
      : options_(options), most_(most) {}

  // How many the job wants now (updateAndSyncNumExecutorsTarget). `pending` and `running` are tasks
  // of stages that may run; `placed` are executors that it has.
  std::uint32_t update(TraceTime now, std::uint32_t pending, std::uint32_t running,
                       std::uint32_t placed);
  // When it may want more; `never` while no task waits.
  TraceTime next() const { return add_at_; }

 private:
  void add(std::uint32_t needed, std::uint32_t placed);

  AllocationOptions options_;
  std::uint32_t most_;
  std::uint32_t target_ = 0;
  std::uint32_t to_add_ = 1;
  TraceTime add_at_ = never;
};

// Of stages that may run: how many of their tasks have input on a node, by node.
struct LocalTasks {
  struct OnNode {
    RackId rack;
    std::uint32_t tasks = 0;
  };
  std::uint32_t tasks = 0;  // that have input anywhere
  std::map<NodeId, OnNode> nodes;

  void add(const LocalTasks& other);
};

// What an ask for executors prefers: of each place, how many of them may be there.
struct WantedPlaces {
  std::vector<PlaceCount<NodeId>> nodes;  // ascending
  std::vector<PlaceCount<RackId>> racks;  // likewise
};
// Of `wanted` executors, where `placed` says how many there are on a node. Nodes share the
// executors that local tasks call for by how many of these tasks they have; what a node has already
// is subtracted. The rest of the executors prefer no place.
WantedPlaces wanted_places(std::uint32_t wanted, const LocalTasks& local,
                           const std::map<NodeId, std::uint32_t>& placed);

}  // namespace tracebed
