#include "report/judgement.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/unknown_constant.h"
#include "report/distributions.h"

namespace tracebed {
namespace {

void widen_by_jobs(FigureDifference& figure) {
  figure.interval = figure.test->interval;
  figure.p = figure.test->p;
  // Where no repetition differs at all, jobs do not say otherwise.
  const bool never_differs = figure.interval->low == 0 && figure.interval->high == 0;
  if (figure.job_error <= 0 || never_differs) return;
  const double half = normal_quantile(interval_level / 2) * figure.job_error;
  figure.interval = hull(*figure.interval, {figure.difference - half, figure.difference + half});
  figure.p = std::max(*figure.p, normal_two_sided(figure.difference / figure.job_error));
}

// Corrected values of the others, once the primary figure has `p_primary` (corrected).
void correct_others(std::vector<FigureDifference>& differences, std::size_t primary,
                    double p_primary, std::size_t candidates) {
  std::vector<std::size_t> order;
  for (std::size_t f = 0; f < differences.size(); ++f) {
    if (f != primary && differences[f].p) order.push_back(f);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return *differences[a].p < *differences[b].p;
  });
  double highest = p_primary;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto left = static_cast<double>((order.size() - i) * candidates);
    highest = std::max(highest, std::min(1.0, left * *differences[order[i]].p));
    differences[order[i]].p_corrected = highest;
  }
}

bool does_not_matter(const FigureDifference& figure, double matters_from) {
  const double bound = matters_from * std::abs(figure.baseline);
  if (figure.is_exact) return figure.difference == 0 || std::abs(figure.difference) < bound;
  if (figure.interval->low == 0 && figure.interval->high == 0) return true;
  return -bound < figure.interval->low && figure.interval->high < bound;
}

Verdict direction(const FigureDifference& figure, const ComparedFigure& compared) {
  return (figure.difference < 0) == compared.lower_is_better ? Verdict::better : Verdict::worse;
}

std::optional<std::uint64_t> needed(const FigureDifference& figure, const RunPairs& pairs,
                                    double matters_from, double level) {
  const double wanted =
      std::max(std::abs(figure.difference), matters_from * std::abs(figure.baseline));
  if (wanted == 0) return std::nullopt;
  const std::uint64_t by_repetitions = repetitions_needed(*figure.test, pairs, wanted, level);
  return figure.job_error > 0 ? std::max(by_repetitions, repetitions_enough) : by_repetitions;
}

}  // namespace

std::optional<double> FigureDifference::ratio() const {
  if (baseline == 0) return std::nullopt;
  return 1 + difference / baseline;
}

std::optional<ConfidenceInterval> FigureDifference::ratio_interval() const {
  if (baseline == 0 || !interval) return std::nullopt;
  return ConfidenceInterval{1 + interval->low / baseline, 1 + interval->high / baseline};
}

void judge(std::vector<FigureDifference>& differences, std::span<const ComparedFigure> figures,
           const RunPairs& pairs, const JudgementRules& rules) {
  for (FigureDifference& figure : differences) {
    if (figure.test) widen_by_jobs(figure);
  }
  bool is_settled = false;
  if (rules.primary && differences[*rules.primary].p) {
    FigureDifference& primary = differences[*rules.primary];
    primary.p_corrected = std::min(1.0, *primary.p * static_cast<double>(rules.candidates_tested));
    is_settled = *primary.p_corrected <= test_level;
    if (is_settled) {
      correct_others(differences, *rules.primary, *primary.p_corrected, rules.candidates_tested);
    }
  }
  for (std::size_t f = 0; f < differences.size(); ++f) {
    FigureDifference& figure = differences[f];
    if (!figure.test && !figure.is_exact) continue;
    if (does_not_matter(figure, rules.matters_from)) {
      figure.verdict = Verdict::no_difference;
    } else if (figure.is_exact || (figure.p_corrected && *figure.p_corrected <= test_level)) {
      figure.verdict = direction(figure, figures[f]);
    } else if (f != rules.primary && !is_settled) {
      figure.verdict = Verdict::not_judged;
    } else {
      figure.verdict = Verdict::cannot_tell;
      const std::size_t family = f == rules.primary ? 1 : differences.size() - 1;
      figure.repetitions_needed =
          needed(figure, pairs, rules.matters_from,
                 test_level / static_cast<double>(family * rules.candidates_tested));
    }
  }
}

std::string_view name(Verdict verdict) {
  switch (verdict) {
    case Verdict::better:
      return "better";
    case Verdict::worse:
      return "worse";
    case Verdict::no_difference:
      return "no_difference";
    case Verdict::cannot_tell:
      return "cannot_tell";
    case Verdict::not_judged:
      return "not_judged";
    case Verdict::one_repetition:
      return "one_repetition";
    case Verdict::identical:
      return "identical";
  }
  unknown_constant();
}

}  // namespace tracebed
