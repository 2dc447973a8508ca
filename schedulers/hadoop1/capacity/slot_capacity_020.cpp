// What generations 0.20.0 and 0.20.2 of Hadoop 1's Capacity Scheduler do on a heartbeat, and how
// 0.20.0 gives capacity back.
#include <algorithm>

#include "schedulers/hadoop1/capacity/slot_capacity.h"

namespace tracebed {

void SlotCapacityScheduler::serve_020(NodeId node, SlotOffer& offer) {
  const SlotTable& table = jobs_.table();
  const bool reduces_come_first =
      table.free(node, SlotKind::reduce) > table.free(node, SlotKind::map);
  const SlotKind first = reduces_come_first ? SlotKind::reduce : SlotKind::map;
  const SlotKind second = reduces_come_first ? SlotKind::map : SlotKind::reduce;
  const Found found = give_020(node, first, offer);
  if (found == Found::near) return;
  give_020(node, second, offer);
}

SlotCapacityScheduler::Found SlotCapacityScheduler::give_020(NodeId node, SlotKind kind,
                                                             SlotOffer& offer) {
  if (jobs_.table().free(node, kind) <= 0 || jobs_.pending(kind) == 0) return Found::nothing;
  for (const SlotQueueRank& rank : order_[kind]) {
    const std::size_t index = rank.index;
    SlotQueue& queue = queues_[index];
    if (queue.capacity[kind] == 0) continue;
    const Found found = give_of_020(queue, node, kind, offer);
    if (found == Found::nothing) continue;
    if (found == Found::near) {
      queue.reclaims[kind].got_one();
      put_in_order(index);
    }
    return found;
  }
  return Found::nothing;
}

SlotCapacityScheduler::Found SlotCapacityScheduler::give_of_020(SlotQueue& queue, NodeId node,
                                                                SlotKind kind, SlotOffer& offer) {
  Found found = Found::nothing;
  for (const bool heeds_limits : {true, false}) {
    const auto is_over = queue.waiting(kind).visit_with_room(
        [&](const Resources& demand) { return concerns(demand, node, kind, offer); },
        [&](const SlotJobKey& key) {
          QueuedJob& job = queued_.at(key.id);
          if (heeds_limits && queue.is_user_over_limit(job, kind)) return false;
          if (job.slots_per_task(kind) > jobs_.table().free(node, kind)) {
            found = Found::too_few_slots;
          } else if (offer.place(*job.job, kind, node)) {
            found = Found::near;
            count(job);
          }
          return found != Found::nothing;
        });
    if (is_over) return found;
  }
  return found;
}

// ---- 0.20.0: giving capacity back ----

// Whether a check would find something: requests that go on, or a queue that could file one.
bool SlotCapacityScheduler::is_reclaiming() const {
  for (const SlotKind kind : slot_kinds) {
    bool has_excess = false;
    bool has_lack = false;
    for (const SlotQueue& queue : queues_) {
      if (!queue.reclaims[kind].is_empty()) return true;
      has_excess |= queue.occupied(kind) > queue.capacity[kind];
      has_lack |= queue.occupied(kind) < queue.capacity[kind] && queue.pending(kind) > 0;
    }
    if (has_excess && has_lack) return true;
  }
  return false;
}

void SlotCapacityScheduler::wake(Decisions& decisions) {
  check_at_ = never;
  // With one queue the original does not look.
  if (queues_.size() < 2 || !is_reclaiming()) return;
  const Duration interval = settings_.file.reclaim_interval;
  check_at_ = TraceTime(now_.time_since_epoch() - now_.time_since_epoch() % interval + interval);
  if (check_at_ >= wake_at_) return;
  decisions.wake_at(check_at_);
  wake_at_ = check_at_;
}

void SlotCapacityScheduler::reclaim(const ClusterModel& cluster, Decisions& decisions) {
  for (const SlotKind kind : slot_kinds) reclaim(cluster, kind, decisions);
}

void SlotCapacityScheduler::reclaim(const ClusterModel& cluster, SlotKind kind,
                                    Decisions& decisions) {
  std::vector<std::size_t> order;
  for (const SlotQueueRank& rank : order_[kind]) order.push_back(rank.index);
  const SlotQueue& last = queues_[order.back()];
  const bool has_excess = last.occupied(kind) > last.capacity[kind];
  std::int64_t tasks = 0;
  for (const std::size_t index : order) {
    SlotQueue& queue = queues_[index];
    if (queue.capacity[kind] <= 0) continue;
    tasks += queue.reclaims[kind].check({.capacity = queue.capacity[kind],
                                         .running = queue.occupied(kind),
                                         .pending = queue.pending(kind),
                                         .limit = queue.rules.reclaim_limit},
                                        now_, now_ + settings_.file.reclaim_interval,
                                        settings_.heartbeat, has_excess);
  }
  for (const std::size_t index : order) put_in_order(index);
  if (tasks == 0) return;
  std::vector<std::int64_t> excess;
  for (const std::size_t index : order) {
    const SlotQueue& queue = queues_[index];
    excess.push_back(std::max<std::int64_t>(queue.occupied(kind) - queue.capacity[kind], 0));
  }
  const std::vector<std::int64_t> kills = divide_kills(excess, tasks);
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (kills[i] > 0) kill(cluster, queues_[order[i]], kind, kills[i], decisions);
  }
}

// The newest jobs first; of a job what is far from its input first, then the newest.
void SlotCapacityScheduler::kill(const ClusterModel& cluster, const SlotQueue& queue, SlotKind kind,
                                 std::int64_t tasks, Decisions& decisions) const {
  struct Victim {
    bool is_near = false;
    TraceTime allocated{};
    ContainerId id;
  };
  std::map<ApplicationId, std::vector<Victim>> of_jobs;
  cluster.containers.for_each([&](ContainerId id, const Container& container) {
    if (container.is_being_killed || jobs_.is_of_gang(container)) return;
    if (jobs_.kind_of(container) != kind) return;
    of_jobs[container.application].push_back(
        {container.locality != Locality::off_switch, container.allocated, id});
  });
  std::int64_t left = tasks;
  for (auto job = queue.jobs.rbegin(); job != queue.jobs.rend() && left > 0; ++job) {
    const auto victims = of_jobs.find((*job)->job->id);
    if (victims == of_jobs.end()) continue;
    std::sort(victims->second.begin(), victims->second.end(), [](const Victim& a, const Victim& b) {
      if (a.is_near != b.is_near) return b.is_near;
      return std::pair(a.allocated, a.id) > std::pair(b.allocated, b.id);
    });
    for (const Victim& victim : victims->second) {
      if (left == 0) break;
      decisions.kill(victim.id, "other queues get their capacity back from " + queue.rules.name);
      --left;
    }
  }
}

}  // namespace tracebed
