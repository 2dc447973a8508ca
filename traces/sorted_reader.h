// The jobs of a trace of rows whose rows come in any order, brought into that of their submit times
// in bounded memory (traces/parts/record_sorter.h): the whole trace is read before the first job.
#pragma once

#include <memory>
#include <string>

#include "core/names.h"
#include "traces/parts/record_sorter.h"
#include "traces/parts/spare_stages.h"
#include "traces/parts/trace_options.h"
#include "traces/parts/trace_reader.h"

namespace tracebed {

class SortedReader final : public TraceReader {
 public:
  // `rows` takes rows in any order (rule trace.order), and interns in `names`, which outlives this.
  SortedReader(std::unique_ptr<TraceReader> rows, const TraceOptions& options, Names& names);

  bool next(Job& job) override;
  void tally_into(TraceTally& tally) override { rows_->tally_into(tally); }
  std::string_view format() const override { return rows_->format(); }
  LoadReport report() const override { return rows_->report(); }
  const BadRows& bad_rows() const override { return rows_->bad_rows(); }
  std::string_view compression() const override { return rows_->compression(); }
  std::uint64_t text_bytes() const override { return rows_->text_bytes(); }
  std::int64_t first_submit_microseconds() const override {
    return rows_->first_submit_microseconds();
  }
  std::int64_t last_submit_microseconds() const override {
    return rows_->last_submit_microseconds();
  }
  std::optional<RecordedSpan> recorded_span() const override { return recorded_; }
  std::optional<std::int64_t> job_number() const override {
    return names_others_ ? std::optional(number_) : std::nullopt;
  }
  const NamedPredecessors* predecessors() const override {
    return names_others_ ? &predecessors_ : nullptr;
  }
  std::vector<TraceCount> ignored() const override { return rows_->ignored(); }
  std::optional<double> recorded_vcores() const override { return rows_->recorded_vcores(); }

 private:
  void collect();
  // What one job names, before it in its record.
  void append_predecessors(std::string& record);
  void read_predecessors(std::string_view& record);

  std::unique_ptr<TraceReader> rows_;
  Origin origin_rule_;
  Names& names_;
  RecordSorter jobs_;
  SpareStages spare_;
  bool is_collected_ = false;
  std::size_t taken_ = 0;
  std::optional<RecordedSpan> recorded_;
  bool names_others_ = false;  // as rows_ does
  std::int64_t number_ = 0;
  NamedPredecessors predecessors_;
  std::int64_t origin_ = 0;  // on the clock of the jobs that rows_ makes
};

}  // namespace tracebed
