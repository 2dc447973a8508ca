// What schedulers have in common that give a node's next task to whoever has the least share: jobs
// and what they use, counted with what a call has proposed so far, and the service of a node.
// Which shares there are, and so the order of jobs, is for a policy to say.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "schedulers/hadoop1/delayed_jobs.h"
#include "schedulers/hadoop1/slot_offer.h"

namespace tracebed {

inline constexpr std::int64_t no_utilisation_max = 1'001;

struct ServingRules {
  bool skips = false;          // jobs without room; false: they block the node
  bool needs_more = false;     // more than the demand must be free
  bool gives_several = false;  // tasks per heartbeat
  // A node of which so much of any resource is allocated takes no task; or so much of its vcores or
  // memory is measured as used (measured_load.h).
  std::int64_t utilisation_max_milli = 1'000;
  bool is_utilisation_measured = false;
  MapDelays delays;  // none unless they are set
};

class LeastShareFirst : public Scheduler {
 public:
  void decide(const SchedulerInput& input, Decisions& decisions) final;
  HeartbeatInterest heartbeat_interest() const override;
  std::vector<WaitingReason> why_waiting(const ClusterModel& cluster, ApplicationId id,
                                         AskId ask) const override;

 protected:
  using JobVisitor = std::function<bool(ApplicationId)>;

  explicit LeastShareFirst(const ServingRules& rules);

  // ---- what a policy states ----

  virtual void job_added(const SlotJob& job) = 0;
  virtual void job_removed(ApplicationId id) = 0;
  // What the job uses, or which tasks it wants, may have changed.
  virtual void job_changed(const SlotJob& job, const Resources& used) = 0;
  // What it used at the last job_changed(); null for a job that is not there.
  virtual const Resources* used_by(ApplicationId id) const = 0;
  // What is free on the node changed, or whether it is alive.
  virtual void node_changed(NodeId /*node*/) {}
  // The events of a call, before any of the others.
  virtual void see(const SchedulerInput& /*input*/) {}
  // One container was proposed, in this call.
  virtual void proposed(AskId /*ask*/, NodeId /*node*/) {}
  // All that happened before this call is counted; `has_changed`: jobs or what they use or want.
  virtual void count_all(const ClusterModel& cluster, bool has_changed) = 0;
  // Proposals of this call have been counted, or none was made yet.
  virtual void prepare_order() {}
  // Calls visit(job) for jobs that want tasks, the neediest first, until it returns false.
  virtual void visit_in_order(const JobVisitor& visit) const = 0;
  // Proposes a task for the node; by default one of the first job that has one for it.
  virtual bool give_task(NodeId node, SlotOffer& offer);
  // The shares by which others come before the job, in words.
  virtual std::string shares_in_words(ApplicationId id) const = 0;

  const SlotJobs& jobs() const { return jobs_; }
  SlotJobs& jobs() { return jobs_; }
  const FreeTable& free() const { return free_; }
  TraceTime now() const { return now_; }  // of the last call
  const DelayedJobs& delayed() const { return delayed_; }

 private:
  void follow(const SchedulerInput& input);
  void update(const ClusterModel& cluster, ApplicationId id);
  // Counts what was proposed since the last call of this within one decide().
  void count_proposals(const ClusterModel& cluster, const Decisions& decisions);
  // Gives the node's next task to the job, if it has one there; false if others may have it.
  bool give_task_of(SlotJob& job, NodeId node, SlotOffer& offer, bool& is_given);
  void serve_node(const ClusterModel& cluster, NodeId node, SlotOffer& offer,
                  const Decisions& decisions);
  bool asks_for_tasks(const Node& node) const;
  // Whether so much is free on the node as the rules want.
  bool has_room(const Resources& demand, NodeId node) const;

  ServingRules rules_;
  SlotJobs jobs_;  // without slots: there are always enough
  FreeTable free_;
  DelayedJobs delayed_;
  TraceTime now_{};
  std::set<ApplicationId> changed_;  // what they use or want has, or was proposed in this call
  std::size_t counted_ = 0;          // of the decisions of this call
};

// True if it wants tasks.
inline bool wants_tasks(const SlotJob& job) {
  return job.pending.map > 0 || job.pending.reduce > 0;
}

}  // namespace tracebed
