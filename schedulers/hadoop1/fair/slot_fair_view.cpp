// What Hadoop 1's Fair Scheduler tells about itself.
#include <algorithm>

#include "schedulers/hadoop1/fair/slot_fair.h"
#include "schedulers/hadoop1/slot_figures.h"
#include "schedulers/hadoop1/slot_waiting.h"
#include "schedulers/yarn/explained.h"

namespace tracebed {
namespace {

double share_of(const SlotPool& pool, bool has_deficits, SlotKind kind) {
  if (!has_deficits) return pool.ratios[kind].share;
  double share = 0;
  for (const PooledJob* job : pool.jobs) share += job->deficits[kind].share;
  return share;
}

void add_figures(const SlotPool& pool, double share, SlotKind kind,
                 std::vector<ExplainedFigure>& figures) {
  const std::string suffix = " (" + std::string(name_of(kind)) + ")";
  std::int64_t running = 0;
  for (const PooledJob* job : pool.jobs) running += job->job->running[kind];
  figures.push_back({"Running Tasks" + suffix, std::to_string(running), ""});
  figures.push_back({"Min Share" + suffix, std::to_string(pool.rules.minimum[kind]), ""});
  figures.push_back({"Fair Share" + suffix, number_text(share), ""});
}

void add_logged(std::int64_t now, std::int64_t so_far, SlotKind kind,
                std::vector<ExplainedFigure>& figures) {
  const std::string suffix = " (" + std::string(name_of(kind)) + ")";
  figures.push_back({"Should Preempt" + suffix, std::to_string(now),
                     "tasks of other pools; nothing is taken, as "
                     "mapred.fairscheduler.preemption.only.log says"});
  figures.push_back({"Should Have Preempted" + suffix, std::to_string(so_far),
                     "Σ over the times at which it was looked"});
}

void add_numbers(const SlotPool& pool, double share, SlotKind kind,
                 std::vector<ViewNumber>& numbers) {
  std::int64_t running = 0;
  for (const PooledJob* job : pool.jobs) running += job->job->running[kind];
  const std::string suffix = "_" + std::string(name_of(kind));
  numbers.push_back({"running" + suffix, static_cast<double>(running)});
  numbers.push_back({"minimum" + suffix, static_cast<double>(pool.rules.minimum[kind])});
  numbers.push_back({"fair_share" + suffix, share});
}

void add_numbers(const PooledJob& job, bool has_deficits, SlotKind kind,
                 std::vector<ViewNumber>& numbers) {
  const std::string suffix = "_" + std::string(name_of(kind));
  numbers.push_back({"running" + suffix, static_cast<double>(job.job->running[kind])});
  numbers.push_back({"pending" + suffix, static_cast<double>(job.job->pending[kind])});
  const DeficitFigures& deficits = job.deficits[kind];
  const RatioFigures& ratios = job.ratios[kind];
  numbers.push_back({"fair_share" + suffix, has_deficits ? deficits.share : ratios.share});
  numbers.push_back({"weight" + suffix, has_deficits ? deficits.weight : ratios.weight});
  if (!has_deficits) {
    numbers.push_back({"demand" + suffix, static_cast<double>(ratios.demand)});
    return;
  }
  numbers.push_back({"minimum" + suffix, static_cast<double>(deficits.minimum)});
  numbers.push_back({"deficit" + suffix, static_cast<double>(deficits.deficit)});
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
      add_figures(pool, of_kind, kind, queue.queue.figures);
      if (settings_.preempts && settings_.only_logs_preemption) {
        add_logged(by_ratio_.slots_to_take_for(pool, kind, now_), pool.should_have_preempted[kind],
                   kind, queue.queue.figures);
      }
      add_numbers(pool, of_kind, kind, queue.numbers);
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
    ApplicationView shown{id, job.pool->name, job.is_runnable, cluster.free, {}, {}, {}};
    for (const SlotKind kind : slot_kinds) {
      add_numbers(job, has_deficits(), kind, shown.numbers);
    }
    if (!has_deficits()) {
      const std::string level(name(job.delay.allowed(settings_.delays)));
      shown.figures.push_back({"Allowed Locality Level", level, ""});
      shown.numbers.push_back({"waited_for_places", to_seconds(job.delay.waited())});
    }
    for (const SlotKind kind : slot_kinds) {
      const std::string suffix = " (" + std::string(name_of(kind)) + ")";
      const double share = has_deficits() ? job.deficits[kind].share : job.ratios[kind].share;
      shown.figures.push_back({"Fair Share" + suffix, number_text(share), ""});
      if (!has_deficits()) continue;
      shown.figures.push_back({"Deficit" + suffix, std::to_string(job.deficits[kind].deficit),
                               "Σ (share − running) × milliseconds"});
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
