// The engine: a deterministic state machine that turns rounds of arrivals into commands. It holds
// the cluster, the job masters and the scheduler; it owns no socket, clock, file or thread. The
// same rounds give the same commands and the same digest.
//
// It is made of parts, each of which depends only on those before it:
//   ledger            the cluster model, changed by verbs
//   asks              what applications request
//   preemptions       containers marked for preemption
//   records           what the run records
//   containers        their life, and the commands that it takes
//   executor          carries out masters' actions
//   masters           serves masters that run in containers
//   committer         commits the scheduler's decisions
//   storage           the namenode, if the run has one, and what is asked of it
//   relocations, administration, refreshes
//                     what else marks containers, changes nodes or reconfigures
// The step context is what the parts share during a step. The engine itself calls the scheduler and
// the masters in their turn.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "coordinator/engine/administration.h"
#include "coordinator/engine/application_master_service.h"
#include "coordinator/engine/decision_committer.h"
#include "coordinator/engine/decision_meter.h"
#include "coordinator/engine/master_factory.h"
#include "coordinator/engine/namenode_service.h"
#include "coordinator/engine/relocations.h"
#include "coordinator/engine/scheduler_refreshes.h"

namespace tracebed {

struct EngineSetup {
  std::unique_ptr<Scheduler> scheduler;
  MasterFactory make_master;
  // What the container of a job's master takes if masters do not run in containers of the engine's
  // (a scenario's master requests its own); none, or null: the master needs none.
  std::function<std::optional<Resources>(const Job&)> master_demand;
  // Set: masters run in containers, and make_master is called by the host of those containers.
  std::optional<MasterContainerOptions> master_containers;
  std::optional<RelocationOptions> relocation;  // set: tasks are moved to better places
  ConfigurationReader read_configuration;       // null: every refresh is refused
  std::optional<NamenodeOptions> storage;       // set: the run has an HDFS of its own
  // Used without storage, for a scheduler that reads input blocks; null: no job has any.
  InputLocator locate_input = nullptr;
  // Recompute all derived state after each round that may have changed it, not only when the run
  // ends.
  bool paranoid = false;
  // Every dimension of a node limits what is placed there, under a scheduler that does not count
  // vcores, too (Scheduler::limited_dimensions).
  bool limit_vcores = false;
  DeviceSizes devices = {};        // which resources are devices
  DecisionMeter* meter = nullptr;  // may be null; outlives the engine
  // For a scheduler that leaves decisions to threads; likewise. Without them there is no such run.
  DecisionThreads* decision_threads = nullptr;
};

// What a scenario sets up for an application without rounds; see Engine::stage.
struct StagedContainer {
  AskSlot slot = 0;
  NodeId node;
  std::uint32_t units = 1;  // more than one only of a gang
};
struct StagedActions {
  ApplicationId application;
  std::span<const MasterAction> actions;
  std::span<const StagedContainer> containers;
};

class Engine {
 public:
  // `records` outlives the engine.
  Engine(EngineSetup setup, RecordSink& records);
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // Takes a round, whose time is not before the previous one's, and appends the resulting commands.
  // Jobs' stages are moved out of the round.
  void step(Round& round, std::vector<Command>& commands);

  // For scenarios that run step by step (coordinator/scenario): performs actions as if the
  // application's master had taken them, then places containers that are running already. The
  // scheduler does not decide those, it is notified of them (ContainerRecovered); their asks'
  // counts are not reduced by them. Ends as a step does. Fails, having done what precedes, for an
  // application that is not accepted or has ended, and for a container that has no ask or no room.
  Status stage(TraceTime now, const StagedActions& staged, std::vector<Command>& commands);
  // Likewise: the scheduler performs now what it does at intervals (Scheduler::request_update).
  void stage_update(TraceTime now, std::vector<Command>& commands);

  // When the scheduler, a master or a timeout is due: the fleet must not wait longer.
  TraceTime next_deadline() const {
    return std::min({committer_.wake_at(), relocations_.next_look(), executor_.next_heartbeat(),
                     timeouts_.next_time(), preemptions_.next_deadline(), storage_.next_due()});
  }
  // The scheduler's, and whether the last round changed the cluster.
  HeartbeatInterest heartbeat_interest() const;

