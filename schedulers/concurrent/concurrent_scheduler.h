// Concurrent schedulers on one cluster, and the time that their decisions take (Omega: think time):
// under a shared state with optimistic concurrency control, or by offers of resources.
//
// Sources: M. Schwarzkopf, A. Konwinski, M. Abd-El-Malek, J. Wilkes, Omega: flexible, scalable
// schedulers for large compute clusters, 2013, and its simulator (google/cluster-scheduler-
// simulator: OmegaSimulation.scala, MesosSimulation.scala); Du et al., sections 3.1 and 3.4.
//
// Jobs are dealt to the schedulers in turn. A scheduler decides about one job at a time, first in,
// first out, on a snapshot of the cluster. It has decided after
//   job_time + unit_time · (units that the job waits for)                  (getThinkTime),
// and only then are its decisions committed. Jobs with units left go to the end of its queue; those
// for which the snapshot had no room wait there until something becomes free.
//
// Shared state (optimistic): each scheduler sees all that is free, also what others are deciding
// about. A unit is in conflict if its node is gone or, by the setting,
// - resource_fit: has no room for it any more;
// - sequence_numbers: has changed in any way since the snapshot.
// Local rescheduling commits the others (Omega: incremental) and decides again only about what is
// in conflict; full rescheduling then commits nothing of the transaction (all-or-nothing). With one
// scheduler this is the monolithic architecture.
//
// Two-level (offers): all nodes on which something is free are offered to one scheduler, the
// framework whose containers have the smallest dominant share (Mesos: DRF), which holds them while
// it decides about all of its jobs; the time adds up. Nobody else sees them until it has answered.
//
// Modelled decision times: the decisions are made at once, when the snapshot is taken, and kept
// until the time is over, so nothing needs to be copied. Measured ones: each scheduler decides in a
// thread of its own (core/decision_threads.h), on a copy of what it looks at, and is committed when
// its DecisionMade arrives, in the order of arrivals. Either way a run decides again to its digest.
// A transaction begins only when what was committed before is in the model, a microsecond later.
//
// Deviations, each on purpose:
// - [concurrent-no-delay] The simulator queues a job again a second after its attempt, and abandons
//   it after 1,000 attempts, or 100 without a task. Here it is queued at once, waits if nothing has
//   become free since, and is never abandoned.
// - [concurrent-whole-nodes] Mesos offers what is free; what becomes free on a node whose offer is
//   held is another offer. Here nodes are offered, and this is in the next offer of its node.
// - [concurrent-again-by-policy] Du et al. place units in conflict by locality level alone (formula
//   7); here the policy places them again.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <vector>

#include "schedulers/concurrent/scheduler_instance.h"
#include "schedulers/parts/free_table.h"

namespace tracebed {

struct ConcurrentSettings {
  enum class Sharing : std::uint8_t { optimistic, offers };
  enum class Conflict : std::uint8_t { resource_fit, sequence_numbers };
  enum class Rescheduling : std::uint8_t { local, full };
  Sharing sharing = Sharing::optimistic;
  Conflict conflict = Conflict::resource_fit;       // of optimistic
  Rescheduling rescheduling = Rescheduling::local;  // likewise
  Duration job_time = milliseconds(100);
  Duration unit_time = milliseconds(5);
  bool is_measured = false;  // how long decisions take; then these two do not count
};

class ConcurrentScheduler final : public Scheduler {
 public:
  // At least one scheduler. They have snapshots if decision times are measured, and only then.
  ConcurrentScheduler(const ConcurrentSettings& settings,
                      std::vector<SchedulerInstance> schedulers);

  void decide(const SchedulerInput& input, Decisions& decisions) override;
  // All that it does happens at events and at times that it requests.
  HeartbeatInterest heartbeat_interest() const override {
    return {.any = schedulers_.front().policy().reads_reports(), .minimum = {}};
  }
  bool reads_input_blocks() const override;
  bool decides_in_threads() const override { return settings_.is_measured; }
  void use_threads(DecisionThreads& threads) override { threads_ = &threads; }
  void keep_choices(std::size_t most) override;
  SchedulerView view(const ClusterModel& cluster) const override;
  std::vector<WaitingReason> why_waiting(const ClusterModel& cluster, ApplicationId application,
                                         AskId ask) const override;
  std::vector<SchedulerCount> counts() const override;

