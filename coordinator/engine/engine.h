// The engine: a deterministic state machine that turns rounds of arrivals into commands. It holds
// the cluster, the job masters and the scheduler; it owns no socket, clock, file or thread. The
// same rounds give the same commands and the same digest.
#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "coordinator/engine/call_check.h"
#include "coordinator/engine/decision_meter.h"
#include "coordinator/engine/ledger.h"
#include "coordinator/engine/master_factory.h"
#include "coordinator/engine/preemption_ledger.h"
#include "coordinator/engine/preemption_livelock.h"
#include "coordinator/engine/relocation.h"
#include "coordinator/engine/task_account.h"
#include "core/application_master.h"
#include "core/decisions.h"
#include "core/digest.h"
#include "core/event_heap.h"
#include "core/fleet.h"
#include "core/master_calls.h"
#include "core/names.h"
#include "core/records.h"
#include "core/result.h"
#include "core/scheduler.h"

namespace tracebed {

// Makes of a configuration, whose files are texts, what schedulers are told. Must be deterministic;
// fails with a sentence.
using ConfigurationReader =
    std::function<Result<SchedulerParameters>(const SchedulerConfiguration&)>;

struct EngineSetup {
  std::unique_ptr<Scheduler> scheduler;
  MasterFactory make_master;
  // What the container of a job's master takes where masters are not run in containers of the
  // engine's (a story's, which asks for its own); null: every master needs none.
  std::function<Resources(const Job&)> master_demand;
  // Set: masters run in containers, and make_master is called by whoever hosts them there.
  std::optional<MasterContainerOptions> master_containers;
  std::optional<RelocationOptions> relocation;  // set: tasks are moved to better places
  ConfigurationReader read_configuration;       // null: every refresh is refused
  // Recompute all derived state after every round, not only when the run ends.
  bool paranoid = false;
  DecisionMeter* meter = nullptr;  // may be null; outlives the engine
};

// What happened so far, for progress lines and the run record.
struct EngineCounters {
  std::uint64_t rounds = 0;
  std::uint64_t decide_calls = 0;
  std::uint64_t decisions = 0;
  std::uint64_t refusals = 0;
  std::map<RefusalReason, std::uint64_t> refusals_for;  // the same, by reason
  std::uint64_t allocations = 0;
  std::uint64_t asks_rounded_up = 0;  // given larger containers than they asked for, by each action
  std::uint64_t heartbeats = 0;
  std::uint64_t wake_ups = 0;      // of the scheduler, at times that it named
  std::uint64_t late_reports = 0;  // ends of containers that were already counted as lost
  std::uint64_t master_calls = 0;
  std::uint64_t master_calls_repeated = 0;    // got the same answer again
  std::uint64_t master_calls_misplaced = 0;   // out of order, or of a master that is gone
  std::uint64_t master_actions_late = 0;      // overtaken by what happened meanwhile
  std::uint64_t master_actions_repeated = 0;  // done before
  std::uint64_t master_actions_foreign = 0;   // on containers that are not the master's
  std::uint64_t master_actions_refused = 0;   // not the master's to do otherwise
  std::uint32_t masters_failed = 0;           // attempts
  std::uint32_t masters_failed_during_preemption =
      0;  // of them those with containers marked for preemption
  std::uint32_t nodes_lost = 0;
  std::uint32_t requested_lost =
      0;  // containers that were marked for preemption and went with their nodes
  std::uint32_t jobs_submitted = 0;
  std::uint32_t jobs_ended = 0;
};

// A refresh that came.
struct EngineRefresh {
  TraceTime at{};
  std::string refusal;  // why the scheduler did not take it; empty: it did
};

// What a story says of an application beside rounds; see Engine::stage.
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
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // Takes a round, whose time is not before the last one's, and appends the commands that follow.
  // Jobs' stages are moved out of the round.
  void step(Round& round, std::vector<Command>& commands);

  // For stories that are told step by step (coordinator/scenario): performs actions as if the
  // application's master had taken them, then places containers that are running already. The
  // scheduler does not decide those, it is told of them (ContainerRecovered); their asks want no
  // less for them. Ends as a step does. Fails, having done what stands before, for an application
  // that is not accepted or has ended, and for a container that has no ask or no room.
  Status stage(TraceTime now, const StagedActions& staged, std::vector<Command>& commands);

  // Likewise: the scheduler does now what it does at intervals (Scheduler::request_update).
  void stage_update(TraceTime now, std::vector<Command>& commands);

  // When the scheduler or a master wants to be woken: the fleet is to wait no longer.
  TraceTime next_deadline() const {
    return std::min({wake_at_, relocate_at_, heartbeats_.next_time(), watches_.next_time(),
                     requests_.next_deadline()});
  }
  HeartbeatInterest heartbeat_interest() const { return scheduler_->heartbeat_interest(); }

