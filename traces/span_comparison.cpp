#include "traces/span_comparison.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "traces/parts/bad_rows.h"

namespace tracebed {
namespace {

constexpr double millionths = 1e6;
constexpr std::size_t worst_jobs = 3;

}  // namespace

std::uint32_t depth_of(const Job& job) {
  if (job.kind != JobKind::dag && job.kind != JobKind::service) {
    return static_cast<std::uint32_t>(job.stages.size());
  }
  std::vector<std::uint32_t> depths(job.stages.size(), 1);
  std::uint32_t deepest = 0;
  for (std::size_t i = 0; i < depths.size(); ++i) {
    for (const std::uint16_t needed : job.stages[i].needs) {
      depths[i] = std::max(depths[i], depths[needed] + 1);
    }
    deepest = std::max(deepest, depths[i]);
  }
  return deepest;
}

void SpanComparison::add(const Job& job, const std::optional<RecordedSpan>& recorded) {
  if (!recorded) return;
  const Duration replayed = ideal_duration(job);
  ++sums_.jobs;
  sums_.recorded_seconds += to_seconds(recorded->length);
  sums_.replayed_seconds += to_seconds(replayed);
  sums_.stages += recorded->stages;
  sums_.stages_in_waves += recorded->stages_in_waves;
  const double ratio = to_seconds(replayed) / to_seconds(std::max(recorded->length, resolution_));
  constexpr double largest = 9e18;
  ratios_.add(static_cast<std::int64_t>(std::min(ratio * millionths + 0.5, largest)));
  if (ratio > SpanSummary::ratio_limit) ++above_limit_;
  if (replayed > recorded->length + resolution_ * depth_of(job)) ++sums_.longer;
  note_worst(job, recorded->length, replayed, ratio);
}

void SpanComparison::note_worst(const Job& job, Duration recorded, Duration replayed,
                                double ratio) {
  std::vector<SpanSummary::Worst>& worst = sums_.worst;
  if (worst.size() == worst_jobs && worst.back().ratio >= ratio) return;
  const auto place = std::find_if(worst.begin(), worst.end(),
                                  [&](const auto& each) { return each.ratio < ratio; });
  worst.insert(place, {job.name, to_seconds(recorded), to_seconds(replayed), ratio});
  if (worst.size() > worst_jobs) worst.pop_back();
}

std::optional<SpanSummary> SpanComparison::summary() {
  if (sums_.jobs == 0) return std::nullopt;
  SpanSummary summary = sums_;
  const auto jobs = static_cast<double>(sums_.jobs);
  summary.recorded_seconds /= jobs;
  summary.replayed_seconds /= jobs;
  summary.resolution_seconds = to_seconds(resolution_);
  summary.mean = ratios_.mean() / millionths;
  summary.p50 = static_cast<double>(ratios_.percentile(50)) / millionths;
  summary.p95 = static_cast<double>(ratios_.percentile(95)) / millionths;
  summary.above_limit = static_cast<double>(above_limit_) / jobs;
  return summary;
}

std::string to_text(const std::optional<SpanSummary>& summary, std::string_view what) {
  if (!summary) return fmt::format("  none is recorded: {}\n", what);
  std::string text = fmt::format("  recorded: {}\n", what);
  text += fmt::format(
      "  {} job{}: recorded {:.1f} s on average, replayed {:.1f} s\n"
      "  replayed over recorded: mean {:.3f}, p50 {:.3f}, p95 {:.3f}; above {} in {:.2f} % of "
      "jobs\n",
      summary->jobs, summary->jobs == 1 ? "" : "s", summary->recorded_seconds,
      summary->replayed_seconds, summary->mean, summary->p50, summary->p95,
      SpanSummary::ratio_limit, summary->above_limit * 100);
  text +=
      fmt::format("  longer by more than {} s for each task on the longest path: {} job{}\n",
                  summary->resolution_seconds, summary->longer, summary->longer == 1 ? "" : "s");
  for (const SpanSummary::Worst& each : summary->worst) {
    if (each.ratio <= 1) break;  // the largest first
    text += fmt::format("  the largest: {:.3f}, {:.1f} s for {:.1f} s, job {}\n", each.ratio,
                        each.replayed_seconds, each.recorded_seconds, shown(each.job));
  }
  if (summary->stages > 0) {
    text += fmt::format("  {} of {} stages ran in waves: not all of their tasks at once\n",
                        summary->stages_in_waves, summary->stages);
  }
  return text;
}

nlohmann::json to_json(const SpanSummary& summary) {
  nlohmann::json json = {{"jobs", summary.jobs},
                         {"recorded_seconds", summary.recorded_seconds},
                         {"replayed_seconds", summary.replayed_seconds},
                         {"ratio",
                          {{"mean", summary.mean},
                           {"p50", summary.p50},
                           {"p95", summary.p95},
                           {"share_above_1.05", summary.above_limit}}},
                         {"resolution_seconds", summary.resolution_seconds},
                         {"longer_than_recorded", summary.longer},
                         {"stages", summary.stages},
                         {"stages_in_waves", summary.stages_in_waves}};
  json["worst"] = nlohmann::json::array();
  for (const SpanSummary::Worst& each : summary.worst) {
    json["worst"].push_back({{"job", each.job},
                             {"recorded_seconds", each.recorded_seconds},
                             {"replayed_seconds", each.replayed_seconds},
                             {"ratio", each.ratio}});
  }
  return json;
}

}  // namespace tracebed
