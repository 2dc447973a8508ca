#include "traces/similar/workload_pattern.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "core/input_error.h"
#include "traces/model_options.h"

namespace tracebed {
namespace {

constexpr Duration slot_width = std::chrono::hours(1);
constexpr Duration day = std::chrono::hours(24);

std::int64_t scaled(std::int64_t amount, double factor) {
  if (amount == 0) return 0;
  constexpr double largest = 9e18;
  return std::max<std::int64_t>(
      1, std::llround(std::min(static_cast<double>(amount) * factor, largest)));
}

}  // namespace

WorkloadPattern::WorkloadPattern(WorkloadSource& original, const std::string& name) {
  for (Job job; original.next(job);) jobs_.push_back(job);
  if (jobs_.size() < 2) {
    throw InputError(
        fmt::format("{}: expected at least 2 jobs to resemble, got {}", name, jobs_.size()));
  }
  for (std::size_t i = 0; i < jobs_.size(); ++i) {
    const Amounts sums = amounts_of(jobs_[i]);
    for (std::size_t each = 0; each < amounts; ++each) amount_values_[each].add(sums[each]);
    if (i + 1 == jobs_.size()) break;
    gaps_.push_back((jobs_[i + 1].submit - jobs_[i].submit).count());
    gap_values_.add(gaps_.back());
  }
  gap_values_.sort();
  for (SmoothedValues& values : amount_values_) values.sort();
  choose_period();
  fill_slots();
}

bool WorkloadPattern::has_only(JobKind kind) const {
  return std::all_of(jobs_.begin(), jobs_.end(),
                     [kind](const Job& job) { return job.kind == kind; });
}

WorkloadPattern::Amounts WorkloadPattern::amounts_of(const Job& job) {
  constexpr double largest = 9e18;
  std::array<double, amounts> sums{};
  for (const Stage& stage : job.stages) {
    for (const TaskRun& run : stage.runs) {
      const double count = run.count;
      sums[time] += count * static_cast<double>(run.work.duration.count());
      sums[input] += count * static_cast<double>(run.work.input_bytes);
      sums[shuffle] += count * static_cast<double>(run.work.shuffle_bytes);
      sums[output] += count * static_cast<double>(run.work.output_bytes);
    }
  }
  Amounts whole{};
  for (std::size_t each = 0; each < amounts; ++each) {
    whole[each] = static_cast<std::int64_t>(std::min(sums[each], largest));
  }
  return whole;
}

void WorkloadPattern::choose_period() {
  // An hour of the period needs so many jobs on average to tell how busy it is.
  constexpr std::size_t jobs_of_slot = 20;
  const Duration span = jobs_.back().submit - jobs_.front().submit;
  struct Candidate {
    Duration period, seen_for;
  };
  // A day's trace is one of 24 hours less the gaps at its two ends.
  for (const Candidate& each : {Candidate{7 * day, 14 * day}, {day, day - slot_width}}) {
    const auto slots = static_cast<std::size_t>(each.period / slot_width);
    if (span < each.seen_for || jobs_.size() < slots * jobs_of_slot) continue;
    period_ = each.period;
    break;
  }
  slots_.resize(period_ == Duration{} ? 1 : static_cast<std::size_t>(period_ / slot_width));
}

void WorkloadPattern::fill_slots() {
  for (std::uint32_t i = 0; i < jobs_.size(); ++i) {
    Slot& slot = slots_[slot_of(jobs_[i].submit - jobs_.front().submit)];
    slot.jobs.push_back(i);
    if (i == 0 || hours_until(i) != hours_until(i - 1)) slot.first.push_back(i);
  }
  for (std::uint32_t i = 0; i < gaps_.size(); ++i) {
    if (leads_over_empty_slot(i)) continue;
    slots_[slot_of(jobs_[i].submit - jobs_.front().submit)].with_gap.push_back(i);
  }
}

std::int64_t WorkloadPattern::hours_until(std::size_t job) const {
  return (jobs_[job].submit - jobs_.front().submit) / slot_width;
}

bool WorkloadPattern::leads_over_empty_slot(std::size_t job) const {
  if (period_ == Duration{} || microseconds(gaps_[job]) >= period_) return false;
  const auto slots = static_cast<std::int64_t>(slots_.size());
  for (std::int64_t hour = hours_until(job) + 1; hour < hours_until(job + 1); ++hour) {
    if (slots_[static_cast<std::size_t>(hour % slots)].jobs.empty()) return true;
  }
  return false;
}

std::size_t WorkloadPattern::slot_of(Duration since_start) const {
  if (period_ == Duration{}) return 0;
  return static_cast<std::size_t>(since_start % period_ / slot_width);
}

SimilarWorkload::SimilarWorkload(const WorkloadPattern& pattern, const SimilarOptions& options)
    : pattern_(pattern),
      jobs_max_(options.jobs.value_or(options.span ? std::numeric_limits<std::uint64_t>::max()
                                                   : pattern.jobs())),
      span_(options.span.value_or(Duration::max())),
      end_chance_(1 / options.stretch_jobs),
      choices_(Random::stream(options.seed, "similar workload: choices")),
      values_(Random::stream(options.seed, "similar workload: values")) {
  if (options.jobs) require_jobs(*options.jobs);
  require_option(options.span.value_or(seconds(1)) > Duration{}, "a span above 0");
  require_option(options.stretch_jobs >= 1 && options.stretch_jobs <= 1e9,
                 "stretches of 1 to 10^9 jobs");
}

bool SimilarWorkload::next(Job& job) {
  if (made_ >= jobs_max_) return false;
  if (made_ > 0) advance();
  choose();
  if (now_ > span_) {
    jobs_max_ = made_;
    return false;
  }
  job = pattern_.jobs_[at_];
  vary(job);
  job.id = JobId(static_cast<std::size_t>(made_));
  job.name = fmt::format("job{}", made_);
  job.submit = TraceTime(now_);
  ++made_;
  return true;
}

std::uint32_t SimilarWorkload::one_of(const std::vector<std::uint32_t>& jobs) {
  return jobs[choices_.below(jobs.size())];
}

// By the gap behind the job drawn last, or behind another of the hour if that one cannot be drawn.
void SimilarWorkload::advance() {
  const TraceTime start = pattern_.jobs_.front().submit;
  const auto& slot = pattern_.slots_[pattern_.slot_of(pattern_.jobs_[at_].submit - start)];
  Duration gap = slot_width - now_ % slot_width;
  if (!slot.with_gap.empty()) {
    const bool has_own = std::binary_search(slot.with_gap.begin(), slot.with_gap.end(), at_);
    const std::size_t of = has_own ? at_ : one_of(slot.with_gap);
    const double tie = values_.unit();
    gap = microseconds(pattern_.gap_values_.near(pattern_.gaps_[of], tie, values_.unit() - 0.5));
  }
  require_submit(to_seconds(now_) + to_seconds(gap));
  now_ += gap;
}

// The next job of the stretch, or the first of another.
void SimilarWorkload::choose() {
  const TraceTime start = pattern_.jobs_.front().submit;
  std::size_t slot = pattern_.slot_of(now_);
  if (made_ > 0 && !choices_.chance(end_chance_) && at_ + 1 < pattern_.jobs_.size() &&
      pattern_.slot_of(pattern_.jobs_[at_ + 1].submit - start) == slot) {
    ++at_;
    return;
  }
  if (!pattern_.slots_[slot].jobs.empty()) {
    at_ = one_of(pattern_.slots_[slot].jobs);
    return;
  }
  // Nothing is submitted in an hour in which the original has no job. The first one that it has
  // behind stands at its own time.
  while (pattern_.slots_[slot].jobs.empty()) {
    now_ += slot_width - now_ % slot_width;
    slot = pattern_.slot_of(now_);
  }
  at_ = one_of(pattern_.slots_[slot].first);
  now_ += (pattern_.jobs_[at_].submit - start) % slot_width;
}

// All amounts of a job move the same way, as larger jobs are mostly larger in all.
void SimilarWorkload::vary(Job& job) {
  const WorkloadPattern::Amounts before = WorkloadPattern::amounts_of(job);
  std::array<double, WorkloadPattern::amounts> factors{};
  const double tie = values_.unit();
  const double shift = values_.unit() - 0.5;
  for (std::size_t each = 0; each < factors.size(); ++each) {
    const std::int64_t after = pattern_.amount_values_[each].near(before[each], tie, shift);
    factors[each] =
        before[each] == 0 ? 1 : static_cast<double>(after) / static_cast<double>(before[each]);
  }
  const auto scale = [&](std::int64_t& amount, WorkloadPattern::Amount by) {
    amount = scaled(amount, factors[by]);
  };
  const Duration ideal_before = ideal_duration(job);
  for (Stage& stage : job.stages) {
    stage.delay = microseconds(scaled(stage.delay.count(), factors[WorkloadPattern::time]));
    for (TaskRun& run : stage.runs) {
      Work& work = run.work;
      work.duration = microseconds(scaled(work.duration.count(), factors[WorkloadPattern::time]));
      work.cpu_time = microseconds(scaled(work.cpu_time.count(), factors[WorkloadPattern::time]));
      scale(work.input_bytes, WorkloadPattern::input);
      scale(work.shuffle_bytes, WorkloadPattern::shuffle);
      scale(work.output_bytes, WorkloadPattern::output);
    }
  }
  // A limit that the job kept to is one that it keeps to.
  if (job.requested_time == ideal_before) {
    job.requested_time = ideal_duration(job);
  } else if (job.requested_time > ideal_before) {
    job.requested_time = std::max(job.requested_time, ideal_duration(job));
  }
  // A deadline keeps its proportion to the job.
  if (job.deadline > Duration::zero() && ideal_before > Duration::zero()) {
    job.deadline = std::max(
        microseconds(1),
        microseconds(scaled(job.deadline.count(), static_cast<double>(ideal_duration(job).count()) /
                                                      static_cast<double>(ideal_before.count()))));
  }
}

}  // namespace tracebed
