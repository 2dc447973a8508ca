// Verdicts on the differences between a candidate and the baseline: one for each figure, such that
// "better" or "worse" is wrong for any figure of any candidate in at most 5 % of comparisons
// between schedulers that do not differ in it (the familywise error rate).
//
// - All tests together are made at 4 %, which the candidates share evenly (Bonferroni). Those whose
//   decisions are the baseline's, and those without chance, need none of it.
// - A candidate's primary figure is tested first, with all of its share. Only if it differs, even
//   by less than matters, are the others tested, with the same share, corrected for being many by
//   Holm's procedure (1979): a fixed sequence, or serial gatekeeping (Westfall and Krishen 2001),
//   which controls the familywise error rate of the primary figure and the others together.
// - A difference whose 95 % interval lies within ± `matters_from` of the baseline's figure does not
//   matter, however certain it is: two one-sided tests at 2.5 % (Schuirmann 1987). Figures are
//   tested one by one for that, without correction.
// - Where both sides are constants (every seed led to the same decisions), the difference does not
//   depend on chance, and is not tested.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "report/compared_figures.h"
#include "report/repetition_test.h"

namespace tracebed {

// The level of all tests of a comparison together. It leaves a fifth of the 5 % for what t does not
// assume: values of runs that are skewed, or take few different values (as one event occurs or
// not).
inline constexpr double test_level = 0.04;

enum class Verdict : std::uint8_t {
  better,
  worse,
  no_difference,   // that matters
  cannot_tell,     // too few repetitions for their variation
  not_judged,      // not the primary figure, which is not settled
  one_repetition,  // of a side, so the difference is not tested
  identical,       // both sides decided the same
};
std::string_view name(Verdict verdict);

// From this many repetitions of each side jobs are not drawn; drawing may be all that hides a
// difference.
inline constexpr std::uint64_t repetitions_enough = 6;

// A candidate against the baseline, in one figure.
struct FigureDifference {
  double baseline = 0;
  double difference = 0;               // candidate − baseline
  std::optional<RepetitionTest> test;  // none with one repetition, or if it is exact
  double job_error = 0;                // standard error by drawing jobs; 0 where none are drawn
  bool is_exact = false;               // both sides are constants
  // The following are set by judge().
  std::optional<ConfidenceInterval> interval;  // 95 %, of this figure by itself
  std::optional<double> p;                     // likewise
  std::optional<double> p_corrected;           // for all figures and candidates; where tested
  // Set if the verdict is cannot_tell and the difference is not zero; from repetitions_needed().
  std::optional<std::uint64_t> repetitions_needed;
  Verdict verdict = Verdict::one_repetition;
  std::optional<double> noise;  // the baseline against itself, as a part of the baseline's figure

  // Candidate / baseline, unless the baseline is zero, and the interval on that scale.
  std::optional<double> ratio() const;
  std::optional<ConfidenceInterval> ratio_interval() const;
};

struct JudgementRules {
  std::optional<std::size_t> primary;  // a figure's index; none: nothing is tested
  double matters_from = 0.01;          // part of the baseline's figure
  std::size_t candidates_tested = 1;   // that share test_level
};

// A job's standard error widens interval and p, and never narrows them.
void judge(std::vector<FigureDifference>& differences, std::span<const ComparedFigure> figures,
           const RunPairs& pairs, const JudgementRules& rules);

}  // namespace tracebed
