// How transactions begin: ConcurrentScheduler's part that takes snapshots and makes offers.
#include <algorithm>
#include <utility>

#include "schedulers/concurrent/concurrent_scheduler.h"
#include "schedulers/placement/used_share.h"

namespace tracebed {
void ConcurrentScheduler::begin_idle(const SchedulerInput& input) {
  for (SchedulerInstance& scheduler : schedulers_) {
    if (!scheduler.is_thinking() && scheduler.queue().has_ready()) begin(input, scheduler);
  }
}

// In the order of Mesos' allocator: who has the smallest dominant share is offered all.
void ConcurrentScheduler::begin_offers(const SchedulerInput& input) {
  std::vector<std::pair<std::uint64_t, std::size_t>> waiting;
  for (std::size_t i = 0; i < schedulers_.size(); ++i) {
    if (schedulers_[i].is_thinking() || !schedulers_[i].queue().has_ready()) continue;
    waiting.emplace_back(dominant_used_share(held_[i], input.cluster.capacity), i);
  }
  std::sort(waiting.begin(), waiting.end());
  for (const auto& [share, i] : waiting) {
    if (!offer(schedulers_[i])) return;
    begin(input, schedulers_[i]);
  }
}

void ConcurrentScheduler::begin(const SchedulerInput& input, SchedulerInstance& scheduler) {
  scheduler.take_snapshot(input);
  scheduler.think(input.cluster, transaction_of(input, scheduler));
  if (!settings_.is_measured) return decide_at_once(input, scheduler);
  const auto index = static_cast<std::size_t>(&scheduler - schedulers_.data());
  threads_->begin(index, scheduler.transaction()->number, [&scheduler] { scheduler.decide(); });
}

Transaction ConcurrentScheduler::transaction_of(const SchedulerInput& input,
                                                SchedulerInstance& scheduler) {
  Transaction transaction;
  transaction.number = ++transactions_;
  transaction.began = input.now;
  transaction.version = version_;
  transaction.releases = releases_;
  if (is_optimistic()) {
    transaction.jobs.push_back(scheduler.queue().take());
    return transaction;
  }
  transaction.offer = offered_;
  transaction.is_partial = std::any_of(
      holders_.begin(), holders_.end(),
      [&](const SchedulerInstance* holder) { return holder != nullptr && holder != &scheduler; });
  while (scheduler.queue().has_ready()) transaction.jobs.push_back(scheduler.queue().take());
  return transaction;
}

void ConcurrentScheduler::decide_at_once(const SchedulerInput& input,
                                         SchedulerInstance& scheduler) {
  scheduler.decide(input.cluster);
  const Transaction& transaction = *scheduler.transaction();
  const Duration thinking =
      thinking_about(input.cluster, std::span(transaction.jobs).first(transaction.decided));
  scheduler.queue().put_back(
      scheduler.end_deciding(input.now + std::max(thinking, microseconds(1)), thinking));
}

Duration ConcurrentScheduler::thinking_about(const ClusterModel& cluster,
                                             std::span<const ApplicationId> jobs) const {
  Duration thinking{};
  for (const ApplicationId job : jobs) {
    thinking += settings_.job_time + settings_.unit_time * pending_units(cluster, job);
  }
  return thinking;
}

bool ConcurrentScheduler::offer(SchedulerInstance& scheduler) {
  offered_ = Resources();
  holders_.resize(free_.nodes());
  bool has_nodes = false;
  for (std::size_t i = 0; i < holders_.size(); ++i) {
    const NodeId node(i);
    if (holders_[i] != nullptr || !free_.is_alive(node)) continue;
    if (!free_.limits().has_something(free_.free(node))) continue;
    holders_[i] = &scheduler;
    has_nodes = true;
    offered_ += free_.free(node);
    for (SchedulerInstance& other : schedulers_) {
      if (&other != &scheduler) other.close(node, true);
    }
  }
  return has_nodes;
}

// Who waits for room that others may have held is offered all once more when nobody holds anything.
void ConcurrentScheduler::end_offer(SchedulerInstance& scheduler) {
  bool is_all_open = true;
  for (std::size_t i = 0; i < holders_.size(); ++i) {
    if (holders_[i] == &scheduler) {
      holders_[i] = nullptr;
      for (SchedulerInstance& other : schedulers_) {
        if (&other != &scheduler) other.close(NodeId(i), false);
      }
    }
    is_all_open &= holders_[i] == nullptr;
  }
  if (!is_all_open) return;
  for (SchedulerInstance& each : schedulers_) {
    if (!each.is_passed_over()) continue;
    each.set_passed_over(false);
    each.queue().unblock();
  }
}

void ConcurrentScheduler::count_held(const ClusterModel& cluster) {
  std::fill(held_.begin(), held_.end(), Resources());
  cluster.containers.for_each([&](ContainerId, const Container& container) {
    const std::size_t owner = owner_of(container.application);
    if (owner != nobody) held_[owner] += container.resources;
  });
}

}  // namespace tracebed
