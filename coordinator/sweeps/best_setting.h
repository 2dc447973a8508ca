// Which setting of a sweep is best, and whether that is more than repetitions differ by.
//
// The best is compared with each other setting by report/repetition_test.h. It was chosen after
// looking, among m settings: that it beats another one by chance is what multiple comparisons with
// the best are about (Hsu 1984, "Constrained simultaneous confidence intervals"). A setting is
// "worse" only if the p of its difference, times the m − 1 comparisons (Bonferroni, which is wider
// than Hsu's bound), is at most 5 %: so the setting that is truly best is among those that are not
// called worse in at least 95 % of sweeps.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "coordinator/sweeps/sweep_results.h"
#include "report/confidence_interval.h"

namespace tracebed {

enum class BesideBest : std::uint8_t {
  worse,
  within_noise,    // of repetitions
  identical,       // the same decisions with every seed
  exactly_worse,   // every seed leads to the same decisions, in both
  one_repetition,  // so nothing is known of the noise
};
std::string_view name(BesideBest verdict);

struct SettingDifference {
  std::size_t setting = 0;  // of the results
  double mean = 0;
  double difference = 0;                       // from the best
  std::optional<ConfidenceInterval> interval;  // 95 %, of this difference by itself
  BesideBest verdict = BesideBest::one_repetition;
};

// One step away from the best in one key, in the order of the key's values.
struct SettingNeighbour {
  std::size_t key = 0;  // of the plan
  SettingDifference difference;
};

struct BestSetting {
  std::size_t setting = 0;
  MeanOfRuns mean;
  std::vector<SettingNeighbour> neighbours;  // by key
  std::vector<SettingDifference> others;     // all that have a figure, the best of them first
  std::size_t incomplete =
      0;  // settings that are out of it: a run did not complete, or has no figure
};

// None if no setting has all its runs complete with the figure.
std::optional<BestSetting> best_setting(const SweepResults& results);

// What a key's values do to the figure, over all values of the other keys: for each repetition
// (seed) the mean over the settings that have the value, then the mean over repetitions.
struct ResponseMean {
  std::size_t settings = 0;  // that the mean is over
  std::optional<MeanOfRuns> mean;
  std::optional<std::size_t> best;  // of these settings
};
struct ResponseRow {
  std::size_t value = 0;  // of the key
  ResponseMean response;
};
struct Response {
  std::size_t key = 0;    // of the plan
  std::string scheduler;  // label
  std::vector<ResponseRow> rows;
};
// Of each key with several values but `seed`, for each scheduler.
std::vector<Response> responses(const SweepResults& results);

// The same of two keys together: a cell for each pair of values that settings have.
struct PairedResponse {
  struct Cell {
    std::size_t first_value = 0;
    std::size_t second_value = 0;
    ResponseMean response;
  };
  std::size_t first = 0;  // keys of the plan
  std::size_t second = 0;
  std::string scheduler;  // label
  std::vector<Cell> cells;
};
// Of each two keys that do not change together, for each scheduler, in the order of the plan.
std::vector<PairedResponse> paired_responses(const SweepResults& results);

}  // namespace tracebed