 private:
  enum class Conflicting : std::uint8_t { none, withdrawn, node_gone, no_room, node_changed };
  struct Counts {
    std::uint64_t transactions = 0;
    std::uint64_t without_room = 0;  // of them those that proposed nothing
    std::uint64_t in_conflict = 0;   // of them those of which something was in conflict
    std::uint64_t units_committed = 0;
    // In conflict, by kind.
    std::uint64_t units_no_room = 0;
    std::uint64_t units_node_gone = 0;
    std::uint64_t units_node_changed = 0;
    // In no conflict, but in a transaction of which nothing was committed.
    std::uint64_t units_not_committed = 0;
    std::uint64_t units_withdrawn = 0;  // not requested any more
    Duration thinking{};
    Duration thinking_in_conflict{};  // of it, that of transactions in conflict
  };
  // Of one transaction.
  struct Commit {
    SchedulerInstance& scheduler;
    Transaction transaction;
    std::vector<ProposedUnits> taken;  // they fit, and are counted in free_
    std::vector<Refused> refused;
    std::map<AskId, std::uint32_t> taken_of;  // units, by ask
    std::set<ApplicationId> in_conflict;
    std::uint64_t units_in_conflict = 0;
  };

  bool is_optimistic() const {
    return settings_.sharing == ConcurrentSettings::Sharing::optimistic;
  }
  // The index of the scheduler that the job was dealt to; `nobody` for one that is unknown.
  static constexpr std::size_t nobody = ~std::size_t{0};
  std::size_t owner_of(ApplicationId application) const;

  // What happened since the last call.
  void follow(const SchedulerInput& input);
  void follow_event(const ClusterModel& cluster, const SchedulerEvent& event);
  // Notes the event for the job's scheduler; `nobody` if there is none.
  std::size_t note(ApplicationId application, const SchedulerEvent& event);
  // What is requested by the ask has changed.
  void request(const ClusterModel& cluster, AskId ask, const SchedulerEvent& event);
  // The job is in the queue if and only if units of it are pending.
  static void request(const ClusterModel& cluster, SchedulerInstance& scheduler, ApplicationId job);
  static std::int64_t pending_units(const ClusterModel& cluster, ApplicationId job);
  void changed(NodeId node);
  void released();
  void request_wake(TraceTime now, Decisions& decisions);

  // concurrent_commit.cpp
  void commit_due(const SchedulerInput& input, Decisions& decisions);
  // The scheduler that the decision was waited for from; null if it was not.
  SchedulerInstance* decided(const SchedulerInput& input, const DecisionMade& made);
  void commit_made(const SchedulerInput& input, Decisions& decisions);
  void commit(const ClusterModel& cluster, SchedulerInstance& scheduler, Decisions& decisions);
  void judge(const ClusterModel& cluster, Commit& commit, const ProposedUnits& proposal);
  void judge_gang(Commit& commit, const Ask& ask, const ProposedUnits& proposal);
  Conflicting conflict_of(const Commit& commit, NodeId node) const;
  void take(Commit& commit, const Ask& ask, ProposedUnits units);
  void refuse(Commit& commit, const ProposedUnits& proposal, NodeId node, Conflicting kind,
              std::uint32_t units);
  void give_all_back(const ClusterModel& cluster, Commit& commit);
  void emit(const ClusterModel& cluster, const Commit& commit, Decisions& decisions);
  void queue_again(const ClusterModel& cluster, const Commit& commit);

  // concurrent_begin.cpp
  void begin_idle(const SchedulerInput& input);
  void begin_offers(const SchedulerInput& input);
  void begin(const SchedulerInput& input, SchedulerInstance& scheduler);
  Transaction transaction_of(const SchedulerInput& input, SchedulerInstance& scheduler);
  void decide_at_once(const SchedulerInput& input, SchedulerInstance& scheduler);
  // How long a decision about the first `count` of the jobs takes.
  Duration thinking_about(const ClusterModel& cluster, std::span<const ApplicationId> jobs) const;
  // False if there is nothing to offer.
  bool offer(SchedulerInstance& scheduler);
  void end_offer(SchedulerInstance& scheduler);
  void count_held(const ClusterModel& cluster);

  ConcurrentSettings settings_;
  std::vector<SchedulerInstance> schedulers_;
  std::vector<std::size_t> owners_;  // by application: an index in schedulers_, or nobody
  std::size_t next_owner_ = 0;

  FreeTable free_;  // what is committed
  LastReports reports_;
  std::uint64_t version_ = 0;
  std::vector<std::uint64_t> versions_;  // by node: at its last change
  std::uint64_t releases_ = 0;           // how often something became free
  std::uint64_t transactions_ = 0;       // that began
  TraceTime begins_from_{};              // no transaction begins before
  TraceTime wakes_at_ = never;           // that was requested last
  // ---- of offers ----
  std::vector<SchedulerInstance*> holders_;  // by node: who holds its offer; null: nobody
  std::vector<Resources> held_;              // by scheduler: what its containers take
  Resources offered_;                        // of the offer at hand
  // ---- of measured decision times ----
  DecisionThreads* threads_ = nullptr;
  std::vector<DecisionMade> made_;  // among the events of this call

  Counts counts_;
};

}  // namespace tracebed
