#include "report/comparison.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

#include "core/check.h"
#include "core/input_error.h"
#include "core/unknown_constant.h"

namespace tracebed {
namespace {

constexpr double least_change = 0.0005;  // of a ratio: what is shown as more than 0.0 %
constexpr std::array<const char*, job_statistic_count> statistic_names{"mean", "p50", "p95", "p99"};

struct JobColumn {
  const char* key;
  const char* title;
  const char* unit;
  double (*value)(const JobFigures&);
};

constexpr std::array job_columns{
    JobColumn{"jct", "JCT", "s", [](const JobFigures& job) { return to_seconds(job.jct); }},
    // A job that succeeded without a container had no task, and waited for none.
    JobColumn{"wait", "wait", "s",
              [](const JobFigures& job) {
                return job.wait == Duration::max() ? 0 : to_seconds(job.wait);
              }},
    JobColumn{"slowdown", "slowdown", "", bounded_slowdown},
};

std::vector<ComparedFigure> compared_figures(const std::vector<std::string>& dimensions) {
  std::vector<ComparedFigure> figures;
  for (const JobColumn& column : job_columns) {
    for (const char* statistic : statistic_names) {
      figures.push_back({fmt::format("{}_{}", column.key, statistic),
                         fmt::format("{} {}", column.title, statistic), column.unit, true, true});
    }
  }
  figures.push_back({"makespan", "makespan", "s", true, false});
  figures.push_back({"throughput", "throughput", "jobs/10 min", false, false});
  for (const std::string& dimension : dimensions) {
    figures.push_back({"utilisation_" + dimension, "utilisation " + dimension, "%", false, false});
  }
  return figures;
}

// The run's figures after the job columns, in the order of compared_figures.
std::vector<double> figures_of_whole_run(const RunMetrics& metrics) {
  std::vector<double> figures{metrics.makespan, metrics.throughput_per_ten_minutes};
  for (double utilisation : metrics.utilisation) figures.push_back(100 * utilisation);
  return figures;
}

// For each of the given runs, the positions in its jobs of those that succeeded in all of them, in
// the order of their ids.
std::vector<std::vector<std::uint32_t>> common_jobs(std::span<const RunFolder> runs,
                                                    std::span<const std::size_t> chosen) {
  std::vector<std::vector<std::uint32_t>> positions(chosen.size());
  std::vector<std::size_t> at(chosen.size());
  const RunFolder& leader = runs[chosen.front()];
  for (const JobFigures& job : leader.jobs) {
    bool is_common = true;
    for (std::size_t r = 0; r < chosen.size(); ++r) {
      const std::vector<JobFigures>& jobs = runs[chosen[r]].jobs;
      while (at[r] < jobs.size() && jobs[at[r]].job < job.job) ++at[r];
      is_common = is_common && at[r] < jobs.size() && jobs[at[r]].job == job.job &&
                  jobs[at[r]].outcome == JobOutcome::succeeded;
    }
    if (!is_common) continue;
    for (std::size_t r = 0; r < chosen.size(); ++r) {
      positions[r].push_back(static_cast<std::uint32_t>(at[r]));
    }
  }
  return positions;
}

// By at least 1 %.
bool is_clearly_less(double a, double b) {
  return a < b && a <= 0.99 * b;
}

class WorldComparer {
 public:
  WorldComparer(std::span<const RunFolder> runs, std::vector<RunGroup> groups,
                const std::vector<std::string>& dimensions)
      : runs_(runs), groups_(std::move(groups)) {
    result_.world = groups_.front().world;
    result_.figures = compared_figures(dimensions);
    for (RunGroup& group : groups_) drop_repeated_decisions(group);
    for (const RunGroup& group : groups_) {
      chosen_.insert(chosen_.end(), group.runs.begin(), group.runs.end());
    }
  }

  WorldComparison compare(std::uint64_t seed) {
    align_jobs();
    note_endings();
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      ComparedScheduler& scheduler = result_.schedulers.emplace_back();
      scheduler.label = groups_[g].label;
      scheduler.runs = groups_[g].runs;
      scheduler.metrics = std::move(metrics_[g]);
      scheduler.figures = point_figures(subjects_[g]);
    }
    if (groups_.size() > 1) compare_to_baseline(seed);
    return std::move(result_);
  }

