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
      const bool is_paired = steps_with(key, k);
      if (!is_paired || k < key) return false;
    }
    return true;
  }

  // Whether the two have the same position in every point.
  bool steps_with(std::size_t a, std::size_t b) const {
    return std::all_of(
        results_.plan.points.begin(), results_.plan.points.end(),
        [&](const RecordedPlan::Point& point) { return point.values[a] == point.values[b]; });
  }

  const SweepResults& results_;
  std::vector<std::size_t> whole_;  // settings, the best first
};

ResponseRow row_of(const SweepResults& results, std::size_t key, std::size_t value,
                   const std::string& scheduler) {
  ResponseRow row;
  row.value = value;
  std::vector<ByRepetition> all;
  double best = 0;
  for (std::size_t i = 0; i < results.settings.size(); ++i) {
    const SweepSetting& setting = results.settings[i];
    const bool is_of_it = setting.scheduler == scheduler && setting.values[key] == value;
    if (!is_of_it || !is_whole(setting)) continue;
    all.push_back(setting.by_seed());
    ++row.settings;
    const double mean = mean_of(setting.figures())->mean;
    const bool is_better = results.figure.lower_is_better ? mean < best : mean > best;
    if (!row.best || is_better) {
      row.best = i;
      best = mean;
    }
  }
  std::vector<double> means;
  for (const auto& [seed, mean] : mean_by_repetition(all)) means.push_back(mean);
  row.mean = mean_of(means);
  return row;
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
  std::vector<std::string> schedulers;  // in the order of settings
  for (const SweepSetting& setting : results.settings) {
    if (std::find(schedulers.begin(), schedulers.end(), setting.scheduler) == schedulers.end()) {
      schedulers.push_back(setting.scheduler);
    }
  }
  std::vector<Response> all;
  for (std::size_t k = 0; k < results.plan.keys.size(); ++k) {
    const SweptKey& key = results.plan.keys[k];
    if (key.key == seed_key || key.key == scheduler_choice_key || key.values.size() < 2) continue;
    for (const std::string& scheduler : schedulers) {
      Response response{k, scheduler, {}};
      for (std::size_t value = 0; value < key.values.size(); ++value) {
        ResponseRow row = row_of(results, k, value, scheduler);
        if (row.settings > 0) response.rows.push_back(row);
      }
      if (!response.rows.empty()) all.push_back(std::move(response));
    }
  }
  return all;
}

}  // namespace tracebed
