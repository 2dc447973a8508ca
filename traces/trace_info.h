// `trace info`: what a trace holds, in its own columns and as the workload that the rules make of
// it.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "traces/open_trace.h"
#include "traces/statistics.h"

namespace tracebed {

struct DistributionSummary {
  static constexpr double percentiles[] = {0.01, 0.25, 0.5, 0.75, 0.9, 0.99};

  std::string name;
  std::string unit;
  std::uint64_t count = 0;
  double minimum = 0;
  double at[6] = {};  // at percentiles[]
  double maximum = 0;
  double mean = 0;
  double sum = 0;
  bool exact = true;  // false: percentiles are within 0.5 %

  // The value of the percentile `percent`, one of 1, 25, 50, 75, 90, 99.
  double percentile(int percent) const;
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
  std::vector<NamedCount> left_out;  // by rule
  std::vector<NamedCount> notes;

  // Of the rows, on the file's own clock.
  double first_submit_seconds = 0;
  double last_submit_seconds = 0;
  std::vector<DistributionSummary> columns;
  std::vector<NamedCount> counts;
  std::vector<NamedCount> distinct;  // at TraceTally::distinct_max: that many or more

  // Of the workload that the rules make of the rows.
  std::uint64_t jobs = 0;
  std::uint64_t tasks = 0;
  double span_seconds = 0;
  double vcore_seconds = 0;
  double offered_vcores = 0;  // mean over the span
  std::optional<double> recorded_vcores;
  std::optional<double> load;  // offered over recorded
  std::vector<DistributionSummary> derived;
  double load_span_seconds = 0;
  std::vector<LoadOverTime::Span> load_over_time;

  std::vector<std::pair<std::string, std::string>> rules;
};

struct InfoOptions {
  // Percentiles are exact up to so many rows and within 0.5 % beyond; memory grows with it.
  std::size_t exact_max = TraceTally::default_exact_max;
};

// Reads the whole trace. Throws as open_trace() and its reader do.
TraceInfo measure_trace(const std::string& path, const TraceOptions& options,
                        const InfoOptions& info_options = {});

// For people, with a line end at the end.
std::string to_text(const TraceInfo& info);
nlohmann::json to_json(const TraceInfo& info);

// The table of `tracebed trace rules`: every rule with its value in `rules`.
std::string rules_to_text(const TraceRules& rules);
nlohmann::json rules_to_json(const TraceRules& rules);

}  // namespace tracebed
