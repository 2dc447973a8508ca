// Hadoop 1 schedulers for jobs that are to end by a deadline, in map and reduce slots. How long a
// task takes is estimated by the mean of the job's own tasks of its kind that have ended; while
// there are none, by that of the same user's jobs so far; while there are none either, it is what a
// setting states.
//
// Soft (Polo, Carrera, Becerra, Torres, Ayguadé, Steinder and Whalley, Performance-Driven Task
// Co-Scheduling for MapReduce Environments, NOMS 2010): a job needs as many slots that it is
// estimated to end by its deadline (slots_for_goal). A slot goes to the job that lacks the most of
// what it needs, then of the earlier deadline. Slots that nobody needs go to jobs in the order of
// JobQueueTaskScheduler, by priority and then by submission.
//
// Hard (Kc and Anyanwu, Scheduling Hadoop Jobs to Meet Deadlines, CloudCom 2010): a job is admitted
// if the least slots with which it ends by its deadline (least_slots) are there: not taken, and not
// promised to other admitted jobs. Otherwise it is rejected, with these figures. A slot goes to the
// job of the earliest deadline that runs fewer tasks than it was promised; other slots as above. A
// job of whose tasks nothing is known is admitted, and promised nothing.
//
// Needs are reckoned anew when something happens to the job, and as time passes, at multiples of
// the update interval, when it is also published what was learned of a user's tasks: they are a
// function of the job's state, of the latest such time and of what was known then, so that it does
// not matter which heartbeats come.
//
// A task costs the logarithm of the jobs, a step for each demand without room
// (waiting_by_demand.h), and one for each job that waits for a near node (delayed_jobs.h).
//
// Deviations, each on purpose:
// - [slots-room] A task needs room besides its slot (slots.h). If it has none, the next job is
//   tried.
// - [slot-deadline-phases] Polo et al. estimate one kind of tasks. Here the time left is divided
//   between maps and reduces (slots_for_goal).
// - [slot-deadline-missed] What becomes of a job after its deadline is not stated. It needs as many
//   slots as it has tasks (missed = "hurry"), or none (missed = "wait").
// - [slot-deadline-costs] Kc and Anyanwu's costs of a byte are given. Here they are learned, or
//   stated for a task.
#pragma once

#include <map>
#include <memory>

#include "schedulers/hadoop1/deadline/deadline_slots.h"
#include "schedulers/hadoop1/deadline/slot_deadline_settings.h"
#include "schedulers/hadoop1/deadline/task_lengths.h"
#include "schedulers/hadoop1/delayed_jobs.h"
#include "schedulers/hadoop1/waiting_by_demand.h"

namespace tracebed {

class SlotDeadlineScheduler final : public Scheduler {
 public:
  explicit SlotDeadlineScheduler(const SlotDeadlineSettings& settings)
      : settings_(settings),
        jobs_(settings.slots, {}),
        turns_(settings.order),
        delayed_(settings.delays) {}

  void decide(const SchedulerInput& input, Decisions& decisions) override;
  HeartbeatInterest heartbeat_interest() const override;
  SchedulerView view(const ClusterModel& cluster) const override;
  std::vector<WaitingReason> why_waiting(const ClusterModel& cluster, ApplicationId id,
                                         AskId ask) const override;

  const SlotJobs& jobs() const { return jobs_; }

 private:
  // The place of a job among those with pending tasks of a kind.
  struct Rank {
    std::int64_t lack = 0;       // the more it lacks the smaller; 0: nothing
    TraceTime deadline = never;  // of one that lacks something
    SlotJobKey key;
    auto operator<=>(const Rank&) const = default;
  };
  struct Plan {
    TraceTime deadline = never;
    PerKind<std::int64_t> tasks;     // of the job
    PerKind<std::int64_t> promised;  // hard: the least slots, when it was admitted
    PerKind<std::int64_t> needs;     // slots, now
    PerKind<std::int64_t> held;      // slots that it runs in or was promised
  };

  void take_in(const SchedulerInput& input, Decisions& decisions);
  void admit(const ClusterModel& cluster, ApplicationId id, Decisions& decisions);
  // Empty if it may be admitted, and then promised what it is to have.
  std::string reason_against(const SlotJob& job, Plan& plan) const;
  void drop(ApplicationId id);
  void refresh(const SlotJob& job);
  void refresh_all();
  // True if needs are to be reckoned anew, as time has passed.
  bool catch_up(TraceTime now);
  void serve_node(NodeId node, SlotOffer& offer);
  // What a task of the job takes, by what is known now.
  std::optional<Duration> length_of(const SlotJob& job, SlotKind kind) const;
  std::int64_t tasks_left(const SlotJob& job, const Plan& plan, SlotKind kind) const;
  PerKind<std::int64_t> needs_of(const SlotJob& job, const Plan& plan) const;
  Rank rank_of(const SlotJob& job, const Plan& plan, SlotKind kind) const;

  SlotDeadlineSettings settings_;
  SlotJobs jobs_;
  TaskLengths lengths_;
  FreeTable free_;
  NodeTurns turns_;
  DelayedJobs delayed_;
  std::map<ApplicationId, Plan> plans_;
  std::vector<ApplicationId> unanswered_;  // added, and neither accepted nor rejected so far
  PerKind<WaitingByDemand<ApplicationId, Rank>> order_;
  PerKind<std::int64_t> held_;  // by all jobs
  TraceTime now_{};
  TraceTime reckoned_{};  // the multiple of the interval at which needs were reckoned
};

}  // namespace tracebed
