// Alibaba's batch tables: cluster-trace-v2017 (batch_task.csv: created, ended, job, task,
// instances, status, vcores of an instance in hundredths, memory as a share of the largest
// machine's) and cluster-trace-v2018 (batch_task: task, instances, job, type, status, started,
// ended, vcores in hundredths, memory in hundredths of a machine's). A row is a task of many
// instances, here a stage of tasks; the rows of a job need not stand together.
//
// In 2018 a task's name says what it needs: "J5_2_4" is task 5, which needs 2 and 4; "_Stg1" at its
// end means nothing, and other names ("task_…", "MergeTask") need nothing. A stage that needs one
// that a rule leaves out needs what that one needs. The start times of tasks are not used but for
// the job's, their least: most children "start" before their parents end, since the job's start is
// what was recorded. Instances last as long as their task: theirs are in a table of its own
// (batch_instance) that few people have.
#pragma once

#include <vector>

#include "traces/csv/table_reader.h"
#include "traces/parts/stage_order.h"

namespace tracebed {

// "J5_2_4" → 5, needs 2 and 4. False for a name that is of no such form.
bool read_task_name(std::string_view name, std::int64_t& number, std::vector<std::int64_t>& needs);

class AlibabaReader final : public TableReader {
 public:
  enum class Year { y2017, y2018 };

  AlibabaReader(Year year, LineReader lines, const TraceOptions& options, Names& names);

  std::vector<std::string_view> rule_prefixes() const override {
    return {"trace.", "task.", "alibaba."};
  }

 private:
  enum class Status : std::uint8_t { ready, waiting, running, terminated, failed, cancelled };

  // A row. The names stand behind it in a record.
  struct Task {
    std::int64_t line = 0;
    std::int64_t instances = 0;  // 0: not known
    std::int64_t start = 0;      // s
    std::int64_t end = 0;        // s; 0: none
    std::int64_t cpu = -1;       // hundredths of a vcore; negative: not known
    std::int64_t memory = -1;    // millionths of the format's unit; likewise
    std::uint32_t task_bytes = 0;
    std::uint32_t job_bytes = 0;
    Status status = Status::ready;

    std::int64_t duration() const { return end - start; }
  };
  struct NamedTask {
    Task task;
    std::string_view name, job;
  };
  struct Columns;

  void collect() override;
  void name_tallies(TraceTally& tally) override;

  bool scan(NamedTask& row);
  bool scan_times(NamedTask& row);
  void tally_row(const Task& task);
  // Rows whose job names hash alike: a job, or hardly ever several jobs.
  void keep_jobs_of(std::string_view rows);
  // Makes and keeps the job of tasks_.
  void keep_job();
  void append_tasks(std::string_view rows);
  // What the tasks need of each other, into needs_; the number of those needed that are not there.
  std::uint64_t find_needs();
  void tally_job(const std::vector<std::uint32_t>& order);
  // In seconds, of the tasks that have begun.
  std::int64_t start_of_job() const;
  void fill_stages(const std::vector<std::uint32_t>& order);
  // Whether the rules let the task be replayed; if not, it was counted.
  bool is_replayed(const Task& task);
  void fill_stage(const Task& task, Stage& stage) const;

  Year year_;
  const Columns& columns_;
  // Of the job at hand:
  std::vector<NamedTask> tasks_;
  StageNeeds needs_;
  std::vector<std::pair<std::int64_t, std::uint32_t>> numbers_;  // (number in the name, position)
  std::vector<std::int64_t> wanted_;                             // by the task at hand
};

}  // namespace tracebed
