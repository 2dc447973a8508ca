// Google's cluster-usage trace of 2011 (clusterdata-2011-2) as jobs: from task_events what each
// task asked for and how long its attempts ran, from job_events, if present, when jobs ended whose
// tasks were still running when the task events end.
//
// A job is a bag of tasks, or a service if its priority says so; tasks that ask for different
// amounts are different stages. Evictions, failures and resubmissions decide how long a task's work
// takes (rule google.attempts): in a replay it is the scheduler that evicts. Constraints on
// machines' attributes are in a table that is not read, and the constraint that no two tasks of a
// job share a machine is only counted.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "traces/csv/google_events.h"
#include "traces/csv/google_jobs.h"
#include "traces/csv/ignored_columns.h"
#include "traces/parts/collected_reader.h"

namespace tracebed {

class GoogleReader final : public CollectedReader {
 public:
  // A folder with the tables.
  GoogleReader(const std::filesystem::path& folder, const TraceOptions& options, Names& names);
  // One file of task_events.
  GoogleReader(LineReader lines, const TraceOptions& options, Names& names);

  std::string_view compression() const override { return tasks_->compression(); }
  std::uint64_t text_bytes() const override {
    return tasks_->text_bytes() + (jobs_ ? jobs_->text_bytes() : 0);
  }

 private:
  // What is kept of a job: this, and then its tasks.
  struct JobRecord {
    std::int64_t job = 0;
    std::int64_t priority = 0;
    std::uint32_t user = 0;
    std::uint32_t tasks = 0;
    std::optional<RecordedSpan> recorded;
  };
  struct TaskRecord {
    std::int64_t duration = 0;
    std::int64_t cpu = 0;
    std::int64_t memory = 0;
  };

  void collect() override;
  bool make(std::string_view record, Job& job) override;
  void name_tallies(TraceTally& tally) override;

  void read_job_events(GoogleJobs& jobs);
  void read_task_events(const std::function<void(const GoogleTaskEvent&)>& take);
  // Of rows that come in any order.
  void read_sorted_task_events(GoogleJobs& jobs);
  bool scan(GoogleTaskEvent& event);
  bool scan_requests(GoogleTaskEvent& event);
  void tally_row(const GoogleTaskEvent& event);
  void keep_job(const GoogleJob& job);
  // When the attempt ended, or is taken to have, that runs when the events end.
  std::int64_t end_of_running(const GoogleTask& task, const GoogleJob& job) const;
  // How long the task's work takes; none if it is left out, which was counted then.
  std::optional<std::int64_t> duration_of(const GoogleTask& task, const GoogleJob& job);
  Resources demand_of(const TaskRecord& task) const;
  QueueId queue_of(std::int64_t priority);

  std::unique_ptr<GoogleTable> tasks_;
  std::unique_ptr<GoogleTable> jobs_;  // null: without job_events
  IgnoredColumns ignored_of_tasks_{"google2011", "", google_task_columns};
  IgnoredColumns ignored_of_jobs_{"google2011", "job_events.", google_job_columns};
  std::int64_t last_time_ = 0;
  std::uint32_t most_submits_ = 0;
  std::string record_;
};

}  // namespace tracebed
