#include "report/metrics.h"

#include <algorithm>

namespace tracebed {
namespace {

bool has_succeeded(const JobFigures& job) {
  return job.outcome == JobOutcome::succeeded;
}

// `figure` of the jobs that `selects`.
template <class Selects, class Figure>
Spread spread_over(std::span<const JobFigures> jobs, Selects selects, Figure figure) {
  std::vector<double> values;
  values.reserve(jobs.size());
  for (const JobFigures& job : jobs) {
    if (selects(job)) values.push_back(figure(job));
  }
  return spread_of(values);
}

void count_outcomes(std::span<const JobFigures> jobs, RunMetrics& metrics) {
  metrics.jobs = jobs.size();
  for (const JobFigures& job : jobs) {
    switch (job.outcome) {
      case JobOutcome::succeeded:
        ++metrics.succeeded;
        break;
      case JobOutcome::failed:
        ++metrics.failed;
        break;
      case JobOutcome::rejected:
        ++metrics.rejected;
        break;
      case JobOutcome::killed:
        ++metrics.killed;
        break;
    }
  }
}

DeadlineFigures deadlines_of(std::span<const JobFigures> jobs) {
  DeadlineFigures figures;
  for (const JobFigures& job : jobs) {
    if (!job.has_deadline()) continue;
    ++figures.jobs;
    if (has_met_deadline(job)) ++figures.met;
  }
  figures.tardiness = spread_over(
      jobs, [](const JobFigures& job) { return has_succeeded(job) && job.has_deadline(); },
      [](const JobFigures& job) {
        return to_seconds(std::max(Duration::zero(), job.jct - job.deadline));
      });
  return figures;
}

void measure_makespan(std::span<const JobFigures> jobs, RunMetrics& metrics) {
  TraceTime first = never;
  TraceTime last = TraceTime::min();
  for (const JobFigures& job : jobs) {
    if (job.outcome == JobOutcome::rejected) continue;
    first = std::min(first, job.submitted);
    last = std::max(last, job.submitted + job.jct);
  }
  if (first >= last) return;
  metrics.makespan = to_seconds(last - first);
  metrics.throughput_per_ten_minutes =
      static_cast<double>(metrics.succeeded) / (metrics.makespan / 600);
}

}  // namespace

double slowdown(const JobFigures& job) {
  return static_cast<double>(job.jct.count()) / static_cast<double>(job.ideal.count());
}

double bounded_slowdown(const JobFigures& job) {
  const Duration shortest = std::max(job.ideal, bounded_slowdown_threshold);
  return std::max(1.0,
                  static_cast<double>(job.jct.count()) / static_cast<double>(shortest.count()));
}

bool has_met_deadline(const JobFigures& job) {
  return job.has_deadline() && has_succeeded(job) && job.jct <= job.deadline;
}

std::vector<UserFigures> user_figures(std::span<const JobFigures> jobs) {
  std::vector<UserFigures> users;
  for (const JobFigures& job : jobs) {
    if (!has_succeeded(job)) continue;
    if (job.user.index() >= users.size()) users.resize(job.user.index() + 1);
    UserFigures& user = users[job.user.index()];
    user.user = job.user;
    ++user.jobs;
    user.bounded_slowdown_mean += bounded_slowdown(job);
    user.jct_mean += to_seconds(job.jct);
  }
  std::erase_if(users, [](const UserFigures& user) { return user.jobs == 0; });
  for (UserFigures& user : users) {
    user.bounded_slowdown_mean /= static_cast<double>(user.jobs);
    user.jct_mean /= static_cast<double>(user.jobs);
  }
  return users;
}

double jain_index(std::span<const double> values) {
  double sum = 0;
  double squares = 0;
  for (double value : values) {
    sum += value;
    squares += value * value;
  }
  return squares > 0 ? sum * sum / (static_cast<double>(values.size()) * squares) : 0;
}

void JctPartsMean::add(const JctParts& parts) {
  for (std::size_t p = 0; p < jct_part_count; ++p) sums_[p] += parts[p].count();
  ++count_;
}

std::array<double, jct_part_count> JctPartsMean::seconds() const {
  std::array<double, jct_part_count> means{};
  if (count_ == 0) return means;
  for (std::size_t p = 0; p < jct_part_count; ++p) {
    means[p] = static_cast<double>(sums_[p]) / static_cast<double>(count_) / 1e6;
  }
  return means;
}

RunMetrics measure(std::span<const JobFigures> jobs, const JctPartsMean& parts,
                   const ClusterSeries& series, const AttemptFigures& attempts,
                   std::size_t dimensions) {
  RunMetrics metrics;
  count_outcomes(jobs, metrics);
  metrics.wait = spread_over(
      jobs, [](const JobFigures& job) { return has_succeeded(job) && job.wait != Duration::max(); },
      [](const JobFigures& job) { return to_seconds(job.wait); });
  metrics.jct =
      spread_over(jobs, has_succeeded, [](const JobFigures& job) { return to_seconds(job.jct); });
  metrics.slowdown = spread_over(
      jobs,
      [](const JobFigures& job) { return has_succeeded(job) && job.ideal > Duration::zero(); },
      slowdown);
  metrics.bounded_slowdown = spread_over(jobs, has_succeeded, bounded_slowdown);
  metrics.lateness = spread_over(
      jobs, [](const JobFigures&) { return true; },
      [](const JobFigures& job) { return to_seconds(job.lateness); });
  metrics.jct_parts_mean = parts.seconds();
  metrics.deadlines = deadlines_of(jobs);
  measure_makespan(jobs, metrics);
  metrics.utilisation.assign(series.utilisation.begin(),
                             series.utilisation.begin() + static_cast<std::ptrdiff_t>(dimensions));
  std::vector<double> slowdowns;
  for (const UserFigures& user : user_figures(jobs)) {
    slowdowns.push_back(user.bounded_slowdown_mean);
  }
  metrics.users = slowdowns.size();
  metrics.jain_index = jain_index(slowdowns);
  metrics.attempts = attempts;
  return metrics;
}

}  // namespace tracebed
