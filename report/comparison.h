// Runs side by side: which scheduler served the trace better, by how much, and whether that is more
// than noise; and how far the modelled world was from the real one.
//
//   std::vector<RunFolder> runs = load_runs(folders);
//   const Comparison comparison = compare(runs, {});
//   to_text(comparison)                            report/text_report.h
//   to_json(comparison)                            report/json_report.h
//   write_html_report(file, comparison, runs)      report/html_report.h
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "report/bootstrap.h"
#include "report/comparability.h"
#include "report/run_folder.h"
#include "report/world_difference.h"

namespace tracebed {

struct ComparedFigure {
  std::string key;    // "jct_p95", "utilisation_vcores", …
  std::string title;  // "JCT p95"
  std::string unit;   // "s", "%", "jobs/10 min" or empty
  bool lower_is_better = true;
  bool is_of_jobs = true;  // over the common jobs; false: of the run as a whole
};

enum class Verdict : std::uint8_t {
  better,
  worse,
  inside_noise,  // the interval includes no difference
  too_small,     // it does not, but the change rounds to 0.0 %
  not_told,      // a figure of whole runs, and fewer than six repetitions of them
};

// A candidate against the baseline, in one figure.
struct FigureDifference {
  double difference = 0;        // candidate − baseline
  std::optional<double> ratio;  // candidate / baseline, unless the baseline is zero
  // 95 % intervals; absent where not_told.
  std::optional<ConfidenceInterval> difference_interval;
  std::optional<ConfidenceInterval> ratio_interval;
  Verdict verdict = Verdict::not_told;
};

struct ComparedScheduler {
  std::string label;
  std::vector<std::size_t> runs;    // indices of the runs compared
  std::vector<RunMetrics> metrics;  // of each of them, over all its own jobs
  std::vector<double> figures;      // by WorldComparison::figures, averaged over the runs
};

struct Candidate {
  std::size_t scheduler = 0;                  // index in WorldComparison::schedulers
  std::vector<FigureDifference> differences;  // by WorldComparison::figures
  // The same jobs side by side (JCT averaged over a scheduler's runs): how many took at least 1 %
  // less or more time than under the baseline.
  std::uint64_t jobs_faster = 0;
  std::uint64_t jobs_slower = 0;
};

// The schedulers of one world.
struct WorldComparison {
  std::string world;
  std::uint64_t jobs = 0;         // in the largest run
  std::uint64_t jobs_common = 0;  // succeeded in every run: those that are compared
  std::vector<ComparedFigure> figures;
  std::vector<ComparedScheduler> schedulers;  // the first is the baseline
  std::vector<Candidate> candidates;          // all others
  BootstrapPlan plan;                         // meaningful with candidates
  std::vector<std::string> notes;             // what a reader must know to trust the figures
};

struct Comparison {
  std::string experiment;
  std::vector<std::string> dimensions;
  std::vector<WorldComparison> worlds;
  std::vector<WorldDifference> world_differences;  // per scheduler that ran in two worlds
};

struct CompareOptions {
  std::string baseline;    // label; empty: the scheduler of the first run
  std::uint64_t seed = 1;  // of the resampling
};

std::vector<RunFolder> load_runs(std::span<const std::filesystem::path> folders);

// `runs` has at least one. Throws InputError if runs cannot be compared (report/comparability.h) or
// no run has the baseline's label.
Comparison compare(std::span<const RunFolder> runs, const CompareOptions& options);

std::string_view name(Verdict verdict);
// "repetitions (8), the same for all schedulers", …: what was drawn again for the intervals.
std::string resampled_unit(const BootstrapPlan& plan);

}  // namespace tracebed
