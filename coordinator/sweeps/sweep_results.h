// What came out of a sweep: the figure of every run of every finished point.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "coordinator/sweeps/sweep_folder.h"
#include "core/outcomes.h"
#include "core/stall.h"
#include "report/compared_figures.h"
#include "report/repetition_means.h"

namespace tracebed {

struct SettingRun {
  std::uint64_t seed = 0;
  std::string digest;
  RunOutcome outcome = RunOutcome::complete;
  // Of a run that completed; over the jobs that succeeded in it. None if they are too few for it.
  std::optional<double> value;
  std::optional<StallKind> stall = std::nullopt;  // of one that stalled
};

// A scheduler with one value for each key. Points that differ in `seed` alone are repetitions.
struct SweepSetting {
  std::vector<std::optional<std::size_t>> values;  // by key of the plan; none for `seed`
  std::string scheduler;                           // label
  std::vector<std::uint32_t> points;               // numbers
  std::vector<SettingRun> runs;                    // in the order of points

  // Those of the runs that have a value.
  std::vector<double> figures() const;
  std::vector<std::uint64_t> seeds() const;
  ByRepetition by_seed() const;
  // "2 stalled (deadlock of masters alone)": of runs that did not complete or have no figure; empty
  // if all have it.
  std::string incomplete() const;
};

struct SweepResults {
  RecordedPlan plan;
  ComparedFigure figure;
  std::vector<SweepSetting> settings;  // in the order of points
  std::size_t points_finished = 0;
  // Those without a result: their numbers, and why, in words.
  std::vector<std::pair<std::uint32_t, std::string>> missing;

  // Whether settings have several schedulers.
  bool has_schedulers() const;
};

inline constexpr const char* seed_key = "seed";

// "JCT mean (s)"
std::string title_of(const ComparedFigure& figure);

// `figure` is the key of a figure as `tracebed compare --primary` takes it; empty: the experiment's
// primary. Reads only, so any number of processes may do so while points run. Throws InputError.
SweepResults collect_sweep(const SweepFolder& folder, const std::string& figure);

}  // namespace tracebed
