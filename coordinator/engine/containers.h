// The life of containers: they are allocated, launched, ordered to begin, to keep their progress or
// to end, and they end. Only this part makes commands for the fleet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "coordinator/engine/application_state.h"
#include "coordinator/engine/container_state.h"
#include "coordinator/engine/job_outputs.h"
#include "coordinator/engine/ledger.h"
#include "coordinator/engine/map_outputs.h"
#include "coordinator/engine/preemptions.h"
#include "coordinator/engine/run_records.h"
#include "coordinator/engine/step_context.h"
#include "core/application_master.h"
#include "core/fleet.h"

namespace tracebed {

// How a container ended, as the fleet or the engine knows it.
struct EndOfContainer {
  ContainerEnd end = ContainerEnd::succeeded;
  ContainerAccount account;
  bool node_left = false;  // with it
};

class Containers {
 public:
  // All outlive this. `states` is the table that this part fills. `transfer_weights` is the
  // resource by which the transfers of tasks have weights, if they have any.
  Containers(Ledger& ledger, ContainerStates& states, ApplicationStates& applications,
             Preemptions& preemptions, RunRecords& records, JobOutputs& outputs,
             MapOutputs& map_outputs, std::optional<std::size_t> transfer_weights,
             StepContext& context)
      : ledger_(ledger),
        states_(states),
        applications_(applications),
        preemptions_(preemptions),
        records_(records),
        outputs_(outputs),
        map_outputs_(map_outputs),
        transfer_weights_(transfer_weights),
        context_(context) {}

  // For an open ask of the application, on nodes that have room: one container for each piece, with
  // consecutive ids. Returns the first.
  ContainerId allocate(AskId ask, std::span<const GangPiece> pieces, ApplicationState& application);

  // Starts in the application's containers what its master requested. A duplicate of an attempt
  // (LaunchTask::beside) that has ended meanwhile runs alone, and in vain if its task has
  // succeeded.
  void launch(ApplicationId id, ApplicationState& application, const LaunchTask& action);
  void launch(ApplicationId id, ApplicationState& application, LaunchGang&& action);
  // Starts an attempt at the application's master. Containers that an earlier one left behind are
  // being killed, and count for no task.
  void launch_master(ApplicationId id, ApplicationState& application,
                     const LaunchMasterProcess& action);
  // Its process has made its first call.
  void master_registered(ContainerId id) { states_[id].work_begun = context_.now(); }
  // Starts the work of a held task.
  void let_begin(ContainerId id);
  void checkpoint(ContainerId id);
  // Given back before anything was launched in it.
  void release(ContainerId id);
  // Releases it if nothing was launched in it; else it is being killed until its end is reported.
  void kill(ContainerId id);
  // Kills a container that is marked for preemption; ignored for any other.
  void preempt_by_force(ContainerId id);

  // The container ended: records it, settles its preemption request, frees its resources and
  // notifies its application's master, which appends to `actions`. Returns the application whose
  // actions these are; invalid if there are none.
  ApplicationId end(ContainerId id, const EndOfContainer& how, MasterActions& actions);
  // Likewise for all containers of a gang. If the gang did not remain whole until its end, they are
  // ended one by one, through `end_one`.
  ApplicationId end_gang(const GangEnded& ended, MasterActions& actions,
                         const std::function<void(ContainerId, const EndOfContainer&)>& end_one);

  // Once a node that is withheld holds no container, the output of its finished tasks is lost, as
  // on one that left: notes such a node in the context.
  void note_if_drained(NodeId id);

  // True if nothing lives except masters and held tasks.
  bool only_wait() const {
    return ledger_.model().containers.size() == masters_alive_ + held_.size();
  }
  bool only_masters() const { return ledger_.model().containers.size() == masters_alive_; }

 private:
  // The end that a master is notified of: `end`, or its equivalent.
  ContainerEnd reported_end(ContainerId id, ContainerEnd end) const;
  // Before it counts as started.
  void run_beside(ContainerId id, ContainerId other, const ApplicationState& application);
  // The attempt ends, and what runs beside it is alone, or superseded.
  void leave_twin(const ContainerState& state, ContainerEnd end, ApplicationState* application);
  void settle_preemption(ContainerId id, const Container& container, ContainerEnd end);
  void keep_progress(ApplicationState& application, const ContainerState& state, ContainerEnd end,
                     std::uint32_t progress);
  void push_finished(ContainerId id, const Container& container, ContainerEnd end);
  // What a task's transfers in the container weigh, whatever a master says.
  std::uint32_t transfer_weight_of(const Container& container) const;
  void orphan_others(ApplicationId id, ContainerId own);
  const Immutable<std::vector<Node>>& known_nodes();

  Ledger& ledger_;
  ContainerStates& states_;
  ApplicationStates& applications_;
  Preemptions& preemptions_;
  RunRecords& records_;
  JobOutputs& outputs_;
  MapOutputs& map_outputs_;
  const std::optional<std::size_t> transfer_weights_;
  StepContext& context_;
  std::size_t masters_alive_ = 0;             // containers
  std::set<ContainerId> held_;                // whose tasks are held
  Immutable<std::vector<Node>> known_nodes_;  // as last reported to masters
};

}  // namespace tracebed
