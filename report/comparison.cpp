#include "report/comparison.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>
#include <set>
#include <utility>

#include "core/check.h"
#include "core/input_error.h"
#include "report/compared_side.h"
#include "report/job_blocks.h"
#include "report/refusals.h"
#include "report/rejections.h"

namespace tracebed {
namespace {

// What a reader must know of how a run ended.
void note_ending(const RunFolder& run, std::vector<std::string>& notes) {
  const std::string folder = run.folder.filename().string();
  for (const std::string& text : {rejection_text(run.end.rejections, run.jobs.size()),
                                  failure_text(run.end.failures, run.jobs.size())}) {
    if (!text.empty()) notes.push_back(fmt::format("{}: {}", folder, text));
  }
  if (const std::string refused = refusal_text(run.end.counters); !refused.empty()) {
    notes.push_back(fmt::format("{}: {}", folder, refused));
  }
  if (run.end.outcome == RunOutcome::complete) return;
  const std::string& reason = run.end.reason;
  notes.push_back(fmt::format("{} is a partial run ({}{}): figures favour short jobs", folder,
                              name(run.end.outcome), reason.empty() ? "" : ", " + reason));
}

// By at least 1 %.
bool is_clearly_less(double a, double b) {
  return a < b && a <= 0.99 * b;
}

class WorldComparer {
 public:
  WorldComparer(std::span<const RunFolder> runs, std::vector<RunGroup> groups,
                std::vector<std::size_t> noise, const CompareOptions& options)
      : runs_(runs), groups_(std::move(groups)), options_(options) {
    result_.world = groups_.front().world;
    result_.matters_from = options.matters_from;
    result_.noise.runs = std::move(noise);
    for (RunGroup& group : groups_) {
      if (!group.apart.empty()) {
        result_.notes.push_back(fmt::format("{}: {}", group.label, group.apart));
      }
      drop_copies(group);
      chosen_.insert(chosen_.end(), group.runs.begin(), group.runs.end());
    }
  }

  WorldComparison compare(std::span<const std::string> dimensions) {
    for (const std::size_t run : chosen_) note_ending(runs_[run], result_.notes);
    measure_sides(dimensions);
    for (std::size_t g = 0; g < groups_.size(); ++g) describe_scheduler(g);
    for (const std::size_t run : chosen_) {
      for (const std::string& varied : runs_[run].description.varied) {
        if (std::find(result_.varied.begin(), result_.varied.end(), varied) ==
            result_.varied.end()) {
          result_.varied.push_back(varied);
        }
      }
    }
    measure_noise();
    compare_to_baseline();
    return std::move(result_);
  }

 private:
  // A modelled run with the same seed is the same run: a copy, and no repetition.
  void drop_copies(RunGroup& group) {
    if (group.world != "virtual") return;
    std::vector<std::size_t> kept;
    for (const std::size_t run : group.runs) {
      const bool is_copy = std::any_of(kept.begin(), kept.end(), [&](std::size_t other) {
        return runs_[other].description.seed == runs_[run].description.seed &&
               runs_[other].end.digest == runs_[run].end.digest;
      });
      if (!is_copy) kept.push_back(run);
    }
    if (kept.size() < group.runs.size()) {
      result_.notes.push_back(
          fmt::format("{}: of {} runs, {} have distinct seeds and count; the others repeat the "
                      "decisions of the same seed",
                      group.label, group.runs.size(), kept.size()));
    }
    group.runs = std::move(kept);
  }

  void measure_sides(std::span<const std::string> dimensions) {
    std::vector<std::size_t> all = chosen_;
    all.insert(all.end(), result_.noise.runs.begin(), result_.noise.runs.end());
    for (const std::size_t run : all) {
      result_.jobs = std::max<std::uint64_t>(result_.jobs, runs_[run].jobs.size());
    }
    const auto positions = common_jobs(runs_, all);
    result_.jobs_common = positions.front().size();
    if (result_.jobs_common < result_.jobs) {
      result_.notes.push_back(fmt::format(
          "{} of {} jobs did not succeed in every run and are left out of the figures of jobs",
          result_.jobs - result_.jobs_common, result_.jobs));
    }
    result_.figures = compared_figures(dimensions, result_.jobs_common);
    choose_primary();
    std::size_t next = 0;
    for (const RunGroup& group : groups_) {
      sides_.push_back(
          measure_side(runs_, group.runs, std::span(positions).subspan(next), result_.figures));
      next += group.runs.size();
    }
    noise_ = measure_side(runs_, result_.noise.runs, std::span(positions).subspan(next),
                          result_.figures);
  }

