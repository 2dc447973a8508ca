// What is compared of two workloads, job by job: distributions, with the Kolmogorov–Smirnov
// distance between them, and how amounts of one job go together.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/workload.h"

namespace tracebed {

// Keeps a few numbers for every job.
class WorkloadSample {
 public:
  struct Distribution {
    std::string name;  // "input of a job, bytes"
    double per_unit = 1;
    std::vector<std::int64_t> values;
  };

  WorkloadSample();
  void add(const Job& job);

  std::uint64_t jobs() const { return jobs_; }
  // In the same order for every sample.
  const std::vector<Distribution>& distributions() const { return distributions_; }
  Duration span() const { return last_submit_ - first_submit_; }
  std::size_t users() const { return jobs_of_user_.size(); }
  // Of all jobs, that of the user who has most.
  double busiest_user_share() const;

  enum Which : std::size_t {
    gap,
    hour,
    stages,
    tasks,
    longest_task,
    work,
    vcores,
    memory,
    input,
    shuffle,
    output,
    distributions_count
  };
  const Distribution& operator[](Which which) const { return distributions_[which]; }

 private:
  std::uint64_t jobs_ = 0;
  TraceTime first_submit_{};
  TraceTime last_submit_{};
  std::vector<Distribution> distributions_;
  std::map<UserId, std::uint64_t> jobs_of_user_;
};

// The largest difference between the shares of values at most x, over all x (two-sample statistic);
// 1 if one of the two is empty and the other not. Both are in any order.
template <class Value>
double kolmogorov_smirnov(std::vector<Value> first, std::vector<Value> second) {
  if (first.empty() || second.empty()) return first.empty() == second.empty() ? 0 : 1;
  std::sort(first.begin(), first.end());
  std::sort(second.begin(), second.end());
  double largest = 0;
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < first.size() && j < second.size()) {
    const Value at = std::min(first[i], second[j]);
    while (i < first.size() && first[i] <= at) ++i;
    while (j < second.size() && second[j] <= at) ++j;
    const double difference = static_cast<double>(i) / static_cast<double>(first.size()) -
                              static_cast<double>(j) / static_cast<double>(second.size());
    largest = std::max(largest, std::abs(difference));
  }
  return largest;
}

// Spearman's: of the ranks, those of equal values being their mean. Values are pairs by position;
// 0 where all values of one are equal.
double rank_correlation(const std::vector<std::int64_t>& first,
                        const std::vector<std::int64_t>& second);

// Two samples side by side, for a terminal of 100 columns, with a line end at the end.
// Distributions in which neither has a value other than zero are left out.
std::string side_by_side(const std::string& first_name, const WorkloadSample& first,
                         const std::string& second_name, const WorkloadSample& second);

}  // namespace tracebed
