// Runs side by side: which scheduler served the trace better, by how much, and whether that is more
// than noise; and how far the modelled world was from the real one.
//
//   std::vector<RunFolder> runs = load_runs(folders);
//   const Comparison comparison = compare(runs, {});
//   to_text(comparison)                            report/text_report.h
//   to_json(comparison, {})                        report/json_report.h
//   write_html_report(file, comparison, runs)      report/html_report.h
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "report/comparability.h"
#include "report/compared_figures.h"
#include "report/judgement.h"
#include "report/run_folder.h"
#include "report/run_pairs.h"
#include "report/world_agreement.h"
#include "report/world_difference.h"

namespace tracebed {

// Which run it is.
struct RunIdentity {
  std::filesystem::path folder;
  std::uint64_t seed = 0;
  std::uint32_t repetition = 1;
};

struct ComparedScheduler {
  std::string label;
  std::vector<std::size_t> runs;  // indices of the runs compared
  std::vector<RunIdentity> identities;
  std::vector<RunMetrics> metrics;  // of each of them, over all its own jobs
  std::vector<double> figures;      // by WorldComparison::figures, averaged over the runs
  // At least two seeds, and all led to the same decisions: no seed would lead to others.
  bool is_constant = false;
};

// Whether intervals were widened by drawing jobs (report/job_blocks.h). They are if a side has two
// to five repetitions, too few to show their own error.
struct JobDraws {
  enum class State : std::uint8_t { none, drawn, refused };  // refused: the trace is too short
  State state = State::none;
  std::size_t block_jobs = 0;  // if drawn
};

struct Candidate {
  std::size_t scheduler = 0;                  // index in WorldComparison::schedulers
  std::vector<FigureDifference> differences;  // by WorldComparison::figures
  RunPairs pairs;                             // with the baseline's runs
  bool has_same_decisions = false;            // as the baseline, with every seed
  JobDraws job_draws;
  // The same jobs side by side (JCT averaged over a scheduler's runs): how many took at least 1 %
  // less or more time than under the baseline.
  std::uint64_t jobs_faster = 0;
  std::uint64_t jobs_slower = 0;
};

// The baseline against itself: its runs against runs that were made to show how far repetitions
// differ (RunDescription::is_noise), and that are used for nothing else.
struct NoiseRuns {
  std::vector<std::size_t> runs;  // indices; empty if there are none
  // By WorldComparison::figures, as a part of the baseline's figure: the larger of the difference
  // of means and the half-width of its 95 % interval, which one run on a side has not. None if the
  // baseline's figure is zero.
  std::vector<std::optional<double>> floor;
};

// The schedulers of one world.
struct WorldComparison {
  std::string world;
  std::uint64_t jobs = 0;         // in the largest run
  std::uint64_t jobs_common = 0;  // succeeded in every run: those that are compared
  std::vector<ComparedFigure> figures;
  std::optional<std::size_t> primary;         // index in `figures`; none if the jobs are too few
  double matters_from = 0;                    // as CompareOptions has it
  std::vector<ComparedScheduler> schedulers;  // the baseline first
  std::vector<Candidate> candidates;          // all others
  std::size_t candidates_tested = 0;          // of them, those whose difference depends on chance
  NoiseRuns noise;
  std::vector<std::string> varied;  // between repetitions, as the runs record
  std::vector<std::string> notes;   // what a reader must know to trust the figures
};

struct Comparison {
  std::string experiment;
  std::vector<std::string> dimensions;
  std::vector<WorldComparison> worlds;
  std::vector<WorldAgreement> world_agreements;    // per pair of worlds with a common scheduler
  std::vector<WorldDifference> world_differences;  // per scheduler that ran in two worlds
};

inline constexpr const char* default_primary = "jct_mean";

struct CompareOptions {
  std::string baseline;                   // label; empty: the scheduler of the first run
  std::string primary = default_primary;  // key of the figure that is judged first
  double matters_from = 0.01;             // part of the baseline's figure
  std::uint64_t seed = 1;                 // of what is drawn
};

// Keeps the parts of jobs' completion times if the runs are of more than one world.
std::vector<RunFolder> load_runs(std::span<const std::filesystem::path> folders,
                                 FileCheck check = FileCheck::contents);

// `runs` has at least one. Throws InputError if runs cannot be compared (report/comparability.h),
// no run has the baseline's label, or there is no figure with the primary's key.
Comparison compare(std::span<const RunFolder> runs, const CompareOptions& options);

}  // namespace tracebed
