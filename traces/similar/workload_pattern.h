// A workload that resembles another: what is kept of the original, and jobs drawn from it.
//
// Jobs are drawn by the stationary bootstrap (D. N. Politis and J. P. Romano, The Stationary
// Bootstrap, JASA 89, 1994): stretches of the original, of geometric length and begun at random
// places, follow each other, so that bursts, a user's sessions and the like of neighbours stay
// within a stretch. A job is drawn with all that it has, so the relations between its parts (bytes
// with tasks, sizes with users, stages with stages) are preserved. Two things keep the result from
// being a copy:
// - every amount (gap to the next job; durations, bytes read, shuffled and written) is moved to a
//   value between its neighbours among the original's (traces/similar/smoothed_values.h);
// - where the original is long enough to have a pattern of the day or the week, a stretch begins
//   with a job that the original has in the same hour of it, and ends with the hour it was taken
//   from.
// What it cannot produce: jobs larger than the largest seen, trends longer than a week, and a daily
// pattern that the original is too short or too thin to show.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/random.h"
#include "core/time.h"
#include "core/workload.h"
#include "traces/similar/smoothed_values.h"

namespace tracebed {

class WorkloadPattern {
 public:
  // Reads the whole original, and keeps it in memory. Throws InputError, which calls it `name`, if
  // it has fewer than two jobs.
  WorkloadPattern(WorkloadSource& original, const std::string& name);

  std::size_t jobs() const { return jobs_.size(); }
  const Job& job(std::size_t index) const { return jobs_[index]; }
  bool has_only(JobKind kind) const;
  // Zero if the original shows none; else a day or a week.
  Duration period() const { return period_; }

 private:
  friend class SimilarWorkload;

  // Sums over a job's tasks, in the order of amounts_.
  enum Amount : std::size_t { time, input, shuffle, output, amounts };
  using Amounts = std::array<std::int64_t, amounts>;
  static Amounts amounts_of(const Job& job);

  void choose_period();
  void fill_slots();
  // Hours since the start, and the hour of the period.
  std::int64_t hours_until(std::size_t job) const;
  std::size_t slot_of(Duration since_start) const;
  // Whether an hour in which the period has no job lies between the job and the next one. That gap
  // is the pattern's: drawn at another time of the hour it would cut the hour short.
  bool leads_over_empty_slot(std::size_t job) const;

  std::vector<Job> jobs_;
  std::vector<std::int64_t> gaps_;  // from job i to job i + 1, µs
  SmoothedValues gap_values_;
  std::array<SmoothedValues, amounts> amount_values_;
  Duration period_{};
  struct Slot {
    std::vector<std::uint32_t> jobs;
    std::vector<std::uint32_t> with_gap;  // those of which the gap to the next job may be drawn
    std::vector<std::uint32_t> first;     // those that were the first of the hour
  };
  std::vector<Slot> slots_;  // by hour of the period; one without
};

struct SimilarOptions {
  std::optional<std::uint64_t> jobs;  // neither this nor a span: as many as the original has
  std::optional<Duration> span;       // jobs submitted later are left out
  // Mean number of jobs of a stretch. 1: every job is drawn for itself.
  double stretch_jobs = 5;
  std::uint64_t seed = 1;
};

class SimilarWorkload final : public WorkloadSource {
 public:
  // `pattern` outlives this. Throws InputError for an option that is out of range.
  SimilarWorkload(const WorkloadPattern& pattern, const SimilarOptions& options);

  bool next(Job& job) override;

 private:
  void choose();
  void vary(Job& job);
  void advance();
  std::uint32_t one_of(const std::vector<std::uint32_t>& jobs);

  const WorkloadPattern& pattern_;
  std::uint64_t jobs_max_;
  Duration span_;
  double end_chance_;
  Random choices_;
  Random values_;
  std::uint64_t made_ = 0;
  Duration now_{};
  std::uint32_t at_ = 0;  // of the original's jobs, the one drawn last
};

}  // namespace tracebed
