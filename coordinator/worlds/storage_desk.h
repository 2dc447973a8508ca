// What a world of real machines has for a run with storage: where clients' calls and
// administrators' orders wait for the run, and when its namenode may be looked at.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "coordinator/real/datanode_order_queue.h"
#include "coordinator/real/real_fleet.h"
#include "coordinator/real/storage_gate.h"
#include "coordinator/worlds/run_world.h"

namespace tracebed {

// A run's part in the gate: it is open from serve() until this ends. The thread of the run makes
// all calls.
class ServedNamenode {
 public:
  // Both outlive this, as does the clock, which is the fleet's.
  ServedNamenode(StorageGate& gate, std::string pool, const ReplayClock& clock);
  ~ServedNamenode() { close("the run has ended"); }
  ServedNamenode(const ServedNamenode&) = delete;
  ServedNamenode& operator=(const ServedNamenode&) = delete;

  // Lets clients in. The namenode outlives close().
  void serve(const Namenode& namenode);
  // Calls that are not answered fail. Only the first call has an effect.
  void close(const std::string& reason);

 private:
  StorageGate& gate_;
  std::string pool_;
  const ReplayClock& clock_;
  bool is_open_ = false;
};

// What [storage] asks of the fleet's datanodes.
RealStorage real_storage(const WorldPlan& plan, StorageGate& gate, DatanodeOrderQueue& orders,
                         std::string namenode);

// What datanodes sent to tasks, by their counts; nothing if one has not stated its last ones, or
// was started again.
std::optional<ReadBytes> served_bytes_of(const RealFleet& fleet);

}  // namespace tracebed
