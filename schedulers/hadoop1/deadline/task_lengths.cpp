#include "schedulers/hadoop1/deadline/task_lengths.h"

#include <algorithm>

namespace tracebed {

void TaskLengths::follow(const SchedulerInput& input, const SlotJobs& jobs,
                         const SlotJobs::Changes& changes) {
  changed_.clear();
  see_new(input.cluster, jobs);
  for (const SlotJobs::Ended& ended : changes.ended) end(ended, jobs, input.now);
  for (const SlotJob& job : changes.removed) jobs_.erase(job.id);
  last_call_ = input.now;
}

void TaskLengths::see_new(const ClusterModel& cluster, const SlotJobs& jobs) {
  const ContainerId end = cluster.containers.next_id();
  for (; next_ < end; next_ = ContainerId(next_.value() + 1)) {
    const Container* const container = cluster.containers.find(next_);
    if (container == nullptr) continue;
    const std::optional<SlotKind> kind = jobs.kind_of(*container);
    const SlotJob* const job = jobs.find(container->application);
    if (!kind || job == nullptr) continue;
    const Running running{container->application, *kind, container->units, container->allocated};
    running_.emplace(next_, running);
    changed_.push_back(running.application);
    Tasks& tasks = jobs_[container->application];
    tasks.running[*kind] += running.units;
    tasks.starts[*kind] += TimeSum{running.units} * to_microseconds(running.allocated);
  }
}

void TaskLengths::end(const SlotJobs::Ended& ended, const SlotJobs& jobs, TraceTime now) {
  // What was gone before it was seen was allocated in the last call.
  TraceTime allocated = last_call_;
  const auto found = running_.find(ended.container);
  if (found != running_.end()) {
    const Running& running = found->second;
    allocated = running.allocated;
    if (const auto known = jobs_.find(running.application); known != jobs_.end()) {
      known->second.running[running.kind] -= running.units;
      known->second.starts[running.kind] -= TimeSum{running.units} * to_microseconds(allocated);
    }
    running_.erase(found);
  }
  const SlotJob* const job = jobs.find(ended.application);
  if (job == nullptr || !ended.has_succeeded) return;
  unpublished_.insert(job->user);
  for (EndedTasks* tasks : {&jobs_[job->id].ended[ended.kind], &users_[job->user][ended.kind]}) {
    tasks->tasks += ended.units;
    tasks->total += TimeSum{ended.units} * (now - allocated).count();
  }
}

void TaskLengths::publish() {
  for (const UserId user : unpublished_) published_[user] = users_.at(user);
  unpublished_.clear();
}

std::optional<Duration> TaskLengths::of(const SlotJob& job, SlotKind kind) const {
  if (const auto own = jobs_.find(job.id); own != jobs_.end()) {
    if (const auto mean = own->second.ended[kind].mean()) return mean;
  }
  const auto user = published_.find(job.user);
  return user == published_.end() ? std::nullopt : user->second[kind].mean();
}

double TaskLengths::done(const SlotJob& job, SlotKind kind, TraceTime now, Duration length) const {
  const auto found = jobs_.find(job.id);
  if (found == jobs_.end()) return 0;
  const Tasks& tasks = found->second;
  const TimeSum running = tasks.running[kind];
  const TimeSum sum = running * to_microseconds(now) - tasks.starts[kind];
  return static_cast<double>(std::clamp(sum, TimeSum{0}, running * length.count()));
}

}  // namespace tracebed