  // True if no job is open and no container lives.
  bool is_idle() const;
  // True if jobs are open but nothing runs beside masters and tasks that wait to be let begin: only
  // a heartbeat, a wake-up or a new machine can move them.
  bool is_waiting() const;

  // How long nothing may happen for an open job although it will continue: until the longest delay
  // of a stage is over, and a silent master has expired. Takes time in proportion to the open jobs.
  Duration silence_max() const;
  // When the scheduler wants to be woken next; `never` if it does not.
  TraceTime scheduler_wakes_at() const { return wake_at_; }

  // True if preemption keeps the run from ever completing anything.
  bool is_livelocked() const { return livelock_.is_reached(); }

  // Why the run was cancelled, if it was.
  std::optional<CancelReason> cancellation() const { return cancellation_; }

  const ClusterModel& cluster() const { return ledger_.model(); }
  const PreemptionLedger& preemptions() const { return requests_; }
  // True if the scheduler has accepted the application, which is open.
  bool is_accepted(ApplicationId application) const;
  // To be asked what it tells about itself, between rounds.
  const Scheduler& scheduler() const { return *scheduler_; }
  const std::vector<EngineRefresh>& refreshes() const { return refreshes_; }
  // The leaf queues that applications were put into, by path.
  const NameTable<LeafId>& leaves() const { return leaves_; }
  const Digest& digest() const { return digest_; }
  const EngineCounters& counters() const { return counters_; }
  // Recomputes all derived state and stops the run on a difference.
  void verify() const { ledger_.verify(); }

 private:
  struct ApplicationState;
  struct WholeGang;
  enum class Answer : std::uint8_t { awaited, accepted };

  // arrivals.cpp
  void arrive(Round& round, const Arrival& arrival);
  void submit(Job& job);
  Resources master_size(ApplicationId id, const Resources& demand) const;
  void node_joined(NodeId node, const Machine& machine);
  void node_lost(NodeId node);
  void cancel(CancelReason reason);
  void container_ended(ContainerId id, const Container& container, ContainerEnd end,
                       const ContainerAccount& account, bool node_left);

  void keep_progress(ApplicationState& application, const Container& container, ContainerEnd end,
                     std::uint32_t progress);
  void gang_ended(const GangEnded& ended);
  void push_finished(ContainerId id, const Container& container, ContainerEnd end);

  // Returns what a master is told of the end: `end`, or what it stands for.
  ContainerEnd reported_end(ContainerId id, const Container& container, ContainerEnd end) const;

  // True if a master was heard.
  bool process_due_heartbeats();

  // container_masters.cpp: masters that run in containers.
  void hear_call(const MasterCall& call);
  void perform_call(const MasterCall& call, ApplicationState& state);
  void count_verdict(ActionVerdict verdict);
  void count_losses(ContainerId id, const Container& container, ContainerEnd end);
  void dismiss(const MasterCall& call);
  void answer_calls();
  void launch_master(ApplicationId id, ApplicationState& state, const LaunchMasterProcess& action);
  void orphan_others(ApplicationId id, ContainerId own);
  void ended_unlaunched(ApplicationId id, const AttemptEnd& end);
  void look_at_watches();
  void expire_master(ApplicationId id);

  // preemption.cpp
  void commit_preemption(ContainerId id, const PreemptionTerms& terms);
  void commit_withdrawal(ContainerId id);
  void commit_kill(const Kill& decision);
  void request_preemption(ContainerId id, const Container& container, const PreemptionTerms& terms,
                          bool by_operator);
  void settle(const PreemptionRequest& request, PreemptionEnd end);
  void settle_requests(ContainerId id, const Container& container, ContainerEnd end);
  void force(ContainerId id);
  void announce_due();
  bool force_due();
  bool notify_masters();
  void list_held(std::map<ApplicationId, std::vector<HeldContainer>>& held) const;
  void checkpoint(ContainerId id);

  // administrator_commands.cpp
  // The relocate policy (relocations.cpp).
  void look_at_relocations();
  bool is_relocation_of_use(const PreemptionRequest& request) const;

  void execute_administrator_command(const AdministratorCommand& order);
  void move_container(const AdministratorCommand& order);
  void drain(NodeId node, TraceTime deadline);
  void undrain(NodeId node);
  void note_drained(NodeId node);
  void tell_of_loss(NodeId node);

  // refresh.cpp: those of the round, before anything else of it, so that the scheduler knows of
  // everything that the model has.
  void take_refreshes(const Round& round);
  Status reconfigure(const SchedulerConfiguration& configuration);
  void note_leaf(ApplicationId id);

