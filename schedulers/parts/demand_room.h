// How many units of one demand the nodes have room for, kept up to date node by node, so that
// something that waits for room need not look at all nodes again at each change.
#pragma once

#include <cstdint>
#include <vector>

#include "schedulers/parts/free_table.h"

namespace tracebed {

class DemandRoom {
 public:
  // Counts for `demand` from now on; looks at every node once.
  void watch(const FreeTable& free, const Resources& demand);
  void stop() { is_watching_ = false; }
  bool is_watching() const { return is_watching_; }

  // The node's free resources changed. Does nothing while not watching.
  void update(const FreeTable& free, NodeId node);

  // Units that fit on all nodes together.
  std::int64_t units() const { return units_; }

 private:
  Resources demand_;
  std::vector<std::int64_t> units_on_;  // by node
  std::int64_t units_ = 0;
  bool is_watching_ = false;
};

}  // namespace tracebed