  void choose_primary() {
    const auto found =
        std::find_if(result_.figures.begin(), result_.figures.end(),
                     [&](const ComparedFigure& figure) { return figure.key == options_.primary; });
    if (found != result_.figures.end()) {
      result_.primary = static_cast<std::size_t>(found - result_.figures.begin());
    } else {
      result_.notes.push_back(
          fmt::format("{}, the primary figure, is not reported for {} jobs, so nothing is judged",
                      options_.primary, result_.jobs_common));
    }
    if (result_.jobs_common == 0) return;
    if (result_.jobs_common < jobs_for_statistic[2]) {
      result_.notes.push_back(fmt::format("p95 and p99 are left out: {} jobs are fewer than {}",
                                          result_.jobs_common, jobs_for_statistic[2]));
    } else if (result_.jobs_common < jobs_for_statistic[3]) {
      result_.notes.push_back(fmt::format("p99 is left out: {} jobs are fewer than {}",
                                          result_.jobs_common, jobs_for_statistic[3]));
    }
  }

  void describe_scheduler(std::size_t g) {
    ComparedScheduler& scheduler = result_.schedulers.emplace_back();
    scheduler.label = groups_[g].label;
    scheduler.runs = groups_[g].runs;
    for (const std::size_t run : scheduler.runs) {
      const RunDescription& description = runs_[run].description;
      scheduler.identities.push_back({runs_[run].folder, description.seed, description.repetition});
    }
    scheduler.metrics = std::move(sides_[g].metrics);
    for (std::size_t f = 0; f < result_.figures.size(); ++f) {
      scheduler.figures.push_back(sides_[g].mean(f));
    }
    scheduler.is_constant = sides_[g].is_constant();
    if (scheduler.is_constant) {
      result_.notes.push_back(
          fmt::format("{} is constant here: all {} seeds led to the same decisions",
                      scheduler.label, scheduler.runs.size()));
    }
  }

  void measure_noise() {
    if (noise_.runs.empty()) return;
    const ComparedSide& baseline = sides_.front();
    const RunPairs pairs = pair_by_seed(baseline.seeds, noise_.seeds);
    for (std::size_t f = 0; f < result_.figures.size(); ++f) {
      const double mean = std::abs(baseline.mean(f));
      double floor = std::abs(noise_.mean(f) - baseline.mean(f));
      if (const auto test =
              test_repetitions(baseline.values(f), noise_.values(f), pairs, options_.seed)) {
        floor = std::max(floor, (test->interval.high - test->interval.low) / 2);
      }
      result_.noise.floor.push_back(mean == 0 ? std::nullopt : std::optional(floor / mean));
    }
  }

  void compare_to_baseline() {
    for (std::size_t s = 1; s < groups_.size(); ++s) {
      Candidate& candidate = result_.candidates.emplace_back();
      candidate.scheduler = s;
      candidate.pairs = pair_by_seed(sides_[0].seeds, sides_[s].seeds);
      candidate.has_same_decisions = have_same_decisions(sides_[0], sides_[s], candidate.pairs);
      const bool is_exact = sides_[0].is_constant() && sides_[s].is_constant();
      if (!is_exact && !candidate.has_same_decisions && candidate.pairs.repetitions_min() > 1) {
        ++result_.candidates_tested;
      }
      measure_differences(candidate, is_exact);
      for (std::size_t i = 0; i < result_.jobs_common; ++i) {
        const double jct = sides_[s].jct_means[i];
        const double before = sides_[0].jct_means[i];
        if (is_clearly_less(jct, before)) ++candidate.jobs_faster;
        if (is_clearly_less(before, jct)) ++candidate.jobs_slower;
      }
    }
    for (Candidate& candidate : result_.candidates) {
      if (candidate.has_same_decisions) {
        for (FigureDifference& figure : candidate.differences) figure.verdict = Verdict::identical;
      } else {
        judge(candidate.differences, result_.figures, candidate.pairs,
              {result_.primary, options_.matters_from,
               std::max<std::size_t>(1, result_.candidates_tested)});
      }
    }
  }

