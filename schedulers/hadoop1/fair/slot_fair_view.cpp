// What Hadoop 1's Fair Scheduler tells about itself.
#include <algorithm>

#include "schedulers/hadoop1/fair/slot_fair.h"
#include "schedulers/hadoop1/kind_figures.h"
#include "schedulers/hadoop1/slot_figures.h"
#include "schedulers/hadoop1/slot_waiting.h"

namespace tracebed {
namespace {

double share_of(const SlotPool& pool, bool has_deficits, SlotKind kind) {
  if (!has_deficits) return pool.ratios[kind].share;
  double share = 0;
  for (const PooledJob* job : pool.jobs) share += job->deficits[kind].share;
  return share;
}

// Figures of one kind of slots.
class KindFigures {
 public:
  KindFigures(SlotKind kind, std::vector<Figure>& figures) : kind_(kind), figures_(figures) {}

  // Without a label it is for programs alone.
  void add(std::string_view id, std::string_view label, FigureValue value,
           std::string formula = "") {
    figures_.push_back(
        {id_of_kind(id, kind_), label_of_kind(label, kind_), std::move(value), std::move(formula)});
  }

 private:
  SlotKind kind_;
  std::vector<Figure>& figures_;
};

void add_figures(const SlotPool& pool, double share, SlotKind kind, KindFigures& figures) {
  std::int64_t running = 0;
  for (const PooledJob* job : pool.jobs) running += job->job->running[kind];
  figures.add("running", "Running Tasks", running);
  figures.add("minimum", "Min Share", pool.rules.minimum[kind]);
  figures.add("fair_share", "Fair Share", share);
}

void add_logged(std::int64_t now, std::int64_t so_far, KindFigures& figures) {
  figures.add("should_preempt", "Should Preempt", now,
              "tasks of other pools; none is preempted (mapred.fairscheduler.preemption.only.log)");
  figures.add("should_have_preempted", "Should Have Preempted", so_far,
              "Σ over the times at which it was looked");
}

void add_figures(const PooledJob& job, bool has_deficits, SlotKind kind, KindFigures& figures) {
  const DeficitFigures& deficits = job.deficits[kind];
  const RatioFigures& ratios = job.ratios[kind];
  figures.add("fair_share", "Fair Share", has_deficits ? deficits.share : ratios.share);
  if (has_deficits) {
    figures.add("deficit", "Deficit", std::int64_t{deficits.deficit},
                "Σ (share − running) × milliseconds");
    figures.add("minimum", "", std::int64_t{deficits.minimum});
  } else {
    figures.add("demand", "", std::int64_t{ratios.demand});
  }
  figures.add("running", "", std::int64_t{job.job->running[kind]});
  figures.add("pending", "", std::int64_t{job.job->pending[kind]});
  figures.add("weight", "", has_deficits ? deficits.weight : ratios.weight);
}

}  // namespace

std::string_view SlotFairScheduler::leaf_of(ApplicationId id) const {
  const PooledJob* job = pools_.find(id);
  return job == nullptr ? std::string_view() : job->pool->name;
}

SchedulerView SlotFairScheduler::view(const ClusterModel& cluster) const {
  SchedulerView view;
  for (const auto& [name, pool] : pools_.all()) {
    QueueView queue;
    queue.queue = {name, true, {}};
    double share = 0;
    for (const SlotKind kind : slot_kinds) {
      const double of_kind = share_of(pool, has_deficits(), kind);
      KindFigures figures(kind, queue.queue.figures);
      add_figures(pool, of_kind, kind, figures);
      if (settings_.preempts && settings_.only_logs_preemption) {
        add_logged(by_ratio_.slots_to_take_for(pool, kind, now_), pool.should_have_preempted[kind],
                   figures);
      }
      share += of_kind;
    }
    queue.entitled = part_of_cluster(cluster, jobs_.table(), share);
    for (const PooledJob* job : pool.jobs) {
      const Application* application = cluster.applications.find(job->job->id);
      if (application != nullptr) queue.used += application->used;
      (job->is_runnable ? queue.active : queue.waiting).push_back(job->job->id);
    }
    view.queues.push_back(std::move(queue));
  }
  for (const auto& [id, job] : pools_.jobs()) {
    ApplicationView shown{id, job.pool->name, job.is_runnable, cluster.free, {}};
    if (!has_deficits()) {
      shown.figures.push_back({"allowed_locality_level", "Allowed Locality Level",
                               std::string(name(by_ratio_.allowed_level(cluster, job, now_)))});
      shown.figures.push_back({"waited_for_places", {}, job.delay.waited()});
    }
    for (const SlotKind kind : slot_kinds) {
      KindFigures figures(kind, shown.figures);
      add_figures(job, has_deficits(), kind, figures);
    }
    view.applications.push_back(std::move(shown));
  }
  if (!has_deficits()) view.preemptions = preemption_.view(cluster, now_);
  return view;
}

std::vector<WaitingReason> SlotFairScheduler::why_waiting(const ClusterModel& cluster,
                                                          ApplicationId id, AskId ask) const {
  const PooledJob* job = pools_.find(id);
  if (job == nullptr) return {};
  if (!job->is_runnable) {
    const auto& most = job->pool->rules.maximum_running;
    return {{WaitingFor::running_limit,
             "as many jobs of pool " + job->pool->name + " or user " + job->user +
                 " run as may at a time" +
                 (most ? " (of the pool " + std::to_string(*most) + ")" : "")}};
  }
  for (const SlotKind kind : slot_kinds) {
    if (job->job->wanting(kind) == nullptr || job->pool->may_run_more(kind)) continue;
    return {{WaitingFor::queue_room, "pool " + job->pool->name + " runs its maximum of " +
                                         std::to_string(*job->pool->rules.maximum[kind]) + " " +
                                         std::string(name_of(kind)) + " tasks"}};
  }
  return why_slots_are_waited_for(cluster, jobs_, *job->job, ask);
}

}  // namespace tracebed
