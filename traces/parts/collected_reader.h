// A reader of a format whose jobs are spread over several rows, or unordered: the first call of
// next() reads the whole trace into records, one for each job, which are brought into the order of
// their submit times in bounded memory (traces/parts/record_sorter.h); jobs are made from these.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/names.h"
#include "traces/parts/ignored_fields.h"
#include "traces/parts/record_sorter.h"
#include "traces/parts/rules.h"
#include "traces/parts/spare_stages.h"
#include "traces/parts/trace_options.h"
#include "traces/parts/trace_reader.h"

namespace tracebed {

class CollectedReader : public TraceReader {
 public:
  bool next(Job& job) final;
  void tally_into(TraceTally& tally) final;
  std::string_view format() const final { return format_; }
  LoadReport report() const final;
  const BadRows& bad_rows() const final { return bad_rows_; }
  std::int64_t first_submit_microseconds() const final { return first_submit_.value_or(0); }
  std::int64_t last_submit_microseconds() const final { return last_submit_; }
  std::optional<RecordedSpan> recorded_span() const final { return recorded_; }
  std::vector<TraceCount> ignored() const final { return ignored_.counts(); }

 protected:
  // `path` is what messages call the trace; `names` outlives the reader.
  CollectedReader(std::string_view format, std::string path, const TraceOptions& options,
                  Names& names);

  // Reads the whole trace, and keeps a record for every job.
  virtual void collect() = 0;
  // Makes a job of a record: everything but its id and submit time, over whatever `job` held. False
  // if there is none in it, which was counted. Those that keep records of their own kind override
  // it; otherwise records are those of keep_draft() and keep_none().
  virtual bool make(std::string_view record, Job& job);
  // Names the format's own tallies, after that of the gaps between jobs.
  virtual void name_tallies(TraceTally& tally) = 0;

  // `submit` is in microseconds of the file's clock.
  void keep(std::int64_t submit, std::string_view record) { jobs_.add(submit, record); }
  // Everything kept so far, which is not kept any more then.
  RecordSorter take_kept();
  // A job that is made while the trace is read: begun, filled, and kept. Its users and queues are
  // interned in draft_names().
  Job& begin_draft();
  Names& draft_names() { return draft_names_; }
  Job& draft() { return draft_; }
  // When it ran, if that is recorded, is stored with it.
  void keep_draft(std::int64_t submit);
  // When the job at hand ran, of one that is made as of one that is a draft.
  void set_recorded(const std::optional<RecordedSpan>& run) { recorded_ = run; }
  // Something was submitted then of which no job remains, which was counted.
  void keep_none(std::int64_t submit) { keep(submit, {}); }
  // A well-formed row, which says that something was submitted then.
  void see_row(std::int64_t submit);
  void see_row() { ++report_.rows; }
  void leave_out(std::string_view rule, std::uint64_t count = 1) { left_out_[rule] += count; }
  void note(std::string_view what, std::uint64_t count = 1);

  const TraceRules& rules() const { return rules_; }
  TraceTally* tally() { return tally_; }
  // To be added to where there is a tally.
  IgnoredFields& ignored_fields() { return ignored_; }
  BadRows& bad() { return bad_rows_; }
  Names& names() { return names_; }
  std::size_t sort_bytes_max() const { return sort_bytes_max_; }

  // For jobs whose format has no users or no queues.
  UserId only_user();
  QueueId only_queue();

  // One stage more in `job`, cleared; stages of an earlier job that are not begun again must be
  // removed with end_stages().
  Stage& begin_stage(Job& job);
  void end_stages(Job& job) { spare_.resize(job.stages, stages_begun_); }
  // Drops the stage begun last.
  void take_back_stage() { --stages_begun_; }
  // The number of stages begun in the job at hand.
  std::size_t stages_begun() const { return stages_begun_; }
  // A MapReduce job's maps all ask for the same, and so do its reduces. One in which they do not
  // becomes a DAG whose stages from `maps` on need all those before.
  void become_dag(Job& job, std::size_t maps) const;
  // Adds `count` tasks with this work to the stage; consecutive equal ones are one run.
  static void add_tasks(Stage& stage, std::uint32_t count, const Work& work);

 private:
  std::string_view format_;
  TraceRules rules_;
  Names& names_;
  BadRows bad_rows_;
  RecordSorter jobs_;
  std::size_t sort_bytes_max_;
  bool is_collected_ = false;
  TraceTally* tally_ = nullptr;
  IgnoredFields ignored_;
  LoadReport report_;
  std::map<std::string_view, std::uint64_t> left_out_;  // by rule
  std::map<std::string_view, std::uint64_t> notes_;
  std::optional<std::int64_t> first_submit_;
  std::int64_t last_submit_ = 0;
  std::optional<std::int64_t> origin_;
  std::optional<std::int64_t> last_job_;
  std::optional<RecordedSpan> recorded_;
  std::size_t stages_begun_ = 0;
  SpareStages spare_;
  Job draft_;
  Names draft_names_;
  std::string draft_record_;
  std::optional<UserId> only_user_;
  std::optional<QueueId> only_queue_;
};

}  // namespace tracebed
