#include "coordinator/monitoring/application_history.h"

namespace tracebed {
namespace {

void count(JobOutcome outcome, ApplicationCounts& counts) {
  switch (outcome) {
    case JobOutcome::succeeded:
      ++counts.succeeded;
      return;
    case JobOutcome::failed:
      ++counts.failed;
      return;
    case JobOutcome::rejected:
      ++counts.rejected;
      return;
    case JobOutcome::killed:
      ++counts.killed;
      return;
  }
}

}  // namespace

void add_use(ApplicationUse& use, const Resources& container, Duration held) {
  constexpr double milli = 1e-3;
  use.mib_seconds += static_cast<double>(container.memory_mib()) * to_seconds(held);
  use.vcore_seconds += static_cast<double>(container.milli_vcores()) * milli * to_seconds(held);
}

void ApplicationHistory::leaf_named(LeafId leaf, const std::string& path) {
  if (leaves_.size() <= leaf.index()) leaves_.resize(leaf.index() + 1);
  leaves_[leaf.index()] = path;
}

void ApplicationHistory::attempt_ended(const AttemptRecord& record) {
  const std::size_t index = record.application.index();
  if (index < has_ended_.size() && has_ended_[index]) return;
  ApplicationUse& use = open_[record.application];
  add_use(use, record.resources, record.reported - record.allocated);
  if (record.end != ContainerEnd::preempted) return;
  use.preempted += record.resources;
  ++(record.is_master ? use.masters_preempted : use.tasks_preempted);
}

void ApplicationHistory::job_ended(const JobRecord& record) {
  const std::size_t index = record.application.index();
  if (has_ended_.size() <= index) has_ended_.resize(index + 1);
  has_ended_[index] = true;
  count(record.outcome, counts_);
  ApplicationSnapshot shown;
  shown.id = record.application;
  shown.name = record.name;
  shown.user = names_.users.name(record.user);
  shown.queue =
      record.leaf.is_valid() ? leaves_.at(record.leaf.index()) : names_.queues.name(record.queue);
  shown.kind = record.kind;
  shown.phase = ApplicationPhase::ended;
  shown.outcome = record.outcome;
  shown.diagnostics = record.diagnostics;
  shown.priority = record.priority;
  shown.submitted = record.submitted;
  shown.first_allocated = record.first_allocated;
  shown.finished = record.finished;
  shown.tasks = record.tasks;
  shown.use = use_of(record.application);
  open_.erase(record.application);
  ended_.push_front(std::move(shown));
  if (ended_.size() > ended_max) ended_.pop_back();
}

ApplicationUse ApplicationHistory::use_of(ApplicationId open) const {
  const auto found = open_.find(open);
  return found == open_.end() ? ApplicationUse() : found->second;
}

}  // namespace tracebed
