// The figures of one run, each with its definition. Times are trace time; in a Spread, seconds.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/ids.h"
#include "core/names.h"
#include "core/outcomes.h"
#include "core/time.h"
#include "report/attempt_figures.h"
#include "report/cluster_series.h"
#include "report/jct_parts.h"
#include "report/percentiles.h"
#include "report/starvation.h"

namespace tracebed {

// What is kept per job while a run is in progress, for exact percentiles at its end: 64 bytes.
struct JobFigures {
  JobId job;
  UserId user;
  QueueId queue;
  JobOutcome outcome = JobOutcome::succeeded;
  TraceTime submitted{};
  Duration lateness{};                  // submitted − the submit time in the trace
  Duration wait = Duration::max();      // first allocation − submission; max if there was none
  Duration jct{};                       // end − submission
  Duration deadline = Duration::max();  // from its submission; max if there was none
  Duration ideal{};                     // JobRecord::ideal

  bool has_deadline() const { return deadline != Duration::max(); }
};

// Jobs shorter than this count as this long in the bounded slowdown, so that a one-second job that
// waited ten seconds does not drown the rest (Feitelson and Rudolph 1998).
inline constexpr Duration bounded_slowdown_threshold = seconds(10);

// JCT / ideal; meaningful only if ideal is positive.
double slowdown(const JobFigures& job);
// max(1, JCT / max(ideal, threshold)).
double bounded_slowdown(const JobFigures& job);

// It succeeded, and not after its deadline, which it has.
bool has_met_deadline(const JobFigures& job);

// Of the jobs that had one.
struct DeadlineFigures {
  std::uint64_t jobs = 0;
  std::uint64_t met = 0;  // of these; those that did not succeed have missed theirs
  Spread tardiness;       // seconds after it, 0 if met; over those that succeeded
};

struct UserFigures {
  UserId user;
  std::uint64_t jobs = 0;  // succeeded
  double bounded_slowdown_mean = 0;
  double jct_mean = 0;  // seconds
};

struct RunMetrics {
  std::uint64_t jobs = 0;
  std::uint64_t succeeded = 0;
  std::uint64_t failed = 0;
  std::uint64_t rejected = 0;
  std::uint64_t killed = 0;
  // Over the jobs that succeeded.
  Spread wait;
  Spread jct;
  Spread slowdown;  // over those of them with a positive ideal time
  Spread bounded_slowdown;
  std::array<double, jct_part_count> jct_parts_mean{};  // seconds, by JctPart; they add up to JCT's
  double makespan = 0;  // seconds from the first submission to the last end of a job not rejected
  double throughput_per_ten_minutes = 0;  // succeeded jobs over makespan
  std::vector<double> utilisation;  // allocated over capacity, by dimension, over the makespan
  // Jain's index (Σx)² / (n × Σx²) of the users' mean bounded slowdowns: 1 if all users are slowed
  // down alike, 1/n if one alone is.
  double jain_index = 0;
  std::uint64_t users = 0;  // with a job that succeeded
  DeadlineFigures deadlines;
  AttemptFigures attempts;
  Spread lateness;               // of submissions, over all jobs
  StarvationFigures starvation;  // of the leaf queues; measured during the run, not here
};

// Every user with a job that succeeded, in the order of ids.
std::vector<UserFigures> user_figures(std::span<const JobFigures> jobs);

// 0 if there are no values.
double jain_index(std::span<const double> values);

// The mean of each part over jobs; empty sums give zero.
class JctPartsMean {
 public:
  void add(const JctParts& parts);
  std::array<double, jct_part_count> seconds() const;

 private:
  __extension__ using Sum = __int128;  // µs
  std::array<Sum, jct_part_count> sums_{};
  std::uint64_t count_ = 0;
};

// `parts` are those of the jobs that succeeded.
RunMetrics measure(std::span<const JobFigures> jobs, const JctPartsMean& parts,
                   const ClusterSeries& series, const AttemptFigures& attempts,
                   std::size_t dimensions);

}  // namespace tracebed
