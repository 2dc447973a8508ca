// Which node's heartbeat is next where each comes later than its period says, by a time of its own
// that is less than a period: a function of the node and the turn, so that it is the same whether
// or not others are waited for. The marked nodes are kept in the order of their next heartbeats.
#pragma once

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "coordinator/virtual/latency_model.h"
#include "core/ids.h"
#include "core/time.h"

namespace tracebed {

struct HeartbeatJitter {
  LatencySpread delay;
  std::uint64_t seed = 1;
};

class LateHeartbeats {
 public:
  // Nodes are positions in `phases`, which are less than the period.
  LateHeartbeats(std::vector<Duration> phases, Duration period, const HeartbeatJitter& jitter);

  // As of HeartbeatWheel.
  void mark(NodeId node, bool matters);
  bool is_marked(NodeId node) const { return nodes_[node.index()].is_marked; }
  TraceTime next_time(TraceTime now);
  NodeId take();

 private:
  struct Node {
    Duration phase{};
    std::int64_t turn = 0;  // of its next heartbeat, if it is marked
    std::int64_t taken = -1;
    bool is_marked = false;
    TraceTime next{};
  };

  TraceTime time_of(NodeId node, std::int64_t turn) const;
  // Its next heartbeat is the first that was not taken and is not before `now_`.
  void find_next(NodeId node);
  void advance_first();

  std::vector<Node> nodes_;
  Duration period_;
  std::uint64_t seed_;
  LatencyModel delay_;
  std::set<std::pair<TraceTime, NodeId>> order_;
  TraceTime now_{};  // that was asked for last
};

}  // namespace tracebed
