#include "coordinator/sweeps/sweep_results.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <map>

#include "coordinator/runner/experiment_record.h"
#include "core/input_error.h"
#include "report/comparison.h"
#include "report/run_folder.h"

namespace tracebed {
namespace {

std::vector<std::string> names_of(const ResourceDimensions& dimensions) {
  std::vector<std::string> names;
  for (std::size_t d = 0; d < dimensions.size(); ++d) names.push_back(dimensions.name(d));
  return names;
}

std::vector<std::uint32_t> succeeded_jobs(const RunFolder& run) {
  std::vector<std::uint32_t> positions;
  for (std::size_t i = 0; i < run.jobs.size(); ++i) {
    if (run.jobs[i].outcome == JobOutcome::succeeded) {
      positions.push_back(static_cast<std::uint32_t>(i));
    }
  }
  return positions;
}

class Collector {
 public:
  Collector(const SweepFolder& folder, const std::string& figure) : folder_(folder) {
    results_.plan = folder.plan();
    key_ = figure.empty() ? results_.plan.figure : figure;
    if (key_.empty()) key_ = default_primary;
    for (const SweptKey& key : results_.plan.keys) is_seed_.push_back(key.key == seed_key);
  }

  SweepResults collect() {
    for (const RecordedPlan::Point& point : results_.plan.points) {
      if (!folder_.finished(point.digest)) {
        results_.missing.emplace_back(point.number, why_missing(point.digest));
        continue;
      }
      ++results_.points_finished;
      add_point(point);
    }
    if (results_.figure.key.empty() && !results_.settings.empty()) check_key();
    return std::move(results_);
  }

 private:
  std::string why_missing(const std::string& digest) const {
    const std::string failure = folder_.failure(digest);
    if (!failure.empty()) return "failed: " + failure;
    return folder_.was_begun(digest) ? "begun" : "not run";
  }

  void add_point(const RecordedPlan::Point& point) {
    const std::filesystem::path output = folder_.point(point.digest);
    const auto runs = recorded_run_folders(output);
    if (!runs) throw InputError(output.string() + ": expected an experiment.json");
    for (const std::filesystem::path& folder : *runs) {
      const RunFolder run = RunFolder::load(folder, FileCheck::sizes);
      if (run.description.is_noise) continue;
      SweepSetting& setting = setting_of(point, run.description.scheduler_label);
      if (setting.points.empty() || setting.points.back() != point.number) {
        setting.points.push_back(point.number);
      }
      setting.runs.push_back(
          {run.description.seed, run.end.digest, run.end.outcome,
           run.end.outcome == RunOutcome::complete ? value_of(run) : std::nullopt,
           run.end.stall ? std::optional(run.end.stall->kind) : std::nullopt});
    }
  }

  SweepSetting& setting_of(const RecordedPlan::Point& point, const std::string& label) {
    std::vector<std::optional<std::size_t>> values = point.values;
    for (std::size_t k = 0; k < values.size(); ++k) {
      if (is_seed_[k]) values[k].reset();
    }
    const auto [found, is_new] = known_.emplace(std::pair(values, label), results_.settings.size());
    if (is_new) results_.settings.push_back({values, label, {}, {}});
    return results_.settings[found->second];
  }

  std::optional<double> value_of(const RunFolder& run) {
    dimensions_ = names_of(run.dimensions());
    const std::vector<std::uint32_t> jobs = succeeded_jobs(run);
    const std::vector<ComparedFigure> figures = compared_figures(dimensions_, jobs.size());
    const auto found = std::find_if(figures.begin(), figures.end(),
                                    [&](const ComparedFigure& one) { return one.key == key_; });
    if (found == figures.end()) return std::nullopt;
    results_.figure = *found;
    std::vector<RankedColumn> columns;
    for (std::size_t column = 0; column < job_column_count; ++column) {
      columns.push_back(job_column(column, run.jobs, jobs));
    }
    const std::vector<double> all = figure_values(figures, columns, run.metrics());
    return all[static_cast<std::size_t>(found - figures.begin())];
  }

  // No run had it: there is no such figure, or the jobs are too few.
  void check_key() {
    if (dimensions_.empty()) dimensions_ = names_of(ResourceDimensions());
    if (const Status status = check_figure_key(key_, dimensions_); !status) {
      throw InputError("--figure: " + status.error().message);
    }
    for (const ComparedFigure& one :
         compared_figures(dimensions_, std::numeric_limits<std::uint64_t>::max())) {
      if (one.key == key_) results_.figure = one;
    }
  }

  const SweepFolder& folder_;
  std::string key_;
  std::vector<bool> is_seed_;  // by key
  std::vector<std::string> dimensions_;
  std::map<std::pair<std::vector<std::optional<std::size_t>>, std::string>, std::size_t> known_;
  SweepResults results_;
};

}  // namespace

std::vector<double> SweepSetting::figures() const {
  std::vector<double> figures;
  for (const SettingRun& run : runs) {
    if (run.value) figures.push_back(*run.value);
  }
  return figures;
}

std::vector<std::uint64_t> SweepSetting::seeds() const {
  std::vector<std::uint64_t> seeds;
  for (const SettingRun& run : runs) {
    if (run.value) seeds.push_back(run.seed);
  }
  return seeds;
}

ByRepetition SweepSetting::by_seed() const {
  ByRepetition by_seed;
  for (const SettingRun& run : runs) {
    if (run.value) by_seed[run.seed] = *run.value;
  }
  return by_seed;
}

std::string SweepSetting::incomplete() const {
  std::map<std::pair<RunOutcome, std::optional<StallKind>>, std::size_t> counts;
  std::size_t without_figure = 0;
  for (const SettingRun& run : runs) {
    if (run.outcome != RunOutcome::complete) {
      ++counts[{run.outcome, run.stall}];
    } else if (!run.value) {
      ++without_figure;
    }
  }
  std::string text;
  for (const auto& [ending, count] : counts) {
    const auto& [outcome, stall] = ending;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, name(outcome));
    if (stall) text += fmt::format(" ({})", title(*stall));
  }
  if (without_figure > 0) {
    text += fmt::format("{}{} with too few jobs", text.empty() ? "" : ", ", without_figure);
  }
  return text;
}

std::string title_of(const ComparedFigure& figure) {
  return figure.unit.empty() ? figure.title : fmt::format("{} ({})", figure.title, figure.unit);
}

bool SweepResults::has_schedulers() const {
  return std::any_of(settings.begin(), settings.end(), [&](const SweepSetting& setting) {
    return setting.scheduler != settings.front().scheduler;
  });
}

SweepResults collect_sweep(const SweepFolder& folder, const std::string& figure) {
  return Collector(folder, figure).collect();
}

}  // namespace tracebed