  // True if no job is open and no container lives.
  bool is_idle() const;
  // True if jobs are open but nothing runs except masters and held tasks: only a heartbeat, a
  // wake-up or a new machine lets them continue.
  bool is_waiting() const { return applications_.size() > 0 && containers_.only_wait(); }
  // How long an open job may have no events although it will continue: until the longest delay of a
  // stage is over, and a silent master has expired. Takes time in proportion to the open jobs.
  Duration silence_max() const;
  // The next wake-up that the scheduler requested; `never` if there is none.
  TraceTime scheduler_wakes_at() const { return committer_.wake_at(); }
  // True if preemption keeps the run from ever completing anything.
  bool is_livelocked() const { return records_.is_livelocked(); }
  // Why the run was cancelled, if it was.
  std::optional<CancelReason> cancellation() const { return cancellation_; }

  // Of the last round.
  TraceTime now() const { return context_.now(); }
  const ClusterModel& cluster() const { return ledger_.model(); }
  // The engine's own state of a container of the model.
  const ContainerState& container_state(ContainerId id) const { return states_[id]; }
  // Likewise of an application.
  const ApplicationState& application_state(ApplicationId id) const { return applications_[id]; }
  const PreemptionLedger& preemptions() const { return preemptions_.ledger(); }
  // The namenode of a run with storage, between rounds; else null.
  const Namenode* namenode() const { return storage_.namenode(); }
  // Why preloaded files could not be stored, as sentences that name them.
  const std::vector<std::string>& refused_files() const { return storage_.refused_files(); }
  // True if the scheduler has accepted the application, which is open.
  bool is_accepted(ApplicationId application) const;
  // For its reports about itself, between rounds.
  const Scheduler& scheduler() const { return *scheduler_; }
  void keep_choices(std::size_t most) { scheduler_->keep_choices(most); }
  const std::vector<EngineRefresh>& refreshes() const { return refreshes_.all(); }
  const NameTable<RackId>& racks() const { return ledger_.racks(); }  // of the model's nodes
  // The leaf queues that applications were put into, by path.
  const NameTable<LeafId>& leaves() const { return leaves_.names(); }
  const Digest& digest() const { return context_.digest.value(); }
  const EngineCounters& counters() const { return context_.counters; }
  // Recomputes all derived state and stops the run on a difference.
  void verify() const;

 private:
  // arrivals.cpp
  void arrive(Round& round, const Arrival& arrival);
  void submit(Job& job);
  // Fills in what the job's tasks read, and `blocks` if the scheduler reads them.
  Status locate(Job& job, InputBlocks& blocks) const;
  void join(NodeId node, const Machine& machine);
  void lose(NodeId node);
  void cancel(CancelReason reason);
  void end_container(ContainerId id, const EndOfContainer& end);
  void end_gang(const GangEnded& ended);
  void note_progress(const AttemptProgress& report);
  std::vector<ApplicationId> open_applications(bool accepted_alone) const;

  // engine.cpp
  void begin(TraceTime now, std::vector<Command>& commands);
  void wake_scheduler();
  void decide();
  void end();
  void call_scheduler_until_quiet();
  // Each returns true if it did anything.
  bool force_due_preemptions();
  bool notify_of_preemptions();
  bool notify_of_lost_outputs();
  bool process_due_heartbeats();

  void verify_beside_ledger() const;

  // staging.cpp
  Status perform_staged(const StagedActions& staged);
  Status place_staged(ApplicationId id, const StagedContainer& container);

  std::unique_ptr<Scheduler> scheduler_;
  MasterFactory make_master_;
  InputLocator locate_input_;
  std::function<std::optional<Resources>(const Job&)> master_demand_;
  std::optional<MasterContainerOptions> master_containers_;
  bool paranoid_;
  DecisionMeter* meter_;

  StepContext context_;
  Ledger ledger_;
  ContainerStates states_;
  ApplicationStates applications_;
  LeafQueues leaves_;
  Asks asks_;
  Preemptions preemptions_;
  RunRecords records_;
  MasterTimeouts timeouts_;
  NamenodeService storage_;
  JobOutputs outputs_;
  MapOutputs map_outputs_;
  Containers containers_;
  ActionExecutor executor_;
  ApplicationMasterService masters_;
  DecisionCommitter committer_;
  Relocations relocations_;
  Administration administration_;
  SchedulerRefreshes refreshes_;

  std::optional<CancelReason> cancellation_;
  bool has_cluster_changed_ = false;    // in the last round
  bool was_woken_ = false;              // the scheduler, likewise
  std::uint64_t verified_changes_ = 0;  // of the ledger, at its last verification
  // Kept between rounds only for their memory.
  std::vector<SchedulerEvent> batch_;
  Decisions decisions_;
  MasterActions actions_;
};

}  // namespace tracebed
