// The contract of job masters (YARN's application masters), one per application: each is notified
// of what happened and answers with actions. As pure as schedulers; in the virtual world and
// `unmanaged` they run inside the engine.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "core/cluster_model.h"
#include "core/decisions.h"
#include "core/ids.h"
#include "core/outcomes.h"
#include "core/preemption.h"
#include "core/resources.h"
#include "core/task_work.h"
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
  StageKind kind = StageKind::map;  // of the tasks that it is for
  bool relax_locality = true;
  bool is_master = false;  // for the container of the master itself (core/master_calls.h)
  LabelId label;
  NodeId avoided;  // a node that none of the units is to run on; invalid: none
  std::vector<PlaceCount<NodeId>> nodes;  // sorted by place
  std::vector<PlaceCount<RackId>> racks;  // sorted by place

  bool operator==(const SetAsk&) const = default;
};
// Changes the preferred counts after a grant, without sending them all again. `pending` is not
// touched: the grant itself lowered it.
struct AdjustPlaces {
  AskSlot slot = 0;
  std::vector<NodeId> fewer_nodes;  // minus one each
  std::vector<RackId> fewer_racks;

  bool operator==(const AdjustPlaces&) const = default;
};
struct CloseAsk {
  AskSlot slot = 0;

  bool operator==(const CloseAsk&) const = default;
};
struct LaunchTask {
  ContainerId container;
  TaskRef task;               // of a gang, the first task in this container
  std::uint32_t attempt = 1;  // from 1
  Locality locality = Locality::none_asked;
  TraceTime waiting_since{};  // when this attempt began to wait for a container
  TaskWork work;  // of the whole container: of a gang's piece, that of its tasks side by side
  // The process starts and holds its container, but its work (and with it work.duration) begins
  // only with ContinueTask: a reduce that was started before the last map ended.
  bool is_held = false;
  // A container of the application in which an attempt at the same task runs: this one is a
  // duplicate. Of the two, the first that succeeds counts; the other is superseded then, and ends
  // as killed even if it still succeeds. Invalid: none.
  ContainerId beside;

  bool operator==(const LaunchTask&) const = default;
};
// Allowed only in answer to gang_granted(): launches the gang's tasks, which all do the same work,
// in its containers, in their order.
struct LaunchGang {
  ContainerId first;
  GangPieces pieces;          // as they were granted
  TaskRef task;               // the first one; the others follow it
  std::uint32_t attempt = 1;  // from 1
  TraceTime waiting_since{};  // when this attempt began to wait for containers
  TaskWork work;              // of a task

  bool operator==(const LaunchGang&) const = default;
};
// heartbeat() is called at this time: `now` means as soon as this round's decisions are committed
// (not allowed from within heartbeat() itself, which must name a later time). A new one replaces
// the previous one.
struct HeartbeatAt {
  TraceTime at{};

  bool operator==(const HeartbeatAt&) const = default;
};
// Lets a held task begin its work, as soon as its process runs. At most once per task.
struct ContinueTask {
  ContainerId container;

  bool operator==(const ContinueTask&) const = default;
};
struct ReleaseContainer {
  ContainerId container;

  bool operator==(const ReleaseContainer&) const = default;
};  // not needed; no task ran in it
struct KillTask {
  ContainerId container;

  bool operator==(const KillTask&) const = default;
};
// The task keeps its progress and ends as `checkpointed`, if it obeys. Its next attempt continues
// from there, wherever it runs: the master does not manage what is kept.
struct CheckpointTask {
  ContainerId container;

  bool operator==(const CheckpointTask&) const = default;
};
struct FinishApplication {
  JobOutcome outcome = JobOutcome::succeeded;
  std::string diagnostics;  // empty on success

  bool operator==(const FinishApplication&) const = default;
};

// Starts an attempt at the application's own master in a container that was granted for it; the
// engine acts for the master meanwhile (coordinator/engine/managed_master.h).
struct LaunchMasterProcess {
  ContainerId container;
  std::uint32_t attempt = 1;
  TraceTime waiting_since{};

  bool operator==(const LaunchMasterProcess&) const = default;
};

