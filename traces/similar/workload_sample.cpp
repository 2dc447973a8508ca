#include "traces/similar/workload_sample.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

#include "core/check.h"
#include "traces/workload_totals.h"

namespace tracebed {
namespace {

std::int64_t whole(double value) {
  constexpr double largest = 9e18;
  return static_cast<std::int64_t>(std::min(std::round(value), largest));
}

// At position percent/100 × (count − 1) of the sorted values, as in `trace info`.
double percentile(const std::vector<std::int64_t>& sorted, double percent, double per_unit) {
  if (sorted.empty()) return 0;
  const double position = percent / 100 * static_cast<double>(sorted.size() - 1);
  return static_cast<double>(sorted[static_cast<std::size_t>(position + 0.5)]) / per_unit;
}

bool says_something(const std::vector<std::int64_t>& values) {
  return std::any_of(values.begin(), values.end(), [](std::int64_t value) { return value != 0; });
}

std::vector<double> ranks_of(const std::vector<std::int64_t>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return values[a] != values[b] ? values[a] < values[b] : a < b;
  });
  std::vector<double> ranks(values.size());
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin;
    while (end < order.size() && values[order[end]] == values[order[begin]]) ++end;
    const double mean = static_cast<double>(begin + end - 1) / 2;
    for (std::size_t i = begin; i < end; ++i) ranks[order[i]] = mean;
    begin = end;
  }
  return ranks;
}

std::vector<std::int64_t> bytes_of_jobs(const WorkloadSample& sample) {
  std::vector<std::int64_t> bytes;
  const auto& input = sample[WorkloadSample::input].values;
  const auto& shuffle = sample[WorkloadSample::shuffle].values;
  const auto& output = sample[WorkloadSample::output].values;
  for (std::size_t i = 0; i < input.size(); ++i) {
    bytes.push_back(whole(static_cast<double>(input[i]) + static_cast<double>(shuffle[i]) +
                          static_cast<double>(output[i])));
  }
  return bytes;
}

}  // namespace

WorkloadSample::WorkloadSample() {
  distributions_.resize(distributions_count);
  const auto set = [this](Which which, const char* name, double per_unit) {
    distributions_[which] = {name, per_unit, {}};
  };
  set(gap, "inter-arrival, s", 1e6);
  set(hour, "hour of the day of submission", 3600e6);
  set(stages, "stages of a job", 1);
  set(tasks, "tasks of a job", 1);
  set(longest_task, "longest task of a job, s", 1e6);
  set(work, "work of a job, vcore-s", 1e3);
  set(vcores, "vcores of a job's largest task", 1e3);
  set(memory, "memory of a job's largest task, MiB", 1);
  set(input, "input of a job, bytes", 1);
  set(shuffle, "shuffle of a job, bytes", 1);
  set(output, "output of a job, bytes", 1);
}

void WorkloadSample::add(const Job& job) {
  if (jobs_ == 0) {
    first_submit_ = job.submit;
  } else {
    distributions_[gap].values.push_back((job.submit - last_submit_).count());
  }
  last_submit_ = job.submit;
  ++jobs_;
  ++jobs_of_user_[job.user];
  WorkloadTotals totals;
  totals.add(job);
  const auto keep = [this](Which which, std::int64_t value) {
    distributions_[which].values.push_back(value);
  };
  constexpr Duration day = std::chrono::hours(24);
  keep(hour, ((job.submit - first_submit_) % day).count());
  keep(stages, static_cast<std::int64_t>(job.stages.size()));
  keep(tasks, static_cast<std::int64_t>(totals.tasks()));
  keep(longest_task, tracebed::longest_task(job).count());
  keep(work, whole(totals.vcore_seconds() * 1000));
  keep(vcores, totals.largest_task().milli_vcores());
  keep(memory, totals.largest_task().memory_mib());
  keep(input, whole(totals.input_bytes()));
  keep(shuffle, whole(totals.shuffle_bytes()));
  keep(output, whole(totals.output_bytes()));
}

double WorkloadSample::busiest_user_share() const {
  std::uint64_t most = 0;
  for (const auto& [user, count] : jobs_of_user_) most = std::max(most, count);
  return jobs_ == 0 ? 0 : static_cast<double>(most) / static_cast<double>(jobs_);
}

double rank_correlation(const std::vector<std::int64_t>& first,
                        const std::vector<std::int64_t>& second) {
  TRACEBED_CHECK(first.size() == second.size(), "correlated values come in pairs");
  const std::vector<double> a = ranks_of(first);
  const std::vector<double> b = ranks_of(second);
  const double mean = static_cast<double>(a.size() - std::min<std::size_t>(a.size(), 1)) / 2;
  double together = 0;
  double spread_a = 0;
  double spread_b = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    together += (a[i] - mean) * (b[i] - mean);
    spread_a += (a[i] - mean) * (a[i] - mean);
    spread_b += (b[i] - mean) * (b[i] - mean);
  }
  return spread_a > 0 && spread_b > 0 ? together / std::sqrt(spread_a * spread_b) : 0;
}

std::string side_by_side(const std::string& first_name, const WorkloadSample& first,
                         const std::string& second_name, const WorkloadSample& second) {
  std::string text = fmt::format("A {}\nB {}\n", first_name, second_name);
  const auto add_line = [&](const char* name, const auto& a, const auto& b) {
    text += fmt::format("  {:<37}A {:>12}   B {:>12}\n", name, fmt::format("{:.5g}", a),
                        fmt::format("{:.5g}", b));
  };
  const auto as_double = [](auto count) { return static_cast<double>(count); };
  add_line("jobs", as_double(first.jobs()), as_double(second.jobs()));
  add_line("span of submissions, s", to_seconds(first.span()), to_seconds(second.span()));
  add_line("users", as_double(first.users()), as_double(second.users()));
  add_line("share of the busiest user's jobs", first.busiest_user_share(),
           second.busiest_user_share());
  const auto correlation = [](const WorkloadSample& sample) {
    return rank_correlation(bytes_of_jobs(sample), sample[WorkloadSample::tasks].values);
  };
  add_line("rank correlation of bytes and tasks", correlation(first), correlation(second));
  text += fmt::format("  {:<35}{:>2}{:>10}{:>10}{:>10}{:>10}{:>10}{:>13}\n", "", "", "p25", "p50",
                      "p75", "p99", "max", "KS distance");
  for (std::size_t i = 0; i < WorkloadSample::distributions_count; ++i) {
    const auto which = static_cast<WorkloadSample::Which>(i);
    if (!says_something(first[which].values) && !says_something(second[which].values)) continue;
    const auto add_row = [&](const char* name, char sample, std::vector<std::int64_t> values) {
      std::sort(values.begin(), values.end());
      text += fmt::format("  {:<35}{:>2}", name, sample);
      for (const double percent : {25, 50, 75, 99, 100}) {
        text += fmt::format("{:>10.4g}", percentile(values, percent, first[which].per_unit));
      }
    };
    add_row(first[which].name.c_str(), 'A', first[which].values);
    text += '\n';
    add_row("", 'B', second[which].values);
    text +=
        fmt::format("{:>13.4f}\n", kolmogorov_smirnov(first[which].values, second[which].values));
  }
  return text;
}

}  // namespace tracebed