  void measure_differences(Candidate& candidate, bool is_exact) {
    const ComparedSide& baseline = sides_.front();
    const ComparedSide& side = sides_[candidate.scheduler];
    const std::size_t repetitions = candidate.pairs.repetitions_min();
    const bool draws_jobs = !is_exact && !candidate.has_same_decisions && repetitions > 1 &&
                            repetitions < repetitions_enough && result_.jobs_common > 1;
    if (draws_jobs) plan_job_draws(candidate);
    for (std::size_t f = 0; f < result_.figures.size(); ++f) {
      FigureDifference& figure = candidate.differences.emplace_back();
      figure.baseline = baseline.mean(f);
      figure.difference = side.mean(f) - figure.baseline;
      figure.is_exact = is_exact;
      if (f < result_.noise.floor.size()) figure.noise = result_.noise.floor[f];
      if (is_exact || candidate.has_same_decisions) continue;
      figure.test =
          test_repetitions(baseline.values(f), side.values(f), candidate.pairs, options_.seed);
      if (candidate.job_draws.state == JobDraws::State::drawn && result_.figures[f].is_of_jobs) {
        figure.job_error = standard_error_by_blocks(
            contributions(baseline, side, result_.figures[f]), candidate.job_draws.block_jobs);
      }
    }
  }

  // Blocks are as long as the differences of completion times between the sides ask.
  void plan_job_draws(Candidate& candidate) {
    std::vector<double> differences = sides_[candidate.scheduler].jct_means;
    for (std::size_t i = 0; i < differences.size(); ++i) {
      differences[i] -= sides_.front().jct_means[i];
    }
    const std::optional<std::size_t> length = block_length(differences);
    candidate.job_draws =
        length ? JobDraws{JobDraws::State::drawn, *length} : JobDraws{JobDraws::State::refused, 0};
  }

  std::span<const RunFolder> runs_;
  std::vector<RunGroup> groups_;
  const CompareOptions& options_;
  std::vector<std::size_t> chosen_;  // all runs compared, group by group
  std::vector<ComparedSide> sides_;  // by group
  ComparedSide noise_;
  WorldComparison result_;
};

void put_baseline_first(std::vector<RunGroup>& groups, const std::string& baseline) {
  if (baseline.empty()) return;
  const auto is_baseline = [&](const RunGroup& group) { return group.label == baseline; };
  if (std::none_of(groups.begin(), groups.end(), is_baseline)) {
    throw InputError(fmt::format("no run is of the baseline scheduler {}", baseline));
  }
  std::stable_partition(groups.begin(), groups.end(), is_baseline);
}

}  // namespace

std::vector<RunFolder> load_runs(std::span<const std::filesystem::path> folders, FileCheck check) {
  std::set<std::string> worlds;
  for (const std::filesystem::path& folder : folders) worlds.insert(world_of_run(folder));
  const JobParts parts = worlds.size() > 1 ? JobParts::kept : JobParts::summed;
  std::vector<RunFolder> runs;
  for (const std::filesystem::path& folder : folders) {
    runs.push_back(RunFolder::load(folder, check, parts));
  }
  return runs;
}

Comparison compare(std::span<const RunFolder> runs, const CompareOptions& options) {
  TRACEBED_CHECK(!runs.empty(), "a comparison has a run");
  std::vector<RunGroup> groups = group_comparable(runs);
  put_baseline_first(groups, options.baseline);
  const std::vector<std::vector<std::size_t>> noise = take_noise(runs, groups);
  Comparison comparison;
  comparison.experiment = runs.front().description.experiment_name;
  const ResourceDimensions dimensions = runs.front().dimensions();
  for (std::size_t d = 0; d < dimensions.size(); ++d) {
    comparison.dimensions.push_back(dimensions.name(d));
  }
  if (const Status status = check_figure_key(options.primary, comparison.dimensions); !status) {
    throw InputError("the primary figure: " + status.error().message);
  }
  std::vector<std::string> worlds;
  for (const RunGroup& group : groups) {
    if (std::find(worlds.begin(), worlds.end(), group.world) == worlds.end()) {
      worlds.push_back(group.world);
    }
  }
  for (const std::string& world : worlds) {
    std::vector<RunGroup> in_world;
    std::vector<std::size_t> noise_of_baseline;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      if (groups[g].world != world) continue;
      if (in_world.empty()) noise_of_baseline = noise[g];
      in_world.push_back(groups[g]);
    }
    comparison.worlds.push_back(
        WorldComparer(runs, std::move(in_world), std::move(noise_of_baseline), options)
            .compare(comparison.dimensions));
  }
  comparison.world_agreements = world_agreements(runs, groups, options.matters_from);
  comparison.world_differences = world_differences(runs, groups);
  return comparison;
}

}  // namespace tracebed
