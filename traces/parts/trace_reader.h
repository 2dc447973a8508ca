// A trace file as a workload: jobs, and also what was read, skipped, left out and assumed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/workload.h"
#include "traces/parts/bad_rows.h"
#include "traces/parts/recorded_span.h"
#include "traces/parts/statistics.h"

namespace tracebed {

struct LoadReport {
  std::uint64_t rows = 0;            // well-formed ones
  std::uint64_t jobs = 0;            // made of them so far
  std::vector<TraceCount> left_out;  // rows that a rule leaves out, by rule
  std::vector<TraceCount> notes;     // what was tolerated
};

// What a rule does to the work of the whole trace.
struct RuleEffect {
  std::string rule;          // "alibaba.instance_time"
  std::string without;       // the value that makes work as if there were no such rule
  double vcore_seconds = 0;  // of the jobs made so far with that value, all other rules as set
};

// What a trace says a job waits for before it is submitted.
struct NamedPredecessors {
  std::vector<std::int64_t> jobs;  // by number; empty: the job is submitted at its own time
  Duration think{};                // from the last end of one to the submission

  bool operator==(const NamedPredecessors&) const = default;
};

class TraceReader : public WorkloadSource {
 public:
  // From now on every well-formed row is tallied, those left out by a rule too. `tally` outlives
  // the reader.
  virtual void tally_into(TraceTally& tally) = 0;

  virtual std::string_view format() const = 0;
  // Why the file was taken for this format.
  const std::string& format_reason() const { return format_reason_; }
  void set_format_reason(std::string reason) { format_reason_ = std::move(reason); }
  virtual LoadReport report() const = 0;
  virtual const BadRows& bad_rows() const = 0;
  virtual std::string_view compression() const = 0;
  virtual std::uint64_t text_bytes() const = 0;
  // On the file's own clock, of the first and the last well-formed row; 0 if there is none.
  virtual std::int64_t first_submit_microseconds() const = 0;
  virtual std::int64_t last_submit_microseconds() const = 0;
  // Fields that have values and are not obeyed (traces/parts/format_fields.h), with the rows or
  // objects that have one. Of rows that were tallied.
  virtual std::vector<TraceCount> ignored() const { return {}; }
  // When the job that next() made last ran, where the trace recorded it.
  virtual std::optional<RecordedSpan> recorded_span() const { return std::nullopt; }
  // The number by which others name the job that next() made last, and those that it names; none of
  // a format whose jobs name no others, or where a rule ignores it.
  virtual std::optional<std::int64_t> job_number() const { return std::nullopt; }
  virtual const NamedPredecessors* predecessors() const { return nullptr; }
  // Of the rules that change how much work there is, where the format has any.
  virtual std::vector<RuleEffect> rule_effects() const { return {}; }
  // Vcores of the machine that the trace was recorded on, if stated. Complete after the first job.
  virtual std::optional<double> recorded_vcores() const { return std::nullopt; }

 private:
  std::string format_reason_;
};

}  // namespace tracebed
