#include "schedulers/hadoop1/deadline/task_lengths.h"

#include <algorithm>

namespace tracebed {

void TaskLengths::follow(const SchedulerInput& input, const SlotJobs& jobs) {
  changed_.clear();
  see_new(input.cluster, jobs);
  for (const SchedulerEvent& event : input.events) {
    if (const auto* finished = std::get_if<ContainerFinished>(&event)) {
      end(*finished, input.now);
    } else if (const auto* removed = std::get_if<ApplicationRemoved>(&event)) {
      jobs_.erase(removed->application);
    }
  }
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
    tasks.user = job->user;
    tasks.running[*kind] += running.units;
    tasks.starts[*kind] += TimeSum{running.units} * to_microseconds(running.allocated);
  }
}

void TaskLengths::end(const ContainerFinished& finished, TraceTime now) {
  const auto found = running_.find(finished.container);
  if (found == running_.end()) return;
  const Running running = found->second;
  running_.erase(found);
  const auto job = jobs_.find(running.application);
  if (job == jobs_.end()) return;
  Tasks& tasks = job->second;
  tasks.running[running.kind] -= running.units;
  tasks.starts[running.kind] -= TimeSum{running.units} * to_microseconds(running.allocated);
  if (finished.end != ContainerEnd::succeeded) return;
  unpublished_.insert(tasks.user);
  for (EndedTasks* ended : {&tasks.ended[running.kind], &users_[tasks.user][running.kind]}) {
    ended->tasks += running.units;
    ended->total += TimeSum{running.units} * (now - running.allocated).count();
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