using MasterAction = std::variant<SetAsk, AdjustPlaces, CloseAsk, LaunchTask, LaunchGang,
                                  ContinueTask, ReleaseContainer, KillTask, HeartbeatAt,
                                  FinishApplication, LaunchMasterProcess, CheckpointTask>;
using MasterActions = std::vector<MasterAction>;

// A container that the scheduler gave to one of the master's asks.
struct Grant {
  ContainerId container;
  AskSlot slot = 0;
  NodeId node;
  RackId rack;
  std::uint32_t units = 1;
  Resources resources;  // of the container; at least what was asked for

  bool operator==(const Grant&) const = default;
};

// Containers with consecutive ids, for all units of one of the master's gang asks.
struct GangGrant {
  ContainerId first;
  AskSlot slot = 0;
  std::span<const GangPiece> pieces;  // by container
  Resources unit;                     // of one unit of any of them
};

// How a container ended in which the master had launched a task, or which it held without one.
struct AttemptEnd {
  ContainerId container;
  NodeId node;
  ContainerEnd end = ContainerEnd::succeeded;
  bool node_left = false;  // the node is lost, and with it what its finished tasks left there
  std::uint32_t units = 1;
  // The part of the attempt's work that was done and kept, in millionths; 0 unless checkpointed.
  std::uint32_t progress = 0;

  bool operator==(const AttemptEnd&) const = default;
};

// How far an attempt is that was launched with TaskWork::progress_interval, while it runs: the part
// of its own work that is done, in millionths. An attempt that continues from kept progress counts
// from there, and a held one has done nothing. It is of the moment at which the fleet noted it, so
// at most an interval and the way to the master old, and never counts for what a task keeps.
struct AttemptProgress {
  ContainerId container;
  std::uint32_t progress = 0;

  bool operator==(const AttemptProgress&) const = default;
};

// All containers that LaunchGang filled ended with success, at one time.
struct GangEnd {
  ContainerId first;
  std::uint32_t containers = 0;
};

// A container in which a task of the application was launched and has not ended.
struct HeldContainer {
  ContainerId container;
  NodeId node;
  Resources resources;
  TaskRef task;  // of a gang, the first task in it
  std::uint32_t units = 1;
  TraceTime work_begun = never;  // `never`: the task was launched held, and waits
  bool is_going = false;         // it is being killed, or asked to keep its progress
};

class ApplicationMaster {
 public:
  virtual ~ApplicationMaster() = default;
  // The application was accepted.
  virtual void start(TraceTime now, MasterActions& actions) = 0;
  // A container was granted. A gang's come through gang_granted(), which by default passes them on
  // one by one, without their racks.
  virtual void granted(TraceTime now, const Grant& grant, MasterActions& actions) = 0;
  virtual void gang_granted(TraceTime now, const GangGrant& grant, MasterActions& actions);
  virtual void attempt_ended(TraceTime now, const AttemptEnd& end, MasterActions& actions) = 0;
  // Called only for masters that launch tasks with a progress interval.
  virtual void progressed(TraceTime /*now*/, const AttemptProgress& /*progress*/,
                          MasterActions& /*actions*/) {}
  // Called only for masters that answer with LaunchGang.
  virtual void gang_ended(TraceTime now, const GangEnd& end, MasterActions& actions);
  // A node left; its containers of this application were reported ended before.
  virtual void node_lost(TraceTime now, NodeId node, MasterActions& actions) = 0;
  // Called at the time that the master set with HeartbeatAt. `headroom` is what the application
  // could still be given: the cluster's free resources, less what its scheduler's limits withhold.
  // It says as well which dimensions limit at all (LimitedDimensions::of_told).
  virtual void heartbeat(TraceTime /*now*/, const Resources& /*headroom*/,
                         MasterActions& /*actions*/) {}
  // Appends the nodes that hold the task's input, each once; none if the task prefers no node.
  virtual void input_nodes(TaskRef /*task*/, std::vector<NodeId>& /*nodes*/) const {}
  // Which of its containers are marked for preemption now; called when that changes, and maybe
  // again unchanged. `held` is all that it holds, by id. Whatever is still marked at its deadline
  // is killed.
  virtual void preempted(TraceTime /*now*/, const PreemptionMessage& /*message*/,
                         std::span<const HeldContainer> /*held*/, MasterActions& /*actions*/) {}
};

}  // namespace tracebed
