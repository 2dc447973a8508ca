// The relocate policy: which running tasks would be better off on another node, which has room for
// them now. It only chooses; the engine sends the requests to their masters (core/preemption.h,
// purpose relocate).
//
// For each task the first of these that applies, among those that are switched on:
//   io        its node is I/O-hot and another is calm: the calmest of them;
//   locality  its input is not on its node, and a node that has it has room: the first of them;
//   speed     another node's CPUs are faster by a factor: the fastest of them.
// Among equals the lower id. A node that is I/O-hot is never chosen if `io` is on.
//
// A task that has just begun is not moved, nor is one that was chosen before, whatever the outcome:
// its new node was the better place then, and moving is costly. A gang is not moved: its remaining
// tasks could do nothing.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <utility>
#include <vector>

#include "coordinator/engine/container_state.h"
#include "core/cluster_model.h"
#include "core/ids.h"
#include "core/time.h"
#include "core/workload.h"

namespace tracebed {

// Durations are trace time; parts are in thousandths.
struct RelocationOptions {
  bool for_locality = false;
  bool for_speed = false;
  bool for_io = false;
  Duration interval = seconds(30);  // between two checks
  Duration settled = seconds(30);   // a task that began its work less than this ago is not moved
  Duration grace = seconds(60);     // for the master's answer; then it is dropped, or forced
  bool is_forced = false;
  std::uint32_t at_once = 4;         // tasks that were requested and have not ended yet
  std::uint32_t speed_gain = 1'250;  // minimum speed of a faster node, relative to its own
  std::int32_t io_hot = 400;         // minimum share of time that tasks of a hot node wait for I/O
  std::int32_t io_calm = 100;        // maximum of a calm one
};

struct Relocation {
  ContainerId container;
  NodeId destination;
  const char* reason = "";  // for people
};

class RelocationPolicy {
 public:
  // Appends the nodes that hold the task's input.
  using InputNodes = std::function<void(ApplicationId, TaskRef, std::vector<NodeId>&)>;
  using IsMarked = std::function<bool(ContainerId)>;

  explicit RelocationPolicy(const RelocationOptions& options) : options_(options) {}

  const RelocationOptions& options() const { return options_; }
  // Tasks to be relocated now, by container, at most `most`. Those that are marked for preemption
  // already are ignored.
  std::vector<Relocation> choose(TraceTime now, const ClusterModel& cluster,
                                 const ContainerStates& states, const InputNodes& input_nodes,
                                 const IsMarked& is_marked, std::uint32_t most);
  // True if the node has room for the task's container.
  static bool has_room(const ClusterModel& cluster, NodeId destination, const Resources& needed);

 private:
  using Task = std::pair<ApplicationId, TaskRef>;
  struct Look;

  bool may_go(TraceTime now, const ClusterModel& cluster, const Container& container,
              const ContainerState& state) const;
  NodeId better_place(Look& look, const Container& container, const ContainerState& state,
                      const char*& reason) const;
  NodeId calmer_node(const Look& look, const Container& container) const;
  NodeId node_with_input(Look& look, const Container& container, TaskRef task) const;
  NodeId faster_node(const Look& look, const Container& container) const;
  bool is_hot(const Node& node) const {
    return options_.for_io && node.report.io_pressure >= options_.io_hot;
  }

  RelocationOptions options_;
  std::set<Task> relocated_;
};

}  // namespace tracebed
