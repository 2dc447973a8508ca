#include "coordinator/sweeps/best_setting.h"

#include <algorithm>
#include <set>

#include "report/repetition_test.h"
#include "report/run_pairs.h"

namespace tracebed {
namespace {

constexpr std::uint64_t seed_of_tests = 1;  // of what they draw

bool is_whole(const SweepSetting& setting) {
  return !setting.runs.empty() &&
         std::all_of(setting.runs.begin(), setting.runs.end(),
                     [](const SettingRun& run) { return run.value.has_value(); });
}

// Several runs that all decided alike.
bool is_constant(const SweepSetting& setting) {
  return setting.runs.size() > 1 &&
         std::all_of(setting.runs.begin(), setting.runs.end(), [&](const SettingRun& run) {
           return run.digest == setting.runs.front().digest &&
                  run.value == setting.runs.front().value;
         });
}

bool decide_alike(const SweepSetting& a, const SweepSetting& b) {
  return std::equal(a.runs.begin(), a.runs.end(), b.runs.begin(), b.runs.end(),
                    [](const SettingRun& x, const SettingRun& y) {
                      return x.seed == y.seed && x.digest == y.digest;
                    });
}

// Whether the two have the same position in every point, as those of a [[sweep.paired]] table.
bool change_together(const RecordedPlan& plan, std::size_t a, std::size_t b) {
  return std::all_of(plan.points.begin(), plan.points.end(), [&](const RecordedPlan::Point& point) {
    return point.values[a] == point.values[b];
  });
}

class BestSearch {
 public:
  explicit BestSearch(const SweepResults& results) : results_(results) {
    for (std::size_t i = 0; i < results.settings.size(); ++i) {
      if (is_whole(results.settings[i])) whole_.push_back(i);
    }
    std::stable_sort(whole_.begin(), whole_.end(),
                     [&](std::size_t a, std::size_t b) { return is_better(mean(a), mean(b)); });
  }

  std::optional<BestSetting> search() const {
    if (whole_.empty()) return std::nullopt;
    BestSetting best;
    best.setting = whole_.front();
    best.mean = *mean_of(results_.settings[best.setting].figures());
    best.incomplete = results_.settings.size() - whole_.size();
    for (std::size_t i = 1; i < whole_.size(); ++i) {
      best.others.push_back(compared(best.setting, whole_[i]));
    }
    for (std::size_t k = 0; k < results_.plan.keys.size(); ++k) {
      for (const SettingDifference& other : best.others) {
        if (is_neighbour(best.setting, other.setting, k)) best.neighbours.push_back({k, other});
      }
    }
    return best;
  }

 private:
  double mean(std::size_t setting) const {
    return mean_of(results_.settings[setting].figures())->mean;
  }
  bool is_better(double a, double b) const {
    return results_.figure.lower_is_better ? a < b : a > b;
  }

  SettingDifference compared(std::size_t best, std::size_t other) const {
    const SweepSetting& a = results_.settings[best];
    const SweepSetting& b = results_.settings[other];
    SettingDifference result{other, mean(other), mean(other) - mean(best), std::nullopt,
                             BesideBest::one_repetition};
    if (decide_alike(a, b)) {
      result.verdict = BesideBest::identical;
      return result;
    }
    if (is_constant(a) && is_constant(b)) {
      result.verdict =
          result.difference == 0 ? BesideBest::within_noise : BesideBest::exactly_worse;
      return result;
    }
    const RunPairs pairs = pair_by_seed(a.seeds(), b.seeds());
    const auto test = test_repetitions(a.figures(), b.figures(), pairs, seed_of_tests);
    if (!test) return result;
    result.interval = test->interval;
    const auto comparisons = static_cast<double>(whole_.size() - 1);
    result.verdict =
        test->p * comparisons <= interval_level ? BesideBest::worse : BesideBest::within_noise;
    return result;
  }

  // The same but for one step of one key. Keys that are paired step together; they are neighbours
  // by the first of them.
  bool is_neighbour(std::size_t best, std::size_t other, std::size_t key) const {
    const SweepSetting& a = results_.settings[best];
    const SweepSetting& b = results_.settings[other];
    if (a.scheduler != b.scheduler || !a.values[key] || !b.values[key]) return false;
    const std::size_t low = std::min(*a.values[key], *b.values[key]);
    const std::size_t high = std::max(*a.values[key], *b.values[key]);
    if (high - low != 1) return false;
    for (std::size_t k = 0; k < a.values.size(); ++k) {
      if (k == key || a.values[k] == b.values[k]) continue;
      const bool is_paired = change_together(results_.plan, key, k);
      if (!is_paired || k < key) return false;
    }
    return true;
  }

