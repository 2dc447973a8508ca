#include "coordinator/engine/job_outputs.h"

#include <algorithm>
#include <utility>

#include "core/input_paths.h"
#include "core/output_files.h"

namespace tracebed {
namespace {

bool writes(const Stage& stage) {
  return std::any_of(stage.runs.begin(), stage.runs.end(),
                     [](const TaskRun& run) { return run.work.output_bytes > 0; });
}

}  // namespace

Status JobOutputs::check(const Job& job) const {
  if (replication_ == 0 || !has_files(job.kind)) return success();
  if (std::none_of(job.stages.begin(), job.stages.end(), writes)) return success();
  const std::string directory = output_directory_of(job.id);
  if (!storage_.has(directory)) return success();
  return Error{"its output " + directory + " exists already"};
}

void JobOutputs::add_to(TaskWork& work, JobKind kind, JobId job, TaskRef task) const {
  work.output_replication = work.output_job = work.output_part = 0;
  work.output_offset = work.output_length = 0;
  if (replication_ == 0 || !has_files(kind) || work.output_bytes == 0) return;
  work.output_replication = replication_;
  work.output_job = job.value();
  work.output_part = output_part_of(task);
  work.output_length = work.output_bytes;
}

void JobOutputs::launched(ContainerId container, const TaskWork& work) {
  if (!writes_output(work)) return;
  const JobId job(static_cast<std::size_t>(work.output_job));
  written_.insert_or_assign(
      container, Written{job, attempt_output_path(work, container), output_path_of(work)});
  ++writers_[job].containers;
}

void JobOutputs::ended(ContainerId container, ContainerEnd end) {
  const auto found = written_.find(container);
  if (found == written_.end()) return;
  const Written written = std::move(found->second);
  written_.erase(found);
  const auto writer = writers_.find(written.job);
  --writer->second.containers;
  if (const auto outcome = writer->second.outcome) {
    // It may have written since then.
    remove_rest_of(written.job, *outcome);
    if (writer->second.containers == 0) writers_.erase(writer);
  } else if (end == ContainerEnd::succeeded || end == ContainerEnd::checkpointed) {
    storage_.rename(written.attempt_path, written.path);
  } else {
    storage_.remove(written.attempt_path);
  }
}

void JobOutputs::job_ended(JobId job, JobOutcome outcome) {
  const auto writer = writers_.find(job);
  if (writer == writers_.end()) return;
  remove_rest_of(job, outcome);
  if (writer->second.containers == 0) {
    writers_.erase(writer);
  } else {
    writer->second.outcome = outcome;
  }
}

void JobOutputs::remove_rest_of(JobId job, JobOutcome outcome) {
  const bool is_kept = outcome == JobOutcome::succeeded;
  storage_.remove(is_kept ? temporary_output_of(job) : output_directory_of(job));
}

}  // namespace tracebed
