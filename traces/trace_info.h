// `trace info`: what a trace holds, in its own columns and as the workload that the rules make of
// it.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "traces/open_trace.h"
#include "traces/parts/statistics.h"
#include "traces/span_comparison.h"

namespace tracebed {

struct DistributionSummary {
  static constexpr std::array<unsigned, 6> percents{1, 25, 50, 75, 90, 99};

  std::string name;
  std::string unit;  // "s", "B", …; empty of a count
  std::uint64_t count = 0;
  double minimum = 0;
  std::array<double, percents.size()> percentiles{};  // of `percents`
  double maximum = 0;
  double mean = 0;
  double sum = 0;
  bool exact = true;  // false: percentiles are within 0.5 %

  // `percent` is one of `percents`.
  double percentile(unsigned percent) const;
};

struct BadRowSummary {
  std::string reason;
  std::uint64_t rows = 0;
  std::string first;  // the message of the first one
};

struct TraceInfo {
  std::string path;
  std::string format;
  std::string format_reason;
  std::string compression;
  std::uint64_t text_bytes = 0;

  std::uint64_t rows = 0;
  std::vector<BadRowSummary> bad_rows;
  std::vector<TraceCount> left_out;  // by rule
  std::vector<TraceCount> notes;
  std::vector<TraceCount> ignored;  // fields with values that are not obeyed, by rows with one

  // Of the rows, on the file's own clock.
  double first_submit_seconds = 0;
  double last_submit_seconds = 0;
  std::vector<DistributionSummary> columns;
  std::vector<TraceCount> counts;
  std::vector<TraceCount> distinct;  // at TraceTally::distinct_max: that many or more

  // Of the workload that the rules make of the rows.
  std::uint64_t jobs = 0;
  std::uint64_t tasks = 0;
  double span_seconds = 0;
  double vcore_seconds = 0;
  double offered_vcores = 0;  // mean over the span
  std::optional<double> recorded_vcores;
  std::optional<double> load;  // offered over recorded
  std::vector<DistributionSummary> job_sizes;
  std::vector<DistributionSummary> task_sizes;  // every task counts
  std::optional<SpanSummary> spans;             // none: span_text says why
  std::string span_text;                        // from what to what a recorded span reaches
  std::vector<RuleEffect> rule_effects;
  LoadOverTime load_over_time;  // of submissions, from the first one on

  std::vector<std::pair<std::string, std::string>> rules;
};

struct InfoOptions {
  // Percentiles are exact up to this many different values (traces/parts/quantiles.h) and within
  // 0.5 % beyond; memory grows with it. Counts and sums are exact in any case.
  std::size_t exact_max = TraceTally::default_exact_max;
};

// Reads the whole trace. Throws as open_trace() and its reader do.
TraceInfo measure_trace(const std::string& path, const TraceOptions& options,
                        const InfoOptions& info_options = {});

// For people, at a terminal of 100 columns; with a line end at the end.
std::string to_text(const TraceInfo& info);
nlohmann::json to_json(const TraceInfo& info);

// The table of `tracebed trace rules`: every rule with its value in `rules`.
std::string rules_to_text(const TraceRules& rules);
nlohmann::json rules_to_json(const TraceRules& rules);

}  // namespace tracebed
