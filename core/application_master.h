// The contract of job masters (YARN's application masters), one per application: told what
// happened, they answer with actions. As pure as schedulers; in the virtual world and `unmanaged`
// they live inside the engine.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "core/cluster_model.h"
#include "core/ids.h"
#include "core/outcomes.h"
#include "core/resources.h"
#include "core/time.h"
#include "core/workload.h"

namespace tracebed {

// A master numbers its own asks from 0; the engine maps them to AskIds.
using AskSlot = std::uint32_t;

// Opens an ask, or replaces all of its figures.
struct SetAsk {
  AskSlot slot = 0;
  std::int32_t priority = 0;
  Resources demand;
  std::uint32_t pending = 0;
  bool gang = false;
  bool relax_locality = true;
  LabelId label;
  std::vector<PlaceCount<NodeId>> nodes;  // sorted by place
  std::vector<PlaceCount<RackId>> racks;  // sorted by place
};
// Changes the preferred counts after a grant, without sending them all again. `pending` is not
// touched: the grant itself lowered it.
struct AdjustPlaces {
  AskSlot slot = 0;
  std::vector<NodeId> fewer_nodes;  // minus one each
  std::vector<RackId> fewer_racks;
};
struct CloseAsk {
  AskSlot slot = 0;
};
struct LaunchTask {
  ContainerId container;
  TaskRef task;               // of a gang, the first of the tasks in this container
  std::uint32_t attempt = 1;  // from 1
  Locality locality = Locality::none_asked;
  TraceTime waiting_since{};  // when this attempt began to wait for a container
  Work work;  // of the whole container: of a gang's piece, cpu_time and memory summed
  // The process starts and holds its container, but its work (and with it work.duration) begins
  // only with ContinueTask: a reduce that was started before the last map ended.
  bool is_held = false;
};
// heartbeat() is called at this time: `now` means as soon as this round's decisions are committed
// (not allowed from within heartbeat() itself, which must name a later time). A new one replaces
// the one before.
struct HeartbeatAt {
  TraceTime at{};
};
// Lets a held task begin its work, as soon as its process runs. Once for a task.
struct ContinueTask {
  ContainerId container;
};
struct ReleaseContainer {
  ContainerId container;
};  // not needed; no task ran in it
struct KillTask {
  ContainerId container;
};
struct FinishApplication {
  JobOutcome outcome = JobOutcome::succeeded;
  std::string diagnostics;  // empty on success
};

using MasterAction = std::variant<SetAsk, AdjustPlaces, CloseAsk, LaunchTask, ContinueTask,
                                  ReleaseContainer, KillTask, HeartbeatAt, FinishApplication>;
using MasterActions = std::vector<MasterAction>;

// A container that the scheduler gave to one of the master's asks.
struct Grant {
  ContainerId container;
  AskSlot slot = 0;
  NodeId node;
  RackId rack;
  std::uint32_t units = 1;
};

// How a container ended in which the master had launched a task.
struct AttemptEnd {
  ContainerId container;
  NodeId node;
  ContainerEnd end = ContainerEnd::succeeded;
  bool node_left = false;  // the node is gone, and with it what its finished tasks left there
};

class ApplicationMaster {
 public:
  virtual ~ApplicationMaster() = default;
  // The application was accepted.
  virtual void start(TraceTime now, MasterActions& actions) = 0;
  virtual void granted(TraceTime now, const Grant& grant, MasterActions& actions) = 0;
  virtual void attempt_ended(TraceTime now, const AttemptEnd& end, MasterActions& actions) = 0;
  // A node left; its containers of this application were reported ended before.
  virtual void node_lost(TraceTime now, NodeId node, MasterActions& actions) = 0;
  // At the time the master asked for with HeartbeatAt. `headroom` is what the application could
  // still be given: the cluster's free resources, less what its scheduler's limits keep from it.
  virtual void heartbeat(TraceTime /*now*/, const Resources& /*headroom*/,
                         MasterActions& /*actions*/) {}
};

}  // namespace tracebed
