// Where the tasks of a stage prefer to run, as nodes of the run.
#pragma once

#include <cstdint>
#include <vector>

#include "applications/hdfs/block_placement.h"
#include "core/ids.h"

namespace tracebed {

struct StagePlaces {
  // Of the tasks' input, as PendingMaps takes them.
  std::vector<Replica> replicas;
  std::uint32_t replication = 0;  // entries for each task
  // The only nodes that the tasks may run on, ascending; ignored unless is_confined.
  bool is_confined = false;
  std::vector<NodeId> allowed;
};

}  // namespace tracebed
