#include "report/verdict_text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "core/unknown_constant.h"
#include "report/job_blocks.h"
#include "report/text_table.h"

namespace tracebed {
namespace {

// How far the ratio is from 1, in per cent; what rounds to zero has no sign.
std::string signed_per_cent(double ratio) {
  const double per_cent = 100 * (ratio - 1);
  return std::abs(per_cent) < 0.05 ? "0.0" : fmt::format("{:+.1f}", per_cent);
}

std::string with_sign(double value) {
  return (value > 0 ? "+" : "") + readable(value);
}

std::string unit_of(const ComparedFigure& figure) {
  return figure.unit.empty() ? "" : " " + figure.unit;
}

// "-6.0..+1.5", without unit.
std::string bounds_text(const FigureDifference& difference) {
  if (const auto ratios = difference.ratio_interval()) {
    return fmt::format("{}..{}", signed_per_cent(ratios->low), signed_per_cent(ratios->high));
  }
  return fmt::format("{}..{}", with_sign(difference.interval->low),
                     with_sign(difference.interval->high));
}

// "-2.3 %, 95 % CI -6.0..+1.5"
std::string change_and_bounds(const ComparedFigure& figure, const FigureDifference& difference) {
  const std::string change = change_text(figure, difference);
  if (difference.is_exact) return change + ", exactly";
  return fmt::format("{}, 95 % CI {}", change, bounds_text(difference));
}

// "better by" and "worse by" carry the direction, so the figures lose their sign.
std::string by_how_much(const ComparedFigure& figure, const FigureDifference& difference) {
  const std::optional<double> ratio = difference.ratio();
  const std::string change = ratio ? fmt::format("{:.1f} %", 100 * std::abs(*ratio - 1))
                                   : readable(std::abs(difference.difference)) + unit_of(figure);
  const std::string verdict = fmt::format("{} by {}", name(difference.verdict), change);
  if (difference.is_exact) return verdict + ", exactly, on this trace";
  const auto ratios = difference.ratio_interval();
  const ConfidenceInterval& interval = ratios ? *ratios : *difference.interval;
  const double origin = ratios ? 1 : 0;
  double low = std::abs(interval.low - origin);
  double high = std::abs(interval.high - origin);
  if (low > high) std::swap(low, high);
  return ratios ? fmt::format("{} (95 % CI {:.1f}..{:.1f})", verdict, 100 * low, 100 * high)
                : fmt::format("{} (95 % CI {}..{})", verdict, readable(low), readable(high));
}

std::string count_needed(const FigureDifference& difference) {
  const std::uint64_t count = *difference.repetitions_needed;
  return count > repetitions_reported_max ? "more than " + grouped(repetitions_reported_max)
                                          : "about " + grouped(count);
}

// "10", or "10 and 12".
std::string count_of_runs(const RunPairs& pairs) {
  return fmt::format("{} and {}", grouped(pairs.baseline_runs), grouped(pairs.candidate_runs));
}

bool is_exact(const Candidate& candidate) {
  return std::any_of(candidate.differences.begin(), candidate.differences.end(),
                     [](const FigureDifference& figure) { return figure.is_exact; });
}

}  // namespace

std::string change_text(const ComparedFigure& figure, const FigureDifference& difference) {
  if (const auto ratio = difference.ratio()) return signed_per_cent(*ratio) + " %";
  return with_sign(difference.difference) + unit_of(figure);
}

std::string interval_text(const ComparedFigure& figure, const FigureDifference& difference) {
  if (!difference.interval) return {};
  return bounds_text(difference) + (difference.ratio() ? std::string(" %") : unit_of(figure));
}

std::string noise_text(const FigureDifference& difference) {
  if (!difference.noise) return {};
  return fmt::format("±{:.1f} %", 100 * *difference.noise);
}

std::string short_verdict(const FigureDifference& difference) {
  switch (difference.verdict) {
    case Verdict::better:
    case Verdict::worse:
      return std::string(name(difference.verdict)) + (difference.is_exact ? ", exactly" : "");
    case Verdict::no_difference:
      return "no difference that matters";
    case Verdict::cannot_tell:
      return difference.repetitions_needed ? "cannot tell, needs " + count_needed(difference)
                                           : "cannot tell";
    case Verdict::not_judged:
      return "not judged";
    case Verdict::one_repetition:
      return "on this trace and seed";
    case Verdict::identical:
      return "identical decisions";
  }
  unknown_constant();
}

std::string verdict_text(const ComparedFigure& figure, const FigureDifference& difference) {
  switch (difference.verdict) {
    case Verdict::better:
    case Verdict::worse:
      return by_how_much(figure, difference);
    case Verdict::no_difference:
    case Verdict::not_judged:
      return fmt::format("{} ({})", short_verdict(difference),
                         change_and_bounds(figure, difference));
    case Verdict::cannot_tell:
      return fmt::format("cannot tell ({}){}", change_and_bounds(figure, difference),
                         difference.repetitions_needed
                             ? fmt::format(": would need {} repetitions", count_needed(difference))
                             : "");
    case Verdict::one_repetition:
      return fmt::format("on this trace and seed: {}", change_text(figure, difference));
    case Verdict::identical:
      return short_verdict(difference);
  }
  unknown_constant();
}

std::string test_text(const WorldComparison& world, const Candidate& candidate) {
  const std::string& baseline = world.schedulers.front().label;
  const std::string& label = world.schedulers[candidate.scheduler].label;
  const RunPairs& pairs = candidate.pairs;
  if (candidate.has_same_decisions) {
    return fmt::format("{} and {} made identical decisions", label, baseline);
  }
  if (is_exact(candidate)) {
    return fmt::format(
        "{} and {} are constant: seeds do not change their decisions, so the differences are exact "
        "for this trace",
        label, baseline);
  }
  if (pairs.repetitions_min() < 2) {
    return fmt::format("one repetition of {}: the effect of chance is unknown",
                       pairs.baseline_runs < 2 ? baseline : label);
  }
  const bool is_drawn = pairs.repetitions_min() >= repetitions_for_bootstrap;
  std::string text = is_drawn ? "the bootstrap of " : "";
  if (pairs.are_all()) {
    text += fmt::format("Student's t-test of {} differences between runs with the same seed",
                        grouped(pairs.pairs.size()));
  } else {
    text += fmt::format("Welch's t-test of {} runs with different seeds", count_of_runs(pairs));
  }
  if (candidate.job_draws.state == JobDraws::State::drawn) {
    text += candidate.job_draws.block_jobs == 1
                ? ", intervals widened by resampling jobs"
                : fmt::format(", intervals widened by resampling blocks of {} consecutive jobs",
                              grouped(candidate.job_draws.block_jobs));
  } else if (candidate.job_draws.state == JobDraws::State::refused) {
    text += fmt::format(
        "; jobs are not resampled, since they depend on each other over more than an eighth of the "
        "trace");
  }
  return text;
}

std::vector<std::string> judgement_texts(const WorldComparison& world) {
  std::vector<std::string> texts;
  if (world.candidates.empty()) return texts;
  const auto any = [&](auto holds) {
    return std::any_of(world.candidates.begin(), world.candidates.end(), holds);
  };
  const auto is_tested = [](const Candidate& candidate) {
    return !candidate.has_same_decisions && !is_exact(candidate) &&
           candidate.pairs.repetitions_min() > 1;
  };
  if (any(is_tested) && world.primary) {
    std::string text = fmt::format(
        "{} is tested first; if it differs, the other figures are tested, too, with Holm's "
        "correction for multiple tests. \"better\" or \"worse\" is wrong anywhere here in at most "
        "5 % of comparisons",
        world.figures[*world.primary].title);
    if (world.candidates_tested > 1) {
      text += fmt::format(", shared by {} schedulers", world.candidates_tested);
    }
    texts.push_back(text + ". Confidence intervals (CI) are per figure.");
    texts.push_back(fmt::format("A difference whose interval lies within ±{} % does not matter.",
                                readable(100 * world.matters_from)));
  }
  if (any([](const Candidate& c) {
        return std::any_of(
            c.differences.begin(), c.differences.end(),
            [](const FigureDifference& f) { return f.repetitions_needed.has_value(); });
      })) {
    texts.push_back(
        "For \"cannot tell\", the number of repetitions of each scheduler is what would detect the "
        "difference with 80 % power.");
  }
  if (any([&](const Candidate& c) {
        return !c.has_same_decisions && c.pairs.repetitions_min() < 2;
      })) {
    texts.push_back(
        "Differences from one repetition are those of this trace and seed; another seed may "
        "reverse them. Verdicts need several `repetitions`.");
  }
  if (!world.noise.runs.empty()) {
    texts.push_back(fmt::format(
        "Noise: {} against itself, {} under other seeds compared with {}. Smaller differences are "
        "noise.",
        world.schedulers.front().label,
        world.noise.runs.size() == 1 ? "1 run" : grouped(world.noise.runs.size()) + " runs",
        grouped(world.schedulers.front().runs.size())));
  }
  if (!world.varied.empty()) {
    texts.push_back(fmt::format("Varied between repetitions: {}.", fmt::join(world.varied, ", ")));
  }
  return texts;
}

}  // namespace tracebed
