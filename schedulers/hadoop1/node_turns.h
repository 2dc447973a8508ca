// In which order nodes that sent heartbeats are given tasks. By itself a JobTracker serves each
// node as it reports. M. Yong, N. Garegrat, S. Mohan, Towards a Resource Aware Scheduler in Hadoop,
// 2009, "free slot priorities": heartbeats are gathered for a while, and then the nodes are served
// in the order of their load.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <vector>

#include "core/scheduler.h"
#include "core/settings.h"
#include "schedulers/parts/free_table.h"

namespace tracebed {

struct TurnOrder {
  enum class By : std::uint8_t { arrival, least_loaded, most_loaded };
  By by = By::arrival;
  Duration gather{};  // from the first heartbeat on; not by arrival
};

class NodeTurns {
 public:
  explicit NodeTurns(const TurnOrder& order) : order_(order) {}

  // To be called once in every decide(), after free.follow(). The nodes to serve now, in order, of
  // those that are alive. By load, heartbeats that bring nothing new are not waited for again: on
  // ideal machines each wake-up has some. Valid until the next call.
  std::span<const NodeId> follow(const SchedulerInput& input, const FreeTable& free);
  // Last of all in decide(): asks for a wake-up when gathered nodes are to be served, unless the
  // scheduler asks for an earlier one, which is asked for again afterwards.
  void wake(TraceTime now, Decisions& decisions);
  // Of a scheduler whose interest is otherwise this.
  HeartbeatInterest interest(HeartbeatInterest interest) const;

 private:
  struct Served {
    std::uint64_t changes = 0;
    std::int64_t unloaded = 0;  // what its load left of it
  };
  // Whether a heartbeat of the node may change what it is given.
  bool has_news(const Node& node, const FreeTable& free) const;
  void serve_gathered(const SchedulerInput& input, const FreeTable& free);

  TurnOrder order_;
  std::set<NodeId> gathered_;
  // How often something else than heartbeats has happened, or something was given.
  std::uint64_t changes_ = 1;
  std::vector<Served> served_;  // by node: when it was served last
  TraceTime serve_at_ = never;
  TraceTime others_wake_at_ = never;  // what the scheduler asked for
  TraceTime wake_at_ = never;         // what was asked for last
  std::vector<NodeId> turns_;
};

}  // namespace tracebed
