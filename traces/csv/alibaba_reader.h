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
//
// Rows of a job mostly stand together. Those that do are sorted once, by the job's start; when a
// job may have come before, which a filter of fixed size tells, its rows are joined by a second
// sort. Of jobs that start in the same second those come first that needed none, in file order.
#pragma once

#include <string>
#include <unordered_set>
#include <vector>

#include "traces/csv/alibaba_rows.h"
#include "traces/csv/table_reader.h"
#include "traces/parts/seen_filter.h"
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
  struct Columns;

  void collect() override;
  bool make(std::string_view record, Job& job) override;
  void name_tallies(TraceTally& tally) override;

  bool scan(AlibabaRow& row, std::string_view& job);
  bool scan_times(AlibabaTask& task);
  void tally_row(const AlibabaTask& task);
  // Keeps the rows that have come together as those of a job, whether or not more follow later.
  void keep_rows();
  // Brings rows of a job that were kept apart together.
  void join_rows();
  // Joins and keeps those of `parts`, records of jobs whose names hash alike.
  void keep_joined(std::vector<std::string>& parts);

  // What the rows need of each other, into needs_; the number of those needed that are not there.
  std::uint64_t find_needs();
  void clear_needs();
  void tally_job(const std::vector<std::uint32_t>& order);
  void fill_stages(const std::vector<std::uint32_t>& order, Job& job);
  // Whether the rules let the task be replayed; if not, it was counted.
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
  // Hashes of those jobs whose rows may stand apart; looked up, never iterated. When there are too
  // many, all rows are sorted by job.
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
