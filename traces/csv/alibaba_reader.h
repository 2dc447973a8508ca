// Alibaba's batch tables: cluster-trace-v2017 (batch_task.csv: created, ended, job, task,
// instances, status, vcores of an instance in hundredths, memory as a share of the largest
// machine's) and cluster-trace-v2018 (batch_task: task, instances, job, type, status, started,
// ended, vcores in hundredths, memory in hundredths of a machine's). A row is a task of many
// instances, here a stage of tasks; the rows of a job need not be adjacent.
//
// In 2018 a task's name states what it needs: "J5_2_4" is task 5, which needs 2 and 4; "_Stg1" at
// its end is ignored, and other names ("task_…", "MergeTask") need nothing. A stage that needs one
// that a rule leaves out needs what that one needs. The start times of tasks are only used for the
// job's, their least: most children "start" before their parents end, since the job's start is what
// was recorded. Instances last as long as their task: their own times are in a separate table
// (batch_instance) that few people have.
//
// Rows of a job are mostly adjacent. Those that are get sorted once, by the job's start; when a job
// may have come before, by a filter of fixed size, its rows are joined by a second sort. Of jobs
// that start in the same second those without a second sort come first, in file order.
#pragma once

#include <string>
#include <unordered_set>
#include <vector>

#include "traces/csv/alibaba_rows.h"
#include "traces/csv/table_reader.h"
#include "traces/parts/seen_filter.h"
#include "traces/parts/stage_order.h"

namespace tracebed {

// "J5_2_4" → 5, needs 2 and 4. False for a name of another form.
bool read_task_name(std::string_view name, std::int64_t& number, std::vector<std::int64_t>& needs);

class AlibabaReader final : public TableReader {
 public:
  enum class Year { y2017, y2018 };

  AlibabaReader(Year year, LineReader lines, const TraceOptions& options, Names& names);

 private:
  struct Columns;

  void collect() override;
  bool make(std::string_view record, Job& job) override;
  void name_tallies(TraceTally& tally) override;

  bool scan(AlibabaRow& row, std::string_view& job);
  bool scan_times(AlibabaTask& task);
  void tally_row(const AlibabaTask& task);
  // Keeps the rows that have come together as those of a job, whether or not more follow later.
  void keep_rows();
  // Joins rows of a job that were kept apart.
  void join_rows();
  // Joins and keeps those of `parts`, records of jobs whose names hash alike.
  void keep_joined(std::vector<std::string>& parts);

  // Stores what the rows need of each other in needs_; returns the number of needed ones that are
  // missing.
  std::uint64_t find_needs();
  void clear_needs();
  void tally_job(const std::vector<std::uint32_t>& order);
  void fill_stages(const std::vector<std::uint32_t>& order, Job& job);
  // Whether the rules allow replaying the task; if not, it was counted.
  bool is_replayed(const AlibabaTask& task);
  void fill_stage(const AlibabaTask& task, Stage& stage) const;

  Year year_;
  const Columns& columns_;
  // While the table is read:
  std::string record_;  // the rows at hand; empty: none
  std::string job_;     // theirs
  std::uint64_t job_hash_ = 0;
  std::int64_t start_ = 0;
  bool has_start_ = false;
  SeenFilter jobs_seen_;
  // Hashes of those jobs whose rows may not be adjacent; looked up, never iterated. When there are
  // too many, all rows are sorted by job.
  std::unordered_set<std::uint64_t> apart_;
  bool are_all_apart_ = false;
  // Of the job that is made:
  std::vector<AlibabaRow> rows_;
  StageNeeds needs_;
  StageNeeds spare_needs_;                                       // for jobs of more rows
  std::vector<std::pair<std::int64_t, std::uint32_t>> numbers_;  // (number in the name, position)
  std::vector<std::pair<std::uint32_t, std::int64_t>> wanted_;   // (position, number it needs)
  std::vector<std::int64_t> wanted_by_row_;
  std::vector<bool> kept_;
  std::vector<std::uint16_t> stage_of_;
};

}  // namespace tracebed
