#include "schedulers/hadoop1/capacity/slot_capacity.h"

#include <algorithm>
#include <utility>

#include "core/check.h"

namespace tracebed {
namespace {

constexpr const char* default_queue = "default";

}  // namespace

SlotCapacityScheduler::SlotCapacityScheduler(SlotCapacitySettings settings, const Names* names)
    : settings_(std::move(settings)),
      names_(names),
      jobs_(settings_.slots, settings_.sizes),
      turns_(settings_.order) {
  for (const SlotQueueRules& rules : settings_.file.queues) add(rules);
}

void SlotCapacityScheduler::add(const SlotQueueRules& rules) {
  const std::size_t queue = queues_.size();
  queue_names_.emplace(rules.name, queue);
  queues_.emplace_back().rules = rules;
  PerKind<SlotQueueRank>& ranks = ranks_.emplace_back();
  for (const SlotKind kind : slot_kinds) {
    ranks[kind] = queues_.back().rank(kind, queue);
    order_[kind].insert(ranks[kind]);
  }
}

void SlotCapacityScheduler::decide(const SchedulerInput& input, Decisions& decisions) {
  now_ = input.now;
  if (wake_at_ <= now_) wake_at_ = never;
  free_.follow(input);
  take_in(input, decisions);
  if (is_of(SlotCapacityGeneration::reclaims) && check_at_ <= now_) {
    reclaim(input.cluster, decisions);
  }
  SlotOffer offer(input.cluster, jobs_, free_, decisions);
  for (const NodeId node : turns_.follow(input, free_)) {
    offer.place_masters(node, [&](const SlotJob& job) {
      const auto queued = queued_.find(job.id);
      return queued != queued_.end() && queued->second.may_run;
    });
    if (is_of(SlotCapacityGeneration::has_maxima)) {
      serve_1x(input.cluster, node, offer);
    } else {
      serve_020(node, offer);
    }
  }
  if (is_of(SlotCapacityGeneration::reclaims)) wake(decisions);
  turns_.wake(now_, decisions);
}

// ---- what happened ----

void SlotCapacityScheduler::take_in(const SchedulerInput& input, Decisions& decisions) {
  const SlotJobs::Changes& changes = jobs_.follow(input);
  for (const SlotJob& job : changes.removed) remove(job);
  for (const ApplicationId id : changes.changed) count(id);
  const std::vector<ApplicationId> added = changes.added;
  const bool has_changed = changes.is_demand_changed || changes.has_ended;
  const bool are_others_running = !added.empty() || !changes.removed.empty();
  if (changes.was_refused) {
    for (auto& [id, job] : queued_) count(job);
  }
  for (const ApplicationId id : added) admit(id, decisions);
  for (const SchedulerEvent& event : input.events) {
    const auto* left = std::get_if<NodeRemoved>(&event);
    if (left == nullptr) continue;
    for (const SlotKind kind : slot_kinds) unreserve(left->node, kind);
  }
  if (!has_changed) return;
  drop_idle_reservations();
  if (changes.is_demand_changed) measure_all();  // nodes are among that
  if (are_others_running) let_jobs_run();
}

void SlotCapacityScheduler::count(QueuedJob& job) {
  queues_[job.queue].count(job);
  put_in_order(job.queue);
}

void SlotCapacityScheduler::count(ApplicationId id) {
  const auto queued = queued_.find(id);
  if (queued != queued_.end()) count(queued->second);
}

void SlotCapacityScheduler::measure_all() {
  for (std::size_t i = 0; i < queues_.size(); ++i) {
    queues_[i].measure(jobs_.table());
    put_in_order(i);
  }
}

void SlotCapacityScheduler::put_in_order(std::size_t queue) {
  for (const SlotKind kind : slot_kinds) {
    const SlotQueueRank rank = queues_[queue].rank(kind, queue);
    SlotQueueRank& placed = ranks_[queue][kind];
    if (rank == placed) continue;
    order_[kind].erase(std::exchange(placed, rank));
    order_[kind].insert(rank);
  }
}

void SlotCapacityScheduler::verify() const {
  for (std::size_t i = 0; i < queues_.size(); ++i) {
    queues_[i].verify();
    for (const SlotKind kind : slot_kinds) {
      TRACEBED_CHECK(
          order_[kind].size() == queues_.size() && order_[kind].contains(queues_[i].rank(kind, i)),
          "each queue has the place that its slots give it");
    }
  }
}

void SlotCapacityScheduler::remove(const SlotJob& job) {
  const auto queued = queued_.find(job.id);
  if (queued == queued_.end()) return;
  for (const SlotKind kind : slot_kinds) {
    std::erase_if(reserved_[kind], [&](const auto& entry) { return entry.second == job.id; });
  }
  const std::size_t queue = queued->second.queue;
  queues_[queue].erase(queued->second, job);
  queued_.erase(queued);
  put_in_order(queue);
}

std::string SlotCapacityScheduler::why_not_accepted(const SlotQueue& queue,
                                                    const SlotJob& job) const {
  if (!is_of(SlotCapacityGeneration::has_maxima)) return {};
  const SlotQueueRules& rules = queue.rules;
  if (static_cast<std::int64_t>(queue.jobs.size()) >= rules.accepted_max) {
    return "queue " + rules.name + " has its maximum of " + std::to_string(rules.accepted_max) +
           " jobs already";
  }
  const auto of_user = queue.jobs_of_users.find(job.user);
  if (of_user == queue.jobs_of_users.end() || of_user->second < rules.accepted_of_user_max) {
    return {};
  }
  return "queue " + rules.name + " has its maximum of " +
         std::to_string(rules.accepted_of_user_max) + " jobs of the user already";
}

void SlotCapacityScheduler::admit(ApplicationId id, Decisions& decisions) {
  SlotJob* job = jobs_.find(id);
  if (job == nullptr) return;
  const bool names_queue = names_ != nullptr && job->queue.is_valid();
  const std::string name = names_queue ? names_->queues.name(job->queue) : default_queue;
  const auto queue = queue_names_.find(name);
  std::string refusal = queue == queue_names_.end()
                            ? "queue " + name + " does not exist"
                            : why_not_accepted(queues_[queue->second], *job);
  if (!refusal.empty()) {
    decisions.reject(id, std::move(refusal));
    return jobs_.forget(id);
  }
  QueuedJob& queued = queued_[id];
  queued.job = job;
  queued.queue = queue->second;
  queued.may_run = !is_of(SlotCapacityGeneration::has_maxima);
  queues_[queue->second].insert(queued);
  count(queued);
  decisions.accept(id);
}

// JobInitializationPoller.getJobsToInitialize: in the queue's order, up to what may run of the
// queue and of the user. What runs goes on.
void SlotCapacityScheduler::let_jobs_run() {
  if (!is_of(SlotCapacityGeneration::has_maxima)) return;
  for (SlotQueue& queue : queues_) {
    std::int64_t running = 0;
    std::map<UserId, std::int64_t> of_users;
    for (const QueuedJob* job : queue.jobs) {
      running += job->may_run ? 1 : 0;
      of_users[job->job->user] += job->may_run ? 1 : 0;
    }
    for (QueuedJob* job : queue.jobs) {
      if (running >= queue.rules.running_max) break;
      std::int64_t& of_user = of_users[job->job->user];
      if (job->may_run || of_user >= queue.rules.running_of_user_max) continue;
      job->may_run = true;
      count(*job);
      ++running;
      ++of_user;
    }
  }
}

HeartbeatInterest SlotCapacityScheduler::heartbeat_interest() const {
  HeartbeatInterest interest = jobs_.heartbeat_interest();
  if (is_of(SlotCapacityGeneration::has_maxima) && settings_.sizes.has_several()) {
    interest.minimum = {};
  }
  return turns_.interest(interest);
}

}  // namespace tracebed
