// Tracebed's own binary trace as a workload: the jobs as they were written, with times from the
// trace's start. No rule is applied to them but that of deadlines, for jobs that were written
// without one; the rules that made them are stored with them.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/names.h"
#include "traces/binary/binary_file.h"
#include "traces/parts/trace_options.h"
#include "traces/parts/trace_reader.h"

namespace tracebed {

class BinaryReader final : public TraceReader {
 public:
  // Users and queues are interned in `names`, which outlives the reader.
  BinaryReader(std::unique_ptr<BinaryTraceFile> file, const TraceOptions& options, Names& names);

  // Throws InputError for what is damaged, and at the end if jobs are missing.
  bool next(Job& job) override;
  void tally_into(TraceTally& tally) override;

  std::string_view format() const override { return "binary"; }
  LoadReport report() const override;
  const BadRows& bad_rows() const override { return bad_rows_; }
  std::string_view compression() const override { return "none"; }
  std::uint64_t text_bytes() const override { return file_->size(); }
  std::int64_t first_submit_microseconds() const override { return first_submit_; }
  std::int64_t last_submit_microseconds() const override { return last_submit_; }
  // Those that made its jobs are in the file; they are not applied now.
  const std::vector<std::pair<std::string, std::string>>& stored_rules() const {
    return file_->origin().rules;
  }

 private:
  bool take(Job& job);
  // Names end in reports, which are UTF-8.
  void check_text(const Job& job);
  void tally_job(const Job& job);
  // Converts amounts from the file's dimensions to the run's.
  void translate(Resources& resources);

  std::unique_ptr<BinaryTraceFile> file_;
  const Names& names_;
  CommonRules common_;
  JobChunkDecoder decoder_;
  std::size_t users_checked_ = 0;
  std::size_t queues_checked_ = 0;
  BadRows bad_rows_;                     // stays empty: a file is whole, or refused
  std::vector<std::size_t> dimensions_;  // of the run, by those of the file; too large: none
  bool same_dimensions_ = true;
  std::vector<std::uint64_t> lost_amounts_;  // stages that asked for it, likewise
  TraceTally* tally_ = nullptr;
  std::uint64_t jobs_ = 0;
  std::uint64_t tasks_ = 0;
  std::int64_t first_submit_ = 0;
  std::int64_t last_submit_ = 0;
  std::int64_t previous_submit_ = 0;
};

}  // namespace tracebed