 private:
  // A modelled run with other seeds may decide the same; it is no further evidence then.
  void drop_repeated_decisions(RunGroup& group) {
    if (group.world != "virtual") return;
    std::vector<std::size_t> kept;
    for (std::size_t run : group.runs) {
      const bool is_repeated = std::any_of(kept.begin(), kept.end(), [&](std::size_t other) {
        return runs_[other].end.digest == runs_[run].end.digest;
      });
      if (!is_repeated) kept.push_back(run);
    }
    if (kept.size() < group.runs.size()) {
      result_.notes.push_back(
          kept.size() == 1
              ? fmt::format("{}: {} runs made the same decisions, and count once", group.label,
                            group.runs.size())
              : fmt::format("{}: {} runs made {} different sequences of decisions, and count as {}",
                            group.label, group.runs.size(), kept.size(), kept.size()));
    }
    group.runs = std::move(kept);
  }

  void align_jobs() {
    const auto positions = common_jobs(runs_, chosen_);
    result_.jobs_common = positions.front().size();
    std::size_t position = 0;
    for (const RunGroup& group : groups_) {
      BootstrapSubject& subject = subjects_.emplace_back();
      std::vector<RunMetrics>& metrics = metrics_.emplace_back();
      std::vector<double>& jct = jct_means_.emplace_back(result_.jobs_common);
      for (std::size_t run : group.runs) {
        const RunFolder& folder = runs_[run];
        result_.jobs = std::max<std::uint64_t>(result_.jobs, folder.jobs.size());
        const std::vector<std::uint32_t>& common = positions[position++];
        metrics.push_back(folder.metrics());
        BootstrapRun& bootstrap_run = subject.runs.emplace_back();
        for (const JobColumn& column : job_columns) {
          std::vector<double> values;
          values.reserve(common.size());
          for (std::uint32_t job : common) values.push_back(column.value(folder.jobs[job]));
          bootstrap_run.columns.emplace_back(std::move(values));
        }
        bootstrap_run.run_figures = figures_of_whole_run(metrics.back());
        for (std::size_t i = 0; i < common.size(); ++i) {
          jct[i] += to_seconds(folder.jobs[common[i]].jct) / static_cast<double>(group.runs.size());
        }
      }
    }
    if (result_.jobs_common < result_.jobs) {
      result_.notes.push_back(fmt::format(
          "{} of {} jobs did not succeed in every run and are left out of the figures of jobs",
          result_.jobs - result_.jobs_common, result_.jobs));
    }
  }

  void note_endings() {
    for (std::size_t run : chosen_) {
      const RunFolder& folder = runs_[run];
      if (folder.end.ending == RunEnding::complete) continue;
      const std::string& reason = folder.end.reason;
      result_.notes.push_back(fmt::format("{} is a partial run ({}{}): figures favour short jobs",
                                          folder.folder.filename().string(),
                                          name(folder.end.ending),
                                          reason.empty() ? "" : ", " + reason));
    }
  }

  bool have_paired_repetitions() const {
    const auto repetitions = [&](const RunGroup& group) {
      std::vector<std::uint32_t> numbers;
      for (std::size_t run : group.runs) numbers.push_back(runs_[run].description.repetition);
      return numbers;
    };
    const std::vector<std::uint32_t> first = repetitions(groups_.front());
    if (std::adjacent_find(first.begin(), first.end()) != first.end()) return false;
    return std::all_of(groups_.begin(), groups_.end(),
                       [&](const RunGroup& group) { return repetitions(group) == first; });
  }

  void compare_to_baseline(std::uint64_t seed) {
    result_.plan = plan_bootstrap(subjects_, have_paired_repetitions());
    Replicates replicates;
    if (result_.plan.draws_jobs || result_.plan.repetitions_min >= repetitions_enough) {
      replicates = draw_replicates(subjects_, result_.plan, seed);
    }
    for (std::size_t s = 1; s < groups_.size(); ++s) {
      Candidate& candidate = result_.candidates.emplace_back();
      candidate.scheduler = s;
      for (std::size_t f = 0; f < result_.figures.size(); ++f) {
        candidate.differences.push_back(difference(replicates, s, f));
      }
      for (std::size_t i = 0; i < result_.jobs_common; ++i) {
        if (is_clearly_less(jct_means_[s][i], jct_means_[0][i])) ++candidate.jobs_faster;
        if (is_clearly_less(jct_means_[0][i], jct_means_[s][i])) ++candidate.jobs_slower;
      }
    }
  }

