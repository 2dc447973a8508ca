#include "coordinator/engine/run_records.h"

#include "core/preemption.h"

namespace tracebed {

void RunRecords::job_submitted(ApplicationId id, const Job& job, std::uint32_t tasks,
                               JobRecord& record) {
  record.application = id;
  record.job = job.id;
  record.name = job.name;
  record.user = job.user;
  record.queue = job.queue;
  record.kind = job.kind;
  record.priority = job.priority;
  record.tasks = tasks;
  record.due = job.submit;
  record.submitted = context_.now();
  if (job.deadline > Duration::zero()) record.deadline = context_.now() + job.deadline;
  record.ideal = ideal_duration(job);
  context_.counters.tasks_not_in_fragmentation += fragmentation_.job_submitted(job);
  ++context_.counters.jobs_submitted;
  ++jobs_waiting_;
  livelock_.moved_on();
  context_.cluster_changed = true;
}

void RunRecords::allocated(JobRecord& record) {
  if (record.first_allocated != never) return;
  record.first_allocated = context_.now();
  --jobs_waiting_;
}

void RunRecords::attempt_ended(ContainerId id, const Container& container,
                               const ContainerState& state, ContainerEnd end,
                               const ContainerAccount& account) {
  // One that is asked for a part of what it holds may give up all of it by itself.
  if (end == ContainerEnd::preempted || end == ContainerEnd::killed) {
    livelock_.lost(container.application, container.is_master, state.task);
  } else if (end == ContainerEnd::succeeded || end == ContainerEnd::checkpointed) {
    livelock_.moved_on();
  }
  const DeviceShares* const devices = cluster_.devices_of(id);
  const AttemptRecord record{
      .application = container.application,
      .job = state.job,
      .user = state.user,
      .queue = state.queue,
      .leaf = state.leaf,
      .application_attempt = state.application_attempt,
      .stage = state.task.stage,
      .task = state.task.index,
      .attempt = state.attempt,
      .units = container.units,
      .is_master = container.is_master,
      .launched = container.is_launched,
      .container = id,
      .node = container.node,
      .locality = container.locality,
      .resources = container.resources,
      .asked = container.is_launched ? state.waiting_since : container.allocated,
      .allocated = container.allocated,
      .work_begun = state.work_begun,
      .reported = context_.now(),
      .nominal = state.nominal,
      .progress_begun = state.progress,
      .progress_kept = account.progress == 0 ? 0 : progress_after(state.progress, account.progress),
      .end = end,
      .account = account,
      .devices = devices == nullptr ? DeviceShares() : *devices,
  };
  context_.records.attempt_ended(record);
}

void RunRecords::job_ended(JobRecord& record, JobOutcome outcome, const std::string& diagnostics,
                           LeafId leaf) {
  record.leaf = leaf;
  record.outcome = outcome;
  record.diagnostics = diagnostics;
  record.finished = context_.now();
  if (record.first_allocated == never) --jobs_waiting_;
  context_.records.job_ended(record);
  ++context_.counters.jobs_ended;
  livelock_.moved_on();
  context_.cluster_changed = true;
}

void RunRecords::sample(std::size_t jobs_open) {
  if (!context_.cluster_changed) return;
  context_.cluster_changed = false;
  context_.records.sampled(ClusterSample{
      .at = context_.now(),
      .capacity = cluster_.capacity,
      .allocated = cluster_.capacity - cluster_.free,
      .containers = static_cast<std::uint32_t>(cluster_.containers.size()),
      .jobs_open = static_cast<std::uint32_t>(jobs_open),
      .jobs_waiting = jobs_waiting_,
      .devices = fragmentation_.sample(),
  });
}

}  // namespace tracebed
