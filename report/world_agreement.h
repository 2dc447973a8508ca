// Whether a modelled world and a real one agree: each scheduler's runs in the one beside its runs
// in the other, over the jobs that succeeded in all of them, and the order of the schedulers in
// each.
//
// Runs differ from repetition to repetition, in the real world by themselves, in the modelled one
// by their seeds. So a difference of medians is held against the ranges of the runs: where they
// overlap, it is within what repetitions differ by. If the worlds were alike, every order of their
// n + m runs would be as likely as any other, so their ranges would be apart by chance with the
// probability 2 / C(n + m, n). Up to 5 %, ranges that are apart count as a difference; above, there
// are too few runs to tell. (report/world_difference.h tells where a difference comes from.)
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "report/comparability.h"
#include "report/run_folder.h"

namespace tracebed {

// Of a figure over runs.
struct RunRange {
  double low = 0;
  double median = 0;  // nearest rank (report/percentiles.h): that of a run
  double high = 0;

  bool operator==(const RunRange&) const = default;
};

RunRange range_of(std::vector<double> values);

enum class Agreement : std::uint8_t {
  within_repetitions,
  does_not_matter,  // the medians differ by less than the part that matters
  beyond_repetitions,
  too_few_runs,
};

// "within_repetitions", …
const char* name(Agreement agreement);

// If both worlds are alike: the probability that these numbers of runs have ranges that do not
// overlap; 1 for one run each.
double chance_of_separation(std::size_t model_runs, std::size_t real_runs);

// Differences below `matters_from`, a part of the model's median, do not matter.
Agreement agreement_of(const RunRange& model, const RunRange& real, double chance,
                       double matters_from);

struct FigureAgreement {
  std::string key;    // as in ComparedFigure
  std::string title;  // with the unit
  RunRange model;
  RunRange real;
  Agreement agreement = Agreement::too_few_runs;
};

struct SchedulerAgreement {
  std::string label;
  std::size_t model_runs = 0;
  std::size_t real_runs = 0;
  std::uint64_t jobs = 0;                // that succeeded in all of them
  double chance = 1;                     // chance_of_separation
  std::vector<FigureAgreement> figures;  // JCT mean, p50, p95 as far as jobs allow, makespan
};

struct WorldAgreement {
  std::string model_world;
  std::string real_world;
  std::vector<SchedulerAgreement> schedulers;  // that ran in both
  // Their labels, ordered by the median of the JCT's mean, the shortest first; empty for less than
  // two.
  std::vector<std::string> model_order;
  std::vector<std::string> real_order;
};

// One for each real world that has a scheduler in common with the virtual one. `groups` have no
// runs that only measure noise (take_noise); `matters_from` as above.
std::vector<WorldAgreement> world_agreements(std::span<const RunFolder> runs,
                                             std::span<const RunGroup> groups, double matters_from);

}  // namespace tracebed