  FigureDifference difference(const Replicates& replicates, std::size_t s, std::size_t f) const {
    const ComparedFigure& figure = result_.figures[f];
    const double baseline = result_.schedulers.front().figures[f];
    const double candidate = result_.schedulers[s].figures[f];
    FigureDifference result;
    result.difference = candidate - baseline;
    if (baseline != 0) result.ratio = candidate / baseline;
    const bool can_tell = figure.is_of_jobs ? !replicates.empty() && result_.jobs_common > 0
                                            : result_.plan.repetitions_min >= repetitions_enough;
    if (!can_tell) return result;
    const std::vector<double>& a = replicates[0][f];
    const std::vector<double>& b = replicates[s][f];
    std::vector<double> differences(a.size());
    std::vector<double> ratios;
    for (std::size_t i = 0; i < a.size(); ++i) {
      differences[i] = b[i] - a[i];
      if (a[i] != 0) ratios.push_back(b[i] / a[i]);
    }
    const ConfidenceInterval interval = interval_of(result.difference, differences, result_.plan);
    result.difference_interval = interval;
    if (result.ratio && ratios.size() == a.size()) {
      result.ratio_interval = interval_of(*result.ratio, ratios, result_.plan);
    }
    if (interval.contains(0)) {
      result.verdict = Verdict::inside_noise;
    } else if (result.ratio && std::abs(*result.ratio - 1) < least_change) {
      result.verdict = Verdict::too_small;
    } else {
      result.verdict =
          (interval.high < 0) == figure.lower_is_better ? Verdict::better : Verdict::worse;
    }
    return result;
  }

  std::span<const RunFolder> runs_;
  std::vector<RunGroup> groups_;
  std::vector<std::size_t> chosen_;         // all runs compared, group by group
  std::vector<BootstrapSubject> subjects_;  // by group
  std::vector<std::vector<RunMetrics>> metrics_;
  std::vector<std::vector<double>> jct_means_;  // by group and common job
  WorldComparison result_;
};

void put_baseline_first(std::vector<RunGroup>& groups, const std::string& baseline) {
  if (baseline.empty()) return;
  const auto is_baseline = [&](const RunGroup& group) { return group.label == baseline; };
  if (std::none_of(groups.begin(), groups.end(), is_baseline)) {
    throw InputError(
        fmt::format("no run has the scheduler {}, which is to be the baseline", baseline));
  }
  std::stable_partition(groups.begin(), groups.end(), is_baseline);
}

}  // namespace

std::vector<RunFolder> load_runs(std::span<const std::filesystem::path> folders) {
  std::vector<RunFolder> runs;
  for (const std::filesystem::path& folder : folders) runs.push_back(RunFolder::load(folder));
  return runs;
}

Comparison compare(std::span<const RunFolder> runs, const CompareOptions& options) {
  TRACEBED_CHECK(!runs.empty(), "a comparison has a run");
  std::vector<RunGroup> groups = group_comparable(runs);
  put_baseline_first(groups, options.baseline);
  Comparison comparison;
  comparison.experiment = runs.front().description.experiment_name;
  const ResourceDimensions dimensions = runs.front().dimensions();
  for (std::size_t d = 0; d < dimensions.size(); ++d) {
    comparison.dimensions.push_back(dimensions.name(d));
  }
  std::vector<std::string> worlds;
  for (const RunGroup& group : groups) {
    if (std::find(worlds.begin(), worlds.end(), group.world) == worlds.end()) {
      worlds.push_back(group.world);
    }
  }
  for (const std::string& world : worlds) {
    std::vector<RunGroup> in_world;
    std::copy_if(groups.begin(), groups.end(), std::back_inserter(in_world),
                 [&](const RunGroup& group) { return group.world == world; });
    comparison.worlds.push_back(
        WorldComparer(runs, std::move(in_world), comparison.dimensions).compare(options.seed));
  }
  comparison.world_differences = world_differences(runs, groups);
  return comparison;
}

std::string_view name(Verdict verdict) {
  switch (verdict) {
    case Verdict::better:
      return "better";
    case Verdict::worse:
      return "worse";
    case Verdict::inside_noise:
      return "inside_noise";
    case Verdict::too_small:
      return "too_small";
    case Verdict::not_told:
      return "not_told";
  }
  unknown_constant();
}

std::string resampled_unit(const BootstrapPlan& plan) {
  std::string unit;
  if (plan.draws_repetitions) {
    unit = fmt::format("repetitions (at least {} per scheduler{})", plan.repetitions_min,
                       plan.repetitions_are_paired ? ", the same for all" : "");
  }
  if (plan.draws_jobs) {
    if (!unit.empty()) unit += " and ";
    unit += plan.block_jobs == 1 ? std::string("jobs")
                                 : fmt::format("blocks of {} consecutive jobs", plan.block_jobs);
    unit += " (the same for all)";
  }
  return unit;
}

}  // namespace tracebed
