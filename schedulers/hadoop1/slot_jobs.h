// The jobs of a slot scheduler: what they request and what they run, by kind of slot, and the slots
// that their tasks take.
//
// Reduces take reduce slots (Ask::kind). Everything else takes map slots, also what Hadoop 1 did
// not have: tasks of stages, instances of services, gangs. Two are limited by room alone: a gang,
// which is placed whole when its turn comes on a node with a free map slot and then takes one for
// each of its units, even if fewer are free; and the container of an application's master, which
// takes none, since a JobTracker did its work.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/scheduler.h"
#include "schedulers/hadoop1/slots.h"
#include "schedulers/parts/demand_census.h"

namespace tracebed {

struct SlotAsk {
  AskId id;
  std::int32_t priority = 0;
  Resources demand;             // of one unit
  std::uint32_t remaining = 0;  // pending in the model less what this call has proposed
  SlotKind kind = SlotKind::map;
  bool is_gang = false;
  bool is_master = false;
  std::int64_t slots = 1;  // per unit
  // Proposed in this call; the model still counts their places as requested.
  std::vector<NodeId> placed;
  std::optional<DemandCensus::Kind> counted;  // while something remains
};

// The order of mapred.JobQueueJobInProgressListener: the more important first, then by submission.
struct SlotJobKey {
  std::int32_t unimportance = 0;  // the priority, negated
  TraceTime submitted{};
  ApplicationId id;
  auto operator<=>(const SlotJobKey&) const = default;
};

struct SlotJob {
  ApplicationId id;
  UserId user;
  QueueId queue;
  std::int32_t priority = 0;
  TraceTime submitted{};
  std::vector<SlotAsk> asks;  // by priority, then age
  // In tasks.
  PerKind<std::int64_t> pending;
  PerKind<std::int64_t> running;
  PerKind<std::int64_t> succeeded;
  PerKind<std::int64_t> slots;  // taken by what runs
  std::int64_t pending_masters = 0;
  bool is_touched = false;  // in this call
  bool has_placed = false;  // in this call

  SlotJobKey key() const { return {-priority, submitted, id}; }
  SlotJobKey key_by_submission() const { return {0, submitted, id}; }
  std::int64_t total(SlotKind kind) const {
    return pending[kind] + running[kind] + succeeded[kind];
  }
  // The first ask of the kind with pending units, or null.
  const SlotAsk* wanting(SlotKind kind) const;
};

// How many slots a task takes; depends only on the kind and the memory.
struct SlotSizes {
  PerKind<std::int64_t> slot_mib;  // 0: one slot for every task
  std::int64_t of(SlotKind kind, const Resources& demand) const;
  // Whether a task may take more than one.
  bool has_several() const { return slot_mib.map > 0 || slot_mib.reduce > 0; }
};

class SlotJobs {
 public:
  SlotJobs(const SlotRule& rule, const SlotSizes& sizes) : table_(rule), sizes_(sizes) {}

  // A container with tasks that ended.
  struct Ended {
    ContainerId container;
    ApplicationId application;
    SlotKind kind = SlotKind::map;
    std::int64_t units = 1;
    bool has_succeeded = false;
  };
  // What happened since the last call, apart from heartbeats.
  struct Changes {
    std::vector<ApplicationId> added;
    std::vector<SlotJob> removed;
    std::vector<ApplicationId> changed;  // of what they want or run; possibly repeated, or gone
    std::vector<Ended> ended;            // of jobs that are gone, too
    bool was_refused = false;            // what was proposed was counted anew, of all jobs
    bool is_demand_changed = false;      // jobs, asks, nodes or slots came, went or changed
    bool has_ended = false;              // a container ended
  };
  // To be called first in every decide().
  const Changes& follow(const SchedulerInput& input);

  // Drops a job that is not accepted.
  void forget(ApplicationId id) { drop(id); }
  SlotJob* find(ApplicationId id);
  const SlotJob* find(ApplicationId id) const;
  // In the order of their keys.
  const std::map<SlotJobKey, SlotJob>& all() const { return jobs_; }
  std::map<SlotJobKey, SlotJob>& all() { return jobs_; }
  const SlotTable& table() const { return table_; }

  // Of all jobs.
  std::int64_t pending(SlotKind kind) const { return pending_[kind]; }
  std::int64_t running(SlotKind kind) const { return running_[kind]; }
  std::int64_t total(SlotKind kind) const {
    return pending_[kind] + running_[kind] + succeeded_[kind];
  }
  // Jobs that wait for the containers of their masters.
  const std::set<SlotJobKey>& with_pending_masters() const { return with_pending_masters_; }
  // What their waiting asks demand.
  const DemandCensus& demands() const { return demands_; }
  // Of a scheduler that gives slots to whatever waits and has room.
  HeartbeatInterest heartbeat_interest() const {
    if (table_.follows_load()) return {.any = true, .minimum = {}};
    if (demands_.empty()) return {.any = false, .minimum = {}};
    return {.any = true, .minimum = demands_.minimum()};
  }

  // Counts a proposal: one unit, or a gang's piece with several.
  void count_proposal(SlotJob& job, SlotAsk& ask, NodeId node, std::uint32_t units);

  // The kind of slot that the container takes; none for a master's.
  std::optional<SlotKind> kind_of(const Container& container) const;
  bool is_of_gang(const Container& container) const;

  // Stops the run unless its counts agree with the model.
  void verify(const ClusterModel& cluster) const;

 private:
  // What is kept about an ask until its last container has ended, even after the ask is removed.
  struct Record {
    ApplicationId application;
    SlotKind kind = SlotKind::map;
    bool is_gang = false;
    bool is_master = false;
    bool is_open = true;
    std::int64_t containers = 0;
  };
  using Records = std::map<AskId, Record>;

  void add(const ClusterModel& cluster, ApplicationId id);
  void drop(ApplicationId id);
  void touch(ApplicationId id);
  void see(const ClusterModel& cluster, const SchedulerEvent& event);
  void recover(const ClusterModel& cluster, const ContainerRecovered& recovered);
  void settle(const ClusterModel& cluster, SlotJob& job);
  SlotAsk taken_over(const SlotJob& job, AskId id, const Ask& ask);
  void start(Record& record, AskId ask, NodeId node, std::int64_t units, const Resources& unit);
  void finish(const ContainerFinished& finished);
  // Counts all that runs again by the model, after proposals that did not commit.
  void recount(const ClusterModel& cluster);
  void forget_if_over(Records::iterator record);
  // Adds the job to the sums over all jobs, or subtracts it.
  void count_wants(SlotJob& job);
  void uncount_wants(SlotJob& job);
  void uncount_demand(const SlotJob& job, SlotAsk& ask);

  SlotTable table_;
  SlotSizes sizes_;
  std::map<SlotJobKey, SlotJob> jobs_;
  std::unordered_map<ApplicationId, SlotJob*> by_id_;  // looked up, never iterated
  Records records_;
  std::map<std::pair<AskId, NodeId>, std::int64_t> gang_units_;
  std::vector<ApplicationId> touched_;
  std::vector<ApplicationId> proposed_;  // with proposals in this call, or in the last
  bool was_refused_ = false;             // a proposal was refused in this call
  Changes changes_;
  PerKind<std::int64_t> pending_;
  PerKind<std::int64_t> running_;
  PerKind<std::int64_t> succeeded_;
  std::set<SlotJobKey> with_pending_masters_;
  DemandCensus demands_;
};

}  // namespace tracebed
