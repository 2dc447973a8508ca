// SWF rows as rigid jobs: one gang stage each, of as many equal tasks as the job has processors.
#pragma once

#include <optional>
#include <vector>

#include "core/names.h"
#include "traces/numbered_names.h"
#include "traces/parts/ignored_fields.h"
#include "traces/parts/rules.h"
#include "traces/row_reader.h"
#include "traces/swf_rows.h"

namespace tracebed {

class SwfReader final : public RowReader {
 public:
  // `names` outlives the reader.
  SwfReader(LineReader lines, const TraceRules& rules, bool skip_bad, Names& names);

  bool next(Job& job) override;
  void tally_into(TraceTally& tally) override;
  LoadReport report() const override;
  std::optional<double> recorded_vcores() const override;
  std::vector<TraceCount> ignored() const override { return ignored_.counts(); }
  std::optional<std::int64_t> job_number() const override;
  const NamedPredecessors* predecessors() const override;
  std::optional<RecordedSpan> recorded_span() const override;

  const SwfRows& rows() const override { return rows_; }

 private:
  // By the rule, or of the other column where that is unknown; not above 0 if both are.
  std::int64_t processors_in(const SwfRow& row) const;
  // All false if a rule leaves the row out or it is bad.
  bool takes_status();
  bool set_processors();
  bool set_times();
  void set_demand();
  void fill(Job& job);
  void tally_row();
  void tally_ignored();
  // Of the row in work, into predecessors_; none if it is submitted at its own time.
  void set_predecessors();
  std::optional<std::int64_t> known_memory_mib(SwfColumn column) const;

  SwfRows rows_;
  CommonRules common_;
  RigidRules rules_;
  NumberedNames<UserId> users_;
  NumberedNames<QueueId> queues_;
  std::optional<std::int64_t> origin_;
  TraceTally* tally_ = nullptr;
  IgnoredFields ignored_;
  std::vector<TraceTally::Handle> handles_;
  std::int64_t last_tallied_submit_ = -1;

  // Of the row in work.
  std::int64_t processors_ = 0;
  std::int64_t run_ = 0;    // µs
  std::int64_t limit_ = 0;  // µs
  Resources demand_;
  std::int64_t touched_mib_ = 0;
  NamedPredecessors predecessors_;

  std::uint64_t row_count_ = 0;
  std::uint64_t job_count_ = 0;
  std::uint64_t no_processors_ = 0;
  std::uint64_t zero_run_time_ = 0;
  std::uint64_t unknown_run_time_ = 0;
  std::uint64_t cancelled_ = 0;
  std::uint64_t partial_ = 0;
};

}  // namespace tracebed
