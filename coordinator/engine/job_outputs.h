// What the tasks of a run write to its HDFS (core/output_files.h). The file of an attempt that
// succeeded, or kept its progress, gets its final name; that of any other is deleted, and so is all
// that a job wrote that did not succeed
// (org.apache.hadoop.mapreduce.lib.output.FileOutputCommitter: commitTask, abortTask, commitJob,
// abortJob).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "coordinator/engine/namenode_service.h"
#include "core/ids.h"
#include "core/outcomes.h"
#include "core/result.h"
#include "core/task_work.h"
#include "core/workload.h"

namespace tracebed {

class JobOutputs {
 public:
  // With a replication of 0 jobs write no output. The service outlives this.
  JobOutputs(std::uint32_t replication, NamenodeService& storage)
      : replication_(replication), storage_(storage) {}

  // Before the job is accepted. Fails with a sentence that names the path if the job's output
  // exists already.
  Status check(const Job& job) const;

  // States in the work of a whole task what it writes.
  void add_to(TaskWork& work, JobKind kind, JobId job, TaskRef task) const;
  // With the work that is left of it.
  void launched(ContainerId container, const TaskWork& work);
  void ended(ContainerId container, ContainerEnd end);
  void job_ended(JobId job, JobOutcome outcome);

 private:
  struct Written {
    JobId job;
    std::string attempt_path;
    std::string path;
  };
  struct Writer {
    std::size_t containers = 0;         // of `written_`
    std::optional<JobOutcome> outcome;  // none: it is open
  };

  void remove_rest_of(JobId job, JobOutcome outcome);

  std::uint32_t replication_;
  NamenodeService& storage_;
  std::map<ContainerId, Written> written_;  // by containers that have not ended
  // Jobs whose tasks write: from the first launch until the job and all those containers have
  // ended.
  std::map<JobId, Writer> writers_;
};

}  // namespace tracebed
