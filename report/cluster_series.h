// The cluster's state over time, in a bounded number of equal intervals: they double in width
// whenever there would be too many, so a year of trace takes no more memory than a minute. Within
// an interval every figure is the exact time average of the state (a step function).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/records.h"
#include "core/resources.h"
#include "core/time.h"

namespace tracebed {

struct ClusterInterval {
  TraceTime start{};
  TraceTime end{};
  std::array<double, Resources::dimensions_max> allocated{};  // mean, in the dimension's unit
  std::array<double, Resources::dimensions_max> capacity{};
  double containers = 0;  // mean
  double jobs_open = 0;
  double jobs_waiting = 0;
  // Means over the time, in devices: free ones, and of these what no typical task could use
  // (DeviceSample). Both are 0 if there are no devices.
  double devices_free = 0;
  double devices_fragmented = 0;
  std::uint32_t containers_max = 0;
  std::uint32_t jobs_open_max = 0;
  std::uint32_t jobs_waiting_max = 0;
  std::uint32_t jobs_ended = 0;

  bool operator==(const ClusterInterval&) const = default;
};

struct ClusterSeries {
  std::vector<ClusterInterval> intervals;  // adjacent, ascending; the last may be shorter
  // Allocated over capacity, by dimension, over the time from the first submission to the end of
  // the last job.
  std::array<double, Resources::dimensions_max> utilisation{};
};

class ClusterSeriesBuilder {
 public:
  static constexpr std::size_t intervals_max = 2000;

  // `dimensions` are in use. The first interval is a millisecond wide.
  explicit ClusterSeriesBuilder(std::size_t dimensions) : dimensions_(dimensions) {}

  // The state from `sample.at` on, which is not before the last sample.
  void sampled(const ClusterSample& sample);
  void job_ended(TraceTime at);
  // The series up to `end`, or to the last sample if that is later.
  ClusterSeries finish(TraceTime end);

 private:
  __extension__ using Integral = __int128;  // amount × µs: ten thousand nodes over years
  struct Sums {
    std::array<Integral, Resources::dimensions_max> allocated{};
    std::array<Integral, Resources::dimensions_max> capacity{};
    void add(const Sums& other);
  };
  struct Interval {
    Sums sums;
    std::int64_t covered = 0;  // µs
    Integral containers = 0;
    Integral jobs_open = 0;
    Integral jobs_waiting = 0;
    Integral devices_free = 0;
    Integral devices_fragmented = 0;
    std::uint32_t containers_max = 0;
    std::uint32_t jobs_open_max = 0;
    std::uint32_t jobs_waiting_max = 0;
    std::uint32_t jobs_ended = 0;
  };

  // Accounts for the time from the last sample to `until`.
  void advance(TraceTime until);
  Interval& interval_at(TraceTime time);
  void halve();
  void add_state(Sums& sums, std::int64_t microseconds) const;

  std::size_t dimensions_;
  std::vector<Interval> intervals_;
  Duration width_ = milliseconds(1);
  TraceTime origin_{};
  bool has_begun_ = false;
  ClusterSample state_;
  Sums busy_;  // from the first submission to the last time at which a job was open
  Sums idle_;  // since then
  bool has_submitted_ = false;
};

}  // namespace tracebed
