// What Hadoop 1's Capacity Scheduler tells about itself, how large containers are, and its queues
// while it runs.
#include <algorithm>
#include <optional>

#include "schedulers/hadoop1/capacity/slot_capacity.h"
#include "schedulers/hadoop1/kind_figures.h"
#include "schedulers/hadoop1/slot_figures.h"
#include "schedulers/hadoop1/slot_waiting.h"

namespace tracebed {

// Which kind of task an ask will be for is not said here, so the larger of the two limits counts;
// as in most clusters both are the same.
Result<Resources> SlotCapacityScheduler::container_size(ApplicationId /*id*/,
                                                        const Resources& demand) const {
  const std::int64_t most = std::max(settings_.task_mib_max.map, settings_.task_mib_max.reduce);
  if (most == 0 || demand.memory_mib() <= most) return demand;
  return Error{"a task asks for " + std::to_string(demand.memory_mib()) +
               " MiB, but no task may have more than " + std::to_string(most) + " MiB"};
}

Status SlotCapacityScheduler::reconfigure(const SchedulerParameters& parameters,
                                          const ClusterModel& /*cluster*/) {
  if (!is_of(SlotCapacityGeneration::has_maxima)) {
    return Error{
        "scheduler slot_capacity: expected generation 1.x, since 0.20 reads its queues only at "
        "start"};
  }
  Result<SlotCapacitySettings> read = read_slot_capacity_settings(parameters);
  if (!read) return read.error();
  if (read->generation != settings_.generation ||
      !(read->sizes.slot_mib == settings_.sizes.slot_mib)) {
    return Error{"scheduler slot_capacity: expected unchanged generation and slots"};
  }
  const std::vector<SlotQueueRules>& rules = read->file.queues;
  for (const SlotQueue& queue : queues_) {
    const bool exists = std::any_of(rules.begin(), rules.end(), [&](const SlotQueueRules& one) {
      return one.name == queue.rules.name;
    });
    if (!exists) return Error{"queue " + queue.rules.name + " is gone, and no queue may be"};
  }
  settings_.file = std::move(read->file);
  for (const SlotQueueRules& one : settings_.file.queues) {
    const auto known = queue_names_.find(one.name);
    if (known == queue_names_.end()) {
      add(one);
      continue;
    }
    SlotQueue& queue = queues_[known->second];
    // Whether priorities count is decided when a queue is made, as in the original.
    const bool had_priority = queue.rules.supports_priority;
    queue.rules = one;
    queue.rules.supports_priority = had_priority;
    queue.maximum = {};
  }
  measure_all();
  let_jobs_run();
  return success();
}

std::string_view SlotCapacityScheduler::leaf_of(ApplicationId id) const {
  const auto found = queued_.find(id);
  return found == queued_.end() ? std::string_view() : queues_[found->second.queue].rules.name;
}

SchedulerView SlotCapacityScheduler::view(const ClusterModel& cluster) const {
  SchedulerView view;
  for (const SlotQueueRank& rank : order_[SlotKind::map]) {
    const SlotQueue& queue = queues_[rank.index];
    QueueView shown;
    shown.queue = {queue.rules.name, true, {}};
    double slots = 0;
    for (const SlotKind kind : slot_kinds) {
      const auto add = [&](std::string_view id, std::string_view label, std::int64_t count) {
        shown.queue.figures.push_back({id_of_kind(id, kind), label_of_kind(label, kind), count});
      };
      add("capacity", "Capacity", queue.capacity[kind]);
      add("occupied", "Used Capacity", queue.occupied(kind));
      add("pending", "Waiting Tasks", queue.pending(kind));
      add("active_users", "", queue.active_users(kind));
      slots += static_cast<double>(queue.capacity[kind]);
    }
    shown.entitled = part_of_cluster(cluster, jobs_.table(), slots);
    for (const QueuedJob* job : queue.jobs) {
      const Application* application = cluster.applications.find(job->job->id);
      if (application != nullptr) shown.used += application->used;
      (job->may_run ? shown.active : shown.waiting).push_back(job->job->id);
    }
    view.queues.push_back(std::move(shown));
  }
  for (const auto& [id, job] : queued_) {
    ApplicationView& shown = view.applications.emplace_back();
    shown.application = id;
    shown.queue = queues_[job.queue].rules.name;
    shown.is_active = job.may_run;
    shown.headroom = cluster.free;
    const auto add = [&](FigureName figure, std::int64_t count) {
      shown.figures.push_back({std::move(figure), {}, count});
    };
    add("missed_offers", job.offers);
    for (const SlotKind kind : slot_kinds) {
      add(id_of_kind("occupied", kind), job.occupied(kind));
      add(id_of_kind("reserved_nodes", kind), job.reserved_nodes[kind]);
    }
  }
  return view;
}

std::vector<WaitingReason> SlotCapacityScheduler::why_waiting(const ClusterModel& cluster,
                                                              ApplicationId id, AskId ask) const {
  const auto found = queued_.find(id);
  if (found == queued_.end()) return {};
  const QueuedJob& job = found->second;
  const SlotQueue& queue = queues_[job.queue];
  const std::string queue_text = "queue " + queue.rules.name;
  if (!job.may_run) {
    return {{WaitingFor::running_limit, "of " + queue_text + " at most " +
                                            std::to_string(queue.rules.running_max) +
                                            " jobs run at a time, of one user " +
                                            std::to_string(queue.rules.running_of_user_max)}};
  }
  for (const SlotKind kind : slot_kinds) {
    if (job.job->wanting(kind) == nullptr) continue;
    const std::string kind_text(name_of(kind));
    if (is_of(SlotCapacityGeneration::has_maxima)) {
      if (!fits_below_maximum(queue.maximum[kind], queue.occupied(kind),
                              job.slots_per_task(kind))) {
        return {{WaitingFor::queue_room,
                 queue_text + " takes " + std::to_string(queue.occupied(kind)) + " of at most " +
                     std::to_string(*queue.maximum[kind]) + " " + kind_text + " slots"}};
      }
      if (!queue.may_take(job, kind)) {
        return {{WaitingFor::user_limit,
                 "its user has as many " + kind_text + " slots of " + queue_text + " as it may"}};
      }
    } else if (queue.capacity[kind] == 0) {
      return {{WaitingFor::queue_room, queue_text + " has no capacity in " + kind_text + " slots"}};
    }
  }
  return why_slots_are_waited_for(cluster, jobs_, *job.job, ask);
}

}  // namespace tracebed
