// Which node's heartbeat is next. Every node beats once a period at a phase of its own; the wheel
// turns over the nodes in phase order and stops only at those that are marked as mattering. With
// jitter it has LateHeartbeats instead.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "coordinator/virtual/late_heartbeats.h"
#include "core/ids.h"
#include "core/random.h"
#include "core/time.h"

namespace tracebed {

class HeartbeatWheel {
 public:
  // Phases are drawn from `random`, one per node. The period must be positive.
  HeartbeatWheel(std::size_t nodes, Duration period, Random random,
                 const HeartbeatJitter& jitter = {});

  // Whether the wheel stops at the node's beats.
  void mark(NodeId node, bool matters);
  bool is_marked(NodeId node) const;

  // The time of the next beat of a marked node, at or after `now` and after the last one taken;
  // `never` if no node is marked.
  TraceTime next_time(TraceTime now);
  // Takes the beat that next_time(now) found; the node remains marked.
  NodeId take();

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  std::size_t next_marked(std::size_t from) const;

  Duration period_;
  std::optional<LateHeartbeats> late_;
  std::vector<Duration> phase_;       // by slot, ascending
  std::vector<NodeId> node_of_;       // by slot
  std::vector<std::size_t> slot_of_;  // by node
  std::vector<std::uint64_t> marks_;  // one bit a slot
  std::size_t marked_count_ = 0;
  // No beat before slot `slot_` of turn `turn_` is still to come.
  std::int64_t turn_ = 0;
  std::size_t slot_ = 0;
  // The beat that next_time() found.
  std::int64_t found_turn_ = 0;
  std::size_t found_slot_ = 0;
};

}  // namespace tracebed
