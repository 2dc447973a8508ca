// Alibaba's batch tables: cluster-trace-v2017 (batch_task.csv: created, ended, job, task,
// instances, status, vcores of an instance in hundredths, memory as a share of the largest
// machine's) and cluster-trace-v2018 (batch_task: task, instances, job, type, status, started,
// ended, vcores in hundredths, memory in hundredths of a machine's). A row is a task of many
// instances, here a stage of tasks; the rows of a job need not be adjacent.
//
// In 2018 a task's name states what it needs (alibaba_needs.h). A stage that needs one that a rule
// leaves out needs what that one needs. A job is submitted at the least start time of its tasks.
// How much work a task is, and what its start time is worth: alibaba_work.h. Instances are read
// from batch_instance where a folder has that table beside batch_task; it is sorted by job in
// bounded memory, which for the whole of 2018 (1.35 G rows) takes a disk.
//
// Rows of a job are mostly adjacent. Those that are get sorted once, by the job's start; when a job
// may have come before, by a filter of fixed size, its rows are joined by a second sort. Of jobs
// that start in the same second those without a second sort come first, in file order.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include "traces/csv/alibaba_instances.h"
#include "traces/csv/alibaba_needs.h"
#include "traces/csv/alibaba_rows.h"
#include "traces/csv/alibaba_work.h"
#include "traces/csv/table_reader.h"
#include "traces/parts/seen_filter.h"
#include "traces/parts/stage_order.h"

namespace tracebed {

class AlibabaReader final : public TableReader {
 public:
  // `instances` are the lines of batch_instance, if there is such a table.
  AlibabaReader(AlibabaYear year, LineReader tasks, std::optional<LineReader> instances,
                const TraceOptions& options, Names& names);

  std::vector<RuleEffect> rule_effects() const override { return work_.effects(); }
  std::uint64_t text_bytes() const override;

 private:
  struct Columns;
  static const Columns& columns_of(AlibabaYear year);

  void collect() override;
  bool make(std::string_view record, Job& job) override;
  void name_tallies(TraceTally& tally) override;

  bool scan(AlibabaRow& row, std::string_view& job);
  bool scan_times(AlibabaTask& task);
  void tally_row(const AlibabaTask& task);
  // Keeps the rows that have come together as those of a job, whether or not more follow later.
  void keep_rows();
  // Joins rows of a job that were kept apart, and those of its instances.
  void join_rows();
  // Adds the rows of batch_instance that may be of jobs seen, as records by the hash of the job.
  void add_instances(RecordSorter& by_job);
  // Joins and keeps those of `parts`, records of jobs whose names hash alike.
  void keep_joined(std::vector<std::string>& parts);

  // Whether a row at hand may need others than its name says.
  bool is_cut() const;
  // The needs of the rows at hand; `unknown` is how many the trace does not have.
  StageNeeds& find_needs(bool trusts_cut, std::uint64_t& unknown);
  void tally_job(const StageNeeds& needs, const std::vector<std::uint32_t>& order);
  void fill_stages(StageNeeds& needs, const std::vector<std::uint32_t>& order, Job& job);
  // Whether the rules allow replaying the task; if not, it was counted.
  bool is_replayed(AlibabaTask& task);
  // Of the job at hand, sorted by task; those of one in the order of their starts.
  void sort_instances();
  std::span<const AlibabaInstance> instances_of(std::string_view task) const;
  std::optional<RecordedSpan> recorded_of_job();
  void note_work();

  AlibabaYear year_;
  const Columns& columns_;
  std::string tasks_name_;  // what messages call the table
  std::optional<AlibabaInstanceTable> instances_;
  AlibabaWork work_;
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
  std::vector<AlibabaInstance> of_instances_;
  AlibabaNeeds needs_;
  std::vector<bool> kept_;
  std::vector<std::uint16_t> stage_of_;
};

}  // namespace tracebed
