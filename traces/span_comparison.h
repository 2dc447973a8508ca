// Every job of a trace as it was recorded beside a replay on an unlimited, ideal cluster, which
// takes as long as the longest path through the job (ideal_duration). What the replay takes longer
// than recorded there is no waiting, so it is work that the job did not have: a time in which it
// waited was taken for one. Shorter ones ran in waves, or waited between their tasks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/workload.h"
#include "traces/parts/quantiles.h"
#include "traces/parts/recorded_span.h"

namespace tracebed {

struct SpanSummary {
  struct Worst {
    std::string job;
    double recorded_seconds = 0;
    double replayed_seconds = 0;
    double ratio = 0;
  };
  static constexpr double ratio_limit = 1.05;

  std::uint64_t jobs = 0;       // whose span was recorded
  double recorded_seconds = 0;  // on average
  double replayed_seconds = 0;
  // Of replayed over recorded spans, where one below the clock's resolution counts as that.
  double mean = 0;
  double p50 = 0;
  double p95 = 0;
  double above_limit = 0;  // share of jobs with a ratio above ratio_limit
  // Jobs that take longer than recorded by more than the clock's resolution for every task on the
  // longest path, each of which may be rounded up to it.
  std::uint64_t longer = 0;
  double resolution_seconds = 0;
  std::vector<Worst> worst;  // at most three, the largest ratio first
  std::uint64_t stages = 0;  // whose tasks' own times are recorded
  std::uint64_t stages_in_waves = 0;
};

class SpanComparison {
 public:
  // `resolution` is that of the trace's clock, above 0.
  SpanComparison(Duration resolution, std::size_t exact_max)
      : resolution_(resolution), ratios_(exact_max) {}

  void add(const Job& job, const std::optional<RecordedSpan>& recorded);
  // After the last job. None if no job has a recorded span.
  std::optional<SpanSummary> summary();

 private:
  void note_worst(const Job& job, Duration recorded, Duration replayed, double ratio);

  Duration resolution_;
  SpanSummary sums_;  // sums where the summary has means
  Quantiles ratios_;  // in millionths
  std::uint64_t above_limit_ = 0;
};

// Stages on the longest path through the job by their number.
std::uint32_t depth_of(const Job& job);

// Lines for people, indented. `what` is from what to what recorded spans reach, or why there are
// none.
std::string to_text(const std::optional<SpanSummary>& summary, std::string_view what);
nlohmann::json to_json(const SpanSummary& summary);

}  // namespace tracebed
