// Where an administrator's orders go to the datanodes of the run in progress.
#pragma once

#include <functional>

#include "core/datanode_orders.h"
#include "core/ids.h"
#include "core/result.h"

namespace tracebed {

class DatanodeAdministration {
 public:
  virtual ~DatanodeAdministration() = default;

  // Any thread may call it; it does not wait. `done` is called once, by any thread and possibly
  // before this returns, and must neither block nor order anything: with success when the datanode
  // has executed the order, or with the reason why it has not: no run with storage is in progress,
  // the run has no such datanode, it is not connected, it refused, or the run ended first.
  using Done = std::function<void(const Status&)>;
  virtual void order(NodeId node, const DatanodeOrder& order, Done done) = 0;
};

}  // namespace tracebed