  // staging.cpp
  void begin_stage(TraceTime now, std::vector<Command>& commands);
  void end_stage();
  Status perform_staged(const StagedActions& staged);
  Status place_staged(ApplicationId id, const StagedContainer& container);

  void decide();
  // commit.cpp
  void decide_until_quiet();
  void commit(const Decisions& decisions, const Decision& decision);
  void commit_accept(ApplicationId id);
  void commit_reject(ApplicationId id, const std::string& reason);
  void commit_allocation(AskId ask, NodeId node);
  void commit_gang(AskId ask, std::span<const GangPiece> pieces);
  void commit_end(ApplicationId id, const std::string& reason);
  void commit_wake_up(TraceTime at);
  Ledger::AllocationTarget taker_of(AskId ask, const ApplicationState& application);
  // Allocates what was found to fit and tells the master, whose actions are still to be performed.
  void grant(const Ledger::AllocationTarget& taker, NodeId node, std::uint32_t units,
             ApplicationState& application);
  ContainerId allocate(const Ledger::AllocationTarget& taker, std::span<const GangPiece> pieces,
                       ApplicationState& application);
  void refuse(Refused refusal);

  // master_actions.cpp
  void perform_actions(ApplicationId id);
  Result<Resources> demand_of(ApplicationId id, const SetAsk& action);
  bool set_ask(ApplicationId id, const SetAsk& action);
  void adjust_places(ApplicationId id, const AdjustPlaces& action);
  void close_ask(ApplicationId id, AskId ask);
  // Asks that keep away from a node (avoided_nodes.cpp).
  void keep_away(AskId id, NodeId avoided);
  bool could_run_elsewhere(const Ask& ask, NodeId avoided) const;
  // A node takes no containers any more.
  void review_avoided();
  void launch(ApplicationId id, ApplicationState& application, const LaunchTask& action);
  void launch(ApplicationId id, ApplicationState& application, const LaunchGang& action);
  void continue_task(ContainerId id);
  void schedule_heartbeat(ApplicationId id, TraceTime at);
  void release_unlaunched(ContainerId id);
  void order_kill(ContainerId id);
  void finish(ApplicationId id, JobOutcome outcome, const std::string& diagnostics);

  void record_attempt(ContainerId id, const Container& container, ContainerEnd end,
                      const ContainerAccount& account);
  void sample();

  std::unique_ptr<Scheduler> scheduler_;
  MasterFactory make_master_;
  std::function<Resources(const Job&)> master_demand_;
  ConfigurationReader read_configuration_;
  bool paranoid_;
  DecisionMeter* meter_;
  RecordSink& records_;

  Ledger ledger_;
  PagedTable<ApplicationId, ApplicationState> applications_;  // same ids as the model's
  Digest digest_;
  EngineCounters counters_;
  std::uint32_t jobs_waiting_ = 0;  // open ones without a container so far
  TraceTime now_{};
  TraceTime wake_at_ = never;
  // Masters' heartbeats; one that was replaced by another stays until its time and is then ignored.
  EventHeap<ApplicationId> heartbeats_;
  // Masters in containers: what is to be looked at when its time comes.
  enum class Watch : std::uint8_t {
    master,      // may not have been heard for too long
    allocation,  // a container in which something should have been launched
    departure,   // a master's container that should have ended by itself
  };
  struct Watched {
    Watch kind = Watch::master;
    ApplicationId application;
    ContainerId container;
  };
  std::set<AskId> avoiding_;  // asks that keep away from a node
  PreemptionLedger requests_;
  PreemptionLivelock livelock_;
  std::optional<RelocationPolicy> relocation_;
  TraceTime relocate_at_ = never;    // the policy's next look; none while no task runs
  std::set<ApplicationId> to_tell_;  // their preemption requests have changed
  std::optional<MasterContainerOptions> master_containers_;
  EventHeap<Watched> watches_;
  std::deque<MasterAnswer> answers_;  // of this step, good until the next
  // Of applications that ended in this step: commands may still name their jobs.
  std::vector<std::unique_ptr<ApplicationMaster>> departed_;
  std::size_t masters_alive_ = 0;  // containers
  std::set<ContainerId> held_;     // whose tasks wait to be let begin
  std::optional<CancelReason> cancellation_;
  std::vector<EngineRefresh> refreshes_;
  NameTable<LeafId> leaves_;
  bool cluster_changed_ = false;  // since the last sample

  // Work of the round, kept between rounds only for its memory.
  std::vector<SchedulerEvent> events_;
  std::vector<SchedulerEvent> batch_;
  std::vector<std::unique_ptr<Decisions>> decisions_;  // by call of the scheduler
  std::size_t decide_calls_of_step_ = 0;
  MasterActions actions_;
  std::vector<Command>* commands_ = nullptr;  // of the running step
};

}  // namespace tracebed
