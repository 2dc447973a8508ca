#include "coordinator/monitoring/run_sampler.h"

#include <algorithm>

#include "coordinator/engine/waiting.h"
#include "coordinator/monitoring/limited_part.h"

namespace tracebed {
namespace {

constexpr std::int64_t looks_until_last_submit = 200;
constexpr std::size_t looks_before_doubling = 400;
constexpr std::size_t longest_max = 20;

Duration first_interval(TraceTime last_submit) {
  return std::max(Duration(seconds(1)), last_submit.time_since_epoch() / looks_until_last_submit);
}

bool waits_for_first(const ClusterModel& cluster, const Application& application,
                     bool is_accepted) {
  if (application.containers > 0) return false;
  if (!is_accepted) return true;
  return std::any_of(application.asks.begin(), application.asks.end(),
                     [&](AskId ask) { return cluster.asks[ask].pending > 0; });
}

bool waited_longer(const WaitingJob& a, const WaitingJob& b) {
  const Duration of_a = a.until - a.since;
  const Duration of_b = b.until - b.since;
  return of_a != of_b ? of_a > of_b : a.job < b.job;
}

}  // namespace

RunSampler::RunSampler(Engine& engine, const Names& names, const ResourceDimensions& dimensions,
                       TraceTime last_submit)
    : engine_(engine),
      names_(names),
      dimensions_(dimensions),
      page_(dimensions),
      shares_(engine, last_submit),
      interval_(first_interval(last_submit)) {}

std::vector<WaitingJob> RunSampler::waiting_now(TraceTime now) const {
  const ClusterModel& cluster = engine_.cluster();
  // Ids ascend with the time of submission, so the first are those that wait longest.
  std::vector<ApplicationId> found;
  cluster.applications.for_each([&](ApplicationId id, const Application& application) {
    if (found.size() == looked_at_max) return;
    if (waits_for_first(cluster, application, engine_.is_accepted(id))) found.push_back(id);
  });
  std::vector<WaitingJob> jobs;
  for (const ApplicationId id : found) {
    const Application& application = cluster.applications[id];
    WaitingJob job{application.job,
                   names_.users.name(application.user),
                   application.leaf.is_valid() ? engine_.leaves().name(application.leaf)
                                               : names_.queues.name(application.queue),
                   application.submitted,
                   now,
                   {}};
    for (const WaitingReason& reason :
         why_application_waits(engine_.scheduler(), cluster, id, engine_.is_accepted(id))) {
      job.reasons.emplace_back(name(reason.reason), reason.text);
    }
    jobs.push_back(std::move(job));
  }
  return jobs;
}

void RunSampler::look_at_queues(TraceTime now, const SchedulerView& view) {
  if (view.queues.empty()) return;
  const ClusterModel& cluster = engine_.cluster();
  std::vector<LeafUse> by_leaf(engine_.leaves().size());
  cluster.containers.for_each([&](ContainerId id, const Container& container) {
    const LeafId leaf = engine_.container_state(id).leaf;
    if (leaf.is_valid()) by_leaf[leaf.index()].used += container.resources;
  });
  for (const ReservationView& reservation : view.reservations) {
    const Application* application = cluster.applications.find(reservation.application);
    if (application == nullptr || !application->leaf.is_valid()) continue;
    by_leaf[application->leaf.index()].reserved += reservation.resources;
  }
  LeafUses uses;
  for (std::size_t i = 0; i < by_leaf.size(); ++i) {
    uses.emplace(engine_.leaves().name(LeafId(i)), by_leaf[i]);
  }
  queues_.add(now, cluster.capacity, view, uses);
}

void RunSampler::look(TraceTime now) {
  const ClusterModel& cluster = engine_.cluster();
  const SchedulerView view = engine_.scheduler().view(cluster);
  look_at_queues(now, view);
  last_look_ = now;
  page_.look(now, limited_part(cluster.limits, cluster.capacity), cluster.free, view);
  shares_.take(view);
  choices_.take(view, cluster);
  engine_.keep_choices(1);
  for (const WaitingJob& job : waiting_now(now)) {
    if (!job.reasons.empty()) ++by_reason_[job.reasons.front().first];
    keep(job);
  }
  if (++looks_ == looks_before_doubling) {
    looks_ /= 2;
    interval_ *= 2;
  }
  next_ = now + interval_;
}

void RunSampler::keep(const WaitingJob& job) {
  jobs_[job.job] = job;
  if (jobs_.size() <= kept_max) return;
  const auto shortest = std::max_element(
      jobs_.begin(), jobs_.end(),
      [](const auto& a, const auto& b) { return waited_longer(a.second, b.second); });
  jobs_.erase(shortest);
}

WaitingJobs RunSampler::waiting() const {
  WaitingJobs result;
  result.by_reason.assign(by_reason_.begin(), by_reason_.end());
  for (const auto& [id, job] : jobs_) result.longest.push_back(job);
  std::sort(result.longest.begin(), result.longest.end(), waited_longer);
  result.longest.resize(std::min(result.longest.size(), longest_max));
  return result;
}

}  // namespace tracebed
