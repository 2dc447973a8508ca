// What generation 1.x of Hadoop 1's Capacity Scheduler does on a heartbeat.
#include <algorithm>

#include "schedulers/hadoop1/capacity/slot_capacity.h"

namespace tracebed {

void SlotCapacityScheduler::serve_1x(const ClusterModel& cluster, NodeId node, SlotOffer& offer) {
  std::int64_t given = 0;
  bool may_be_far = true;
  std::int64_t after_off_switch = settings_.file.tasks_after_off_switch;
  while (jobs_.table().free(node, SlotKind::map) > 0) {
    const Found found = give_1x(cluster, node, SlotKind::map, may_be_far, offer);
    if (found == Found::nothing || found == Found::too_few_slots) break;
    if (++given >= settings_.file.tasks_per_heartbeat_max) break;
    if (found == Found::off_switch) may_be_far = false;
    if (may_be_far) continue;
    if (after_off_switch == 0) break;
    --after_off_switch;
  }
  if (jobs_.table().free(node, SlotKind::reduce) > 0) {
    give_1x(cluster, node, SlotKind::reduce, true, offer);
  }
}

SlotCapacityScheduler::Found SlotCapacityScheduler::give_1x(const ClusterModel& cluster,
                                                            NodeId node, SlotKind kind,
                                                            bool may_be_far, SlotOffer& offer) {
  if (reserved_[kind].contains(node)) return serve_reservation(cluster, node, kind, offer);
  if (jobs_.pending(kind) == 0) return Found::nothing;
  for (const SlotQueueRank& rank : order_[kind]) {
    SlotQueue& queue = queues_[rank.index];
    if (!fits_below_maximum(queue.maximum[kind], queue.occupied(kind), 1)) continue;
    const Found found = give_of_1x(cluster, queue, node, kind, may_be_far, offer);
    if (found != Found::nothing) return found;
  }
  return Found::nothing;
}

SlotCapacityScheduler::Found SlotCapacityScheduler::give_of_1x(const ClusterModel& cluster,
                                                               SlotQueue& queue, NodeId node,
                                                               SlotKind kind, bool may_be_far,
                                                               SlotOffer& offer) {
  Found found = Found::nothing;
  const auto give_to = [&](const SlotJobKey& key) {
    QueuedJob& job = queued_.at(key.id);
    if (!queue.may_take(job, kind)) return false;
    const std::int64_t slots = job.slots_per_task(kind);
    if (slots <= jobs_.table().free(node, kind)) {
      found = give_job(cluster, job, node, kind, may_be_far, offer);
      if (found != Found::nothing) count(job);
      return found != Found::nothing;
    }
    const bool has_enough_kept = job.reserved_nodes[kind] >= job.job->pending[kind];
    if (has_enough_kept || slots > jobs_.table().unloaded_total(node, kind)) return false;
    reserve(node, kind, job);
    found = Found::too_few_slots;
    return true;
  };
  queue.waiting(kind).visit_with_room(
      [&](const Resources& demand) { return concerns(demand, node, kind, offer); }, give_to);
  return found;
}

bool SlotCapacityScheduler::concerns(const Resources& demand, NodeId node, SlotKind kind,
                                     const SlotOffer& offer) const {
  return offer.has_room(node, demand) ||
         settings_.sizes.of(kind, demand) > jobs_.table().free(node, kind);
}

SlotCapacityScheduler::Found SlotCapacityScheduler::give_job(const ClusterModel& cluster,
                                                             QueuedJob& job, NodeId node,
                                                             SlotKind kind, bool may_be_far,
                                                             SlotOffer& offer) {
  if (kind == SlotKind::reduce) {
    return offer.place(*job.job, kind, node) ? Found::near : Found::nothing;
  }
  ++job.offers;
  if (offer.place(*job.job, kind, node, Locality::rack)) {
    job.offers = 0;
    return Found::near;
  }
  const bool takes_several = job.slots_per_task(kind) > 1;
  if (!takes_several && !(may_be_far && has_waited_for_places(cluster, job))) return Found::nothing;
  return offer.place(*job.job, kind, node) ? Found::off_switch : Found::nothing;
}

// JobInProgress.scheduleOffSwitch.
bool SlotCapacityScheduler::has_waited_for_places(const ClusterModel& cluster,
                                                  QueuedJob& job) const {
  const std::int64_t nodes = jobs_.table().alive_nodes();
  if (!job.wait_factor) {
    const auto named = static_cast<float>(named_nodes(cluster, *job.job));
    job.wait_factor = std::min(1.0F, named / static_cast<float>(std::max<std::int64_t>(nodes, 1)));
  }
  const std::int64_t unfinished = job.job->pending.map + job.job->running.map;
  return static_cast<float>(std::min(unfinished, nodes)) * *job.wait_factor <
         static_cast<float>(job.offers);
}

// ---- keeping nodes ----

SlotCapacityScheduler::Found SlotCapacityScheduler::serve_reservation(const ClusterModel& cluster,
                                                                      NodeId node, SlotKind kind,
                                                                      SlotOffer& offer) {
  QueuedJob& job = queued_.at(reserved_[kind].at(node));
  if (job.slots_per_task(kind) > jobs_.table().free(node, kind)) return Found::too_few_slots;
  unreserve(node, kind);
  // It has waited for the slots, so it takes them wherever its input is.
  constexpr std::int64_t overridden = 1'000'000;
  if (kind == SlotKind::map) job.offers = overridden;
  const Found found = give_job(cluster, job, node, kind, true, offer);
  count(job);
  return found;
}

void SlotCapacityScheduler::reserve(NodeId node, SlotKind kind, QueuedJob& job) {
  reserved_[kind].emplace(node, job.job->id);
  ++job.reserved_nodes[kind];
  count(job);
}

void SlotCapacityScheduler::unreserve(NodeId node, SlotKind kind) {
  const auto found = reserved_[kind].find(node);
  if (found == reserved_[kind].end()) return;
  QueuedJob& job = queued_.at(found->second);
  --job.reserved_nodes[kind];
  reserved_[kind].erase(found);
  count(job);
}

// More nodes than the job has tasks for them.
void SlotCapacityScheduler::drop_idle_reservations() {
  for (const SlotKind kind : slot_kinds) {
    std::vector<NodeId> idle;
    std::map<ApplicationId, std::int64_t> kept;
    for (const auto& [node, id] : reserved_[kind]) {
      if (++kept[id] > queued_.at(id).job->pending[kind]) idle.push_back(node);
    }
    for (const NodeId node : idle) unreserve(node, kind);
  }
}

}  // namespace tracebed
