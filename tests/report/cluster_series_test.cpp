#include "report/cluster_series.h"

#include <gtest/gtest.h>

namespace tracebed {
namespace {

ClusterSample sample(std::int64_t at_ms, std::int64_t allocated, std::uint32_t containers,
                     std::uint32_t open, std::uint32_t waiting) {
  return {.at = trace_time(at_ms * 1000),
          .capacity = Resources(8000, 1000),
          .allocated = Resources(allocated, 100),
          .containers = containers,
          .jobs_open = open,
          .jobs_waiting = waiting};
}

TEST(ClusterSeries, AveragesTheStateOverEachInterval) {
  ClusterSeriesBuilder builder(2);
  // Half a millisecond each of two states, then one millisecond of a third.
  builder.sampled({.at = trace_time(0),
                   .capacity = Resources(8000, 1000),
                   .allocated = Resources(2000, 0),
                   .containers = 1,
                   .jobs_open = 2});
  builder.sampled({.at = trace_time(500),
                   .capacity = Resources(8000, 1000),
                   .allocated = Resources(4000, 500),
                   .containers = 3,
                   .jobs_open = 4,
                   .jobs_waiting = 1});
  builder.sampled(sample(1, 8000, 5, 5, 0));
  builder.job_ended(trace_time(2000));
  const ClusterSeries series = builder.finish(trace_time(2000));
  ASSERT_EQ(series.intervals.size(), 2u);
  const ClusterInterval& first = series.intervals[0];
  EXPECT_EQ(first.start, trace_time(0));
  EXPECT_EQ(first.end, trace_time(1000));
  EXPECT_DOUBLE_EQ(first.allocated[0], 3000);
  EXPECT_DOUBLE_EQ(first.allocated[1], 250);
  EXPECT_DOUBLE_EQ(first.containers, 2);
  EXPECT_DOUBLE_EQ(first.jobs_open, 3);
  EXPECT_DOUBLE_EQ(first.jobs_waiting, 0.5);
  EXPECT_EQ(first.containers_max, 3u);
  EXPECT_EQ(first.jobs_waiting_max, 1u);
  EXPECT_DOUBLE_EQ(series.intervals[1].allocated[0], 8000);
  EXPECT_EQ(series.intervals[1].jobs_ended, 1u) << "the job that ended the run";
}

TEST(ClusterSeries, UtilisationRunsFromTheFirstSubmissionToTheLastEnd) {
  ClusterSeriesBuilder builder(2);
  builder.sampled(sample(0, 0, 0, 0, 0));       // the cluster stands idle before the first job
  builder.sampled(sample(100, 8000, 1, 1, 0));  // full for 100 ms
  builder.sampled(sample(200, 0, 0, 0, 0));     // idle for 100 ms between two jobs
  builder.sampled(sample(300, 4000, 1, 1, 0));  // half for 200 ms
  builder.sampled(sample(500, 0, 0, 0, 0));     // and idle after the last
  const ClusterSeries series = builder.finish(trace_time(900'000));
  EXPECT_DOUBLE_EQ(series.utilisation[0], (1.0 * 100 + 0.5 * 200) / 400);
}

TEST(ClusterSeries, StaysBoundedAndKeepsItsAverages) {
  ClusterSeriesBuilder builder(1);
  std::uint32_t ended = 0;
  // A sawtooth over ten hours, far more than two thousand milliseconds.
  for (std::int64_t second = 0; second < 36'000; ++second) {
    builder.sampled(sample(1000 * second, 1000 * (second % 9), 1, 1, 0));
    builder.job_ended(trace_time(1'000'000 * second));
    ++ended;
  }
  const ClusterSeries series = builder.finish(trace_time(36'000'000'000));
  EXPECT_LE(series.intervals.size(), ClusterSeriesBuilder::intervals_max);
  EXPECT_GT(series.intervals.size(), ClusterSeriesBuilder::intervals_max / 2);
  double integral = 0;
  std::uint32_t told = 0;
  TraceTime covered{};
  for (const ClusterInterval& interval : series.intervals) {
    EXPECT_EQ(interval.start, covered);
    covered = interval.end;
    integral += interval.allocated[0] * to_seconds(interval.end - interval.start);
    told += interval.jobs_ended;
  }
  EXPECT_EQ(covered, trace_time(36'000'000'000));
  EXPECT_NEAR(integral, 4000.0 * 36'000, 1e-3);
  EXPECT_EQ(told, ended);
}

TEST(ClusterSeries, KeepsTheMostOfIntervalsThatAreJoined) {
  ClusterSeriesBuilder builder(1);
  builder.sampled(sample(0, 0, 1, 2, 3));
  builder.sampled(sample(1, 0, 7, 8, 9));  // in the second interval of the first pair
  builder.sampled(sample(2, 0, 0, 0, 0));
  const ClusterSeries series = builder.finish(trace_time(2'500'000));  // too far for milliseconds
  ASSERT_EQ(series.intervals.front().end, trace_time(2'000));
  EXPECT_EQ(series.intervals.front().containers_max, 7u);
  EXPECT_EQ(series.intervals.front().jobs_open_max, 8u);
  EXPECT_EQ(series.intervals.front().jobs_waiting_max, 9u);
}

TEST(ClusterSeries, OfARunWithoutSamplesIsEmpty) {
  EXPECT_TRUE(ClusterSeriesBuilder(2).finish(trace_time(5)).intervals.empty());
}

}  // namespace
}  // namespace tracebed