  const SweepResults& results_;
  std::vector<std::size_t> whole_;  // settings, the best first
};

// Over settings all of whose runs have the figure.
ResponseMean mean_over(const SweepResults& results, std::span<const std::size_t> settings) {
  ResponseMean response;
  std::vector<ByRepetition> all;
  double best = 0;
  for (const std::size_t i : settings) {
    const SweepSetting& setting = results.settings[i];
    all.push_back(setting.by_seed());
    ++response.settings;
    const double mean = mean_of(setting.figures())->mean;
    const bool is_better = results.figure.lower_is_better ? mean < best : mean > best;
    if (!response.best || is_better) {
      response.best = i;
      best = mean;
    }
  }
  std::vector<double> means;
  for (const auto& [seed, mean] : mean_by_repetition(all)) means.push_back(mean);
  response.mean = mean_of(means);
  return response;
}

// Of settings, in their order.
std::vector<std::string> schedulers_of(const SweepResults& results) {
  std::vector<std::string> schedulers;
  for (const SweepSetting& setting : results.settings) {
    if (std::find(schedulers.begin(), schedulers.end(), setting.scheduler) == schedulers.end()) {
      schedulers.push_back(setting.scheduler);
    }
  }
  return schedulers;
}

// Those that a response is told of.
std::vector<std::size_t> responding_keys(const RecordedPlan& plan) {
  std::vector<std::size_t> keys;
  for (std::size_t k = 0; k < plan.keys.size(); ++k) {
    const SweptKey& key = plan.keys[k];
    if (key.key == seed_key || key.key == scheduler_choice_key || key.values.size() < 2) continue;
    keys.push_back(k);
  }
  return keys;
}

std::vector<PairedResponse::Cell> cells_of(const SweepResults& results, std::size_t first,
                                           std::size_t second, const std::string& scheduler) {
  std::map<std::pair<std::size_t, std::size_t>, std::vector<std::size_t>> settings;
  for (std::size_t i = 0; i < results.settings.size(); ++i) {
    const SweepSetting& setting = results.settings[i];
    const bool is_of_it =
        setting.scheduler == scheduler && setting.values[first] && setting.values[second];
    if (!is_of_it || !is_whole(setting)) continue;
    settings[{*setting.values[first], *setting.values[second]}].push_back(i);
  }
  std::vector<PairedResponse::Cell> cells;
  for (const auto& [values, of_them] : settings) {
    cells.push_back({values.first, values.second, mean_over(results, of_them)});
  }
  return cells;
}

}  // namespace

std::string_view name(BesideBest verdict) {
  switch (verdict) {
    case BesideBest::worse:
      return "worse";
    case BesideBest::within_noise:
      return "within the noise of repetitions";
    case BesideBest::identical:
      return "identical decisions";
    case BesideBest::exactly_worse:
      return "worse, exactly";
    case BesideBest::one_repetition:
      return "one repetition: cannot tell";
  }
  return "?";
}

std::optional<BestSetting> best_setting(const SweepResults& results) {
  return BestSearch(results).search();
}

std::vector<Response> responses(const SweepResults& results) {
  std::vector<Response> all;
  for (const std::size_t k : responding_keys(results.plan)) {
    for (const std::string& scheduler : schedulers_of(results)) {
      std::map<std::size_t, std::vector<std::size_t>> settings;  // by the key's value
      for (std::size_t i = 0; i < results.settings.size(); ++i) {
        const SweepSetting& setting = results.settings[i];
        const bool is_of_it = setting.scheduler == scheduler && setting.values[k];
        if (is_of_it && is_whole(setting)) settings[*setting.values[k]].push_back(i);
      }
      Response response{k, scheduler, {}};
      for (const auto& [value, of_it] : settings) {
        response.rows.push_back({value, mean_over(results, of_it)});
      }
      if (!response.rows.empty()) all.push_back(std::move(response));
    }
  }
  return all;
}

std::vector<PairedResponse> paired_responses(const SweepResults& results) {
  const std::vector<std::size_t> keys = responding_keys(results.plan);
  std::vector<PairedResponse> all;
  for (std::size_t a = 0; a < keys.size(); ++a) {
    for (std::size_t b = a + 1; b < keys.size(); ++b) {
      if (change_together(results.plan, keys[a], keys[b])) continue;
      for (const std::string& scheduler : schedulers_of(results)) {
        PairedResponse pair{keys[a], keys[b], scheduler,
                            cells_of(results, keys[a], keys[b], scheduler)};
        if (!pair.cells.empty()) all.push_back(std::move(pair));
      }
    }
  }
  return all;
}

}  // namespace tracebed
