// Google's cluster-usage trace of 2011 (clusterdata-2011-2) as jobs: from task_events what each
// task asked for and how long its attempts ran, from job_events, where it is there, when jobs ended
// whose tasks were still running when the task events end.
//
// A job is a bag of tasks, or a service if its priority says so; tasks that ask for different
// amounts are different stages. Evictions, failures and resubmissions decide how long a task's work
// takes (rule google.attempts): in a replay it is the scheduler that evicts. What the trace asks of
// machines' attributes is in a table that is not read, and the wish that no two tasks of a job
// share a machine is only counted.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "traces/csv/google_events.h"
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
  std::vector<std::string_view> rule_prefixes() const override {
    return {"trace.", "task.", "google."};
  }

 private:
  // A row of task_events.
  struct TaskEvent {
    std::int64_t time = 0;  // µs
    std::int64_t job = 0;
    std::int64_t index = 0;
    GoogleEvent event = GoogleEvent::submit;
    std::int64_t priority = 0;
    std::int64_t scheduling_class = 0;
    std::int64_t cpu = -1;  // millionths of the largest machine's; negative: not given
    std::int64_t memory = -1;
    std::int64_t disk = -1;
    std::string_view user;
  };
  struct Task {
    std::int64_t scheduled = -1;  // µs; of the attempt that runs
    std::int64_t last = -1;       // µs; how long the last attempt ran that ended
    std::int64_t sum = 0;         // µs; of all attempts that ended
    std::int64_t cpu = -1;
    std::int64_t memory = -1;
    std::uint32_t submits = 0;
  };
  struct OpenJob {
    std::int64_t submit = 0;
    bool was_there_before = false;
    std::uint32_t user = 0;
    std::int64_t priority = 0;
    std::map<std::int64_t, Task> tasks;
  };
  // What is kept of a job: this, and then its tasks.
  struct JobRecord {
    std::int64_t job = 0;
    std::int64_t priority = 0;
    std::uint32_t user = 0;
    std::uint32_t tasks = 0;
  };
  struct TaskRecord {
    std::int64_t duration = 0;
    std::int64_t cpu = 0;
    std::int64_t memory = 0;
  };

  void collect() override;
  bool make(std::string_view record, Job& job) override;
  void name_tallies(TraceTally& tally) override;

  void read_job_ends();
  bool scan(TaskEvent& event);
  bool scan_requests(TaskEvent& event);
  void take(const TaskEvent& event);
  void tally_row(const TaskEvent& event);
  void tally_end(std::int64_t run_time);
  // Jobs that ended before `time` are complete.
  void close_ended(std::int64_t time);
  void close(std::int64_t id, OpenJob& job);
  // How long the task's work takes; none if it is left out, which was counted then.
  std::optional<std::int64_t> duration_of(std::int64_t id, const Task& task);
  Resources demand_of(const TaskRecord& task) const;
  QueueId queue_of(std::int64_t priority);

  std::unique_ptr<GoogleTable> tasks_;
  std::unique_ptr<GoogleTable> jobs_;  // null: there is no job_events
  std::map<std::int64_t, std::int64_t> job_ends_;
  std::vector<std::pair<std::int64_t, std::int64_t>> ends_to_come_;  // (time, job), next one last
  std::map<std::int64_t, OpenJob> open_;
  std::int64_t last_time_ = 0;
  std::uint32_t most_submits_ = 0;
};

}  // namespace tracebed
