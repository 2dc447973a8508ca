#include "report/cluster_series.h"

#include <algorithm>

#include "core/check.h"

namespace tracebed {

void ClusterSeriesBuilder::Sums::add(const Sums& other) {
  for (std::size_t d = 0; d < allocated.size(); ++d) {
    allocated[d] += other.allocated[d];
    capacity[d] += other.capacity[d];
  }
}

void ClusterSeriesBuilder::add_state(Sums& sums, std::int64_t microseconds) const {
  for (std::size_t d = 0; d < dimensions_; ++d) {
    sums.allocated[d] += static_cast<Integral>(state_.allocated[d]) * microseconds;
    sums.capacity[d] += static_cast<Integral>(state_.capacity[d]) * microseconds;
  }
}

void ClusterSeriesBuilder::sampled(const ClusterSample& sample) {
  if (!has_begun_) {
    has_begun_ = true;
    origin_ = sample.at;
  } else {
    advance(sample.at);
  }
  state_ = sample;
  has_submitted_ |= sample.jobs_open > 0;
  Interval& interval = interval_at(sample.at);
  interval.containers_max = std::max(interval.containers_max, sample.containers);
  interval.jobs_open_max = std::max(interval.jobs_open_max, sample.jobs_open);
  interval.jobs_waiting_max = std::max(interval.jobs_waiting_max, sample.jobs_waiting);
}

void ClusterSeriesBuilder::job_ended(TraceTime at) {
  if (!has_begun_) {
    has_begun_ = true;
    origin_ = at;
    state_.at = at;
  }
  ++interval_at(at).jobs_ended;
}

void ClusterSeriesBuilder::advance(TraceTime until) {
  TRACEBED_CHECK(until >= state_.at, "samples come in the order of time");
  const std::int64_t microseconds = (until - state_.at).count();
  if (microseconds == 0) return;
  if (state_.jobs_open > 0) {
    busy_.add(idle_);
    idle_ = Sums();
    add_state(busy_, microseconds);
  } else if (has_submitted_) {
    add_state(idle_, microseconds);
  }
  interval_at(until);  // so that the width does not change below
  for (TraceTime from = state_.at; from < until;) {
    const std::int64_t index = (from - origin_) / width_;
    const TraceTime to = std::min(until, origin_ + (index + 1) * width_);
    Interval& interval = intervals_[static_cast<std::size_t>(index)];
    const std::int64_t part = (to - from).count();
    interval.covered += part;
    add_state(interval.sums, part);
    interval.containers += static_cast<Integral>(state_.containers) * part;
    interval.jobs_open += static_cast<Integral>(state_.jobs_open) * part;
    interval.jobs_waiting += static_cast<Integral>(state_.jobs_waiting) * part;
    interval.devices_free += static_cast<Integral>(state_.devices.free) * part;
    interval.devices_fragmented += static_cast<Integral>(state_.devices.fragments) * part;
    interval.containers_max = std::max(interval.containers_max, state_.containers);
    interval.jobs_open_max = std::max(interval.jobs_open_max, state_.jobs_open);
    interval.jobs_waiting_max = std::max(interval.jobs_waiting_max, state_.jobs_waiting);
    from = to;
  }
  state_.at = until;
}

ClusterSeriesBuilder::Interval& ClusterSeriesBuilder::interval_at(TraceTime time) {
  TRACEBED_CHECK(time >= origin_, "samples come in the order of time");
  while ((time - origin_) / width_ >= static_cast<std::int64_t>(intervals_max)) halve();
  const auto index = static_cast<std::size_t>((time - origin_) / width_);
  if (index >= intervals_.size()) intervals_.resize(index + 1);
  return intervals_[index];
}

void ClusterSeriesBuilder::halve() {
  const std::size_t count = intervals_.size();
  for (std::size_t i = 0; i < count; ++i) {
    if (i % 2 == 0) {
      intervals_[i / 2] = intervals_[i];
      continue;
    }
    Interval& into = intervals_[i / 2];
    const Interval& from = intervals_[i];
    into.sums.add(from.sums);
    into.covered += from.covered;
    into.containers += from.containers;
    into.jobs_open += from.jobs_open;
    into.jobs_waiting += from.jobs_waiting;
    into.devices_free += from.devices_free;
    into.devices_fragmented += from.devices_fragmented;
    into.containers_max = std::max(into.containers_max, from.containers_max);
    into.jobs_open_max = std::max(into.jobs_open_max, from.jobs_open_max);
    into.jobs_waiting_max = std::max(into.jobs_waiting_max, from.jobs_waiting_max);
    into.jobs_ended += from.jobs_ended;
  }
  intervals_.resize((count + 1) / 2);
  width_ *= 2;
}

ClusterSeries ClusterSeriesBuilder::finish(TraceTime end) {
  ClusterSeries series;
  if (!has_begun_) return series;
  advance(std::max(end, state_.at));
  const auto mean = [](Integral sum, std::int64_t microseconds) {
    return static_cast<double>(sum) / static_cast<double>(microseconds);
  };
  for (std::size_t i = 0; i < intervals_.size(); ++i) {
    const Interval& from = intervals_[i];
    // A run ends on a round in which something ended; an interval that only begins then has no
    // duration to average over, and its counts belong to the one before.
    if (from.covered == 0) {
      if (!series.intervals.empty()) series.intervals.back().jobs_ended += from.jobs_ended;
      continue;
    }
    ClusterInterval interval;
    interval.start = origin_ + static_cast<std::int64_t>(i) * width_;
    interval.end = interval.start + Duration(from.covered);
    for (std::size_t d = 0; d < dimensions_; ++d) {
      interval.allocated[d] = mean(from.sums.allocated[d], from.covered);
      interval.capacity[d] = mean(from.sums.capacity[d], from.covered);
    }
    interval.containers = mean(from.containers, from.covered);
    interval.jobs_open = mean(from.jobs_open, from.covered);
    interval.jobs_waiting = mean(from.jobs_waiting, from.covered);
    interval.devices_free = mean(from.devices_free, from.covered) / 1'000;
    interval.devices_fragmented = mean(from.devices_fragmented, from.covered) / 1'000;
    interval.containers_max = from.containers_max;
    interval.jobs_open_max = from.jobs_open_max;
    interval.jobs_waiting_max = from.jobs_waiting_max;
    interval.jobs_ended = from.jobs_ended;
    series.intervals.push_back(interval);
  }
  for (std::size_t d = 0; d < dimensions_; ++d) {
    if (busy_.capacity[d] > 0) {
      series.utilisation[d] =
          static_cast<double>(busy_.allocated[d]) / static_cast<double>(busy_.capacity[d]);
    }
  }
  return series;
}

}  // namespace tracebed
