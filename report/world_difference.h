// How far a modelled run was from a real one of the same experiment, and why.
//
// The same jobs are paired (by repetition and job), and each job's completion time is cut into
// parts along its critical chain in both worlds (report/jct_parts.h), so that per job
//   JCT(real) − JCT(model) = Σ over parts of (part(real) − part(model)), exactly.
// A difference of means is then the sum of the parts' mean differences. A difference of percentiles
// is split by replacing the model's parts by the real ones, one after the other: the change of the
// percentile when a part is replaced is that part's share. The shares depend on the order, so they
// are averaged over all orders (the Shapley value), and they add up to the whole difference
// exactly.
//
// Launch latency, heartbeat delay and contention are what the model estimates directly; lost
// attempts, work (another task was the last one) and waiting are what follows from it, mostly
// queueing.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "report/comparability.h"
#include "report/jct_parts.h"
#include "report/run_folder.h"

namespace tracebed {

struct SplitDifference {
  double model = 0;  // seconds
  double real = 0;
  double difference = 0;                       // real − model
  std::array<double, jct_part_count> parts{};  // by JctPart; they add up to `difference`
};

struct WorldDifference {
  std::string label;  // the scheduler
  std::string model_world;
  std::string real_world;
  std::uint64_t repetitions = 0;  // pairs of runs with the same repetition number
  std::uint64_t jobs = 0;         // succeeded in both runs of a pair
  std::uint64_t jobs_left_out = 0;
  SplitDifference mean;
  SplitDifference p50;
  SplitDifference p95;
  SplitDifference p99;
  AttemptFigures model_attempts;  // of the first pair
  AttemptFigures real_attempts;

  // mean, p50, p95, p99: those that this number of jobs allows (report/job_statistics.h), by name.
  std::vector<std::pair<const char*, const SplitDifference*>> statistics() const;
};

// Two runs' parts of the same jobs.
struct PartsPair {
  JctParts model{};
  JctParts real{};
};

// `pairs` must not be empty.
SplitDifference split_mean(std::span<const PartsPair> pairs);
SplitDifference split_percentile(std::span<const PartsPair> pairs, unsigned percent);

// For every scheduler that ran in the virtual world and in a real one, with a repetition number in
// common.
std::vector<WorldDifference> world_differences(std::span<const RunFolder> runs,
                                               std::span<const RunGroup> groups);

}  // namespace tracebed
