#include "report/metrics.h"

#include <gtest/gtest.h>
#include <vector>

namespace tracebed {
namespace {

JobFigures job(std::uint32_t id, std::uint32_t user, double submitted, double wait, double jct,
               double ideal) {
  const auto duration = [](double value) {
    return Duration(static_cast<std::int64_t>(value * 1e6));
  };
  JobFigures figures;
  figures.job = JobId(id);
  figures.user = UserId(user);
  figures.submitted = TraceTime(duration(submitted));
  figures.wait = duration(wait);
  figures.jct = duration(jct);
  figures.ideal = duration(ideal);
  return figures;
}

std::vector<JobFigures> four_jobs() {
  std::vector<JobFigures> jobs{
      job(0, 0, 0, 0, 20, 20),     // slowdown 1
      job(1, 0, 10, 30, 60, 20),   // slowdown 3
      job(2, 1, 20, 45, 50, 5),    // slowdown 10; bounded: 50 / 10 = 5
      job(3, 2, 500, 0, 100, 50),  // killed
  };
  jobs[3].outcome = JobOutcome::killed;
  return jobs;
}

RunMetrics metrics_of(const std::vector<JobFigures>& jobs) {
  return measure(jobs, JctPartsMean(), ClusterSeries(), AttemptFigures(), 2);
}

TEST(Metrics, OfJobsAreOverThoseThatSucceeded) {
  const RunMetrics metrics = metrics_of(four_jobs());
  EXPECT_EQ(metrics.jobs, 4u);
  EXPECT_EQ(metrics.succeeded, 3u);
  EXPECT_EQ(metrics.killed, 1u);
  EXPECT_EQ(metrics.wait, (Spread{3, 25, 30, 45, 45, 45}));
  EXPECT_DOUBLE_EQ(metrics.jct.mean, 130.0 / 3);
  EXPECT_DOUBLE_EQ(metrics.jct.p50, 50);
  EXPECT_DOUBLE_EQ(metrics.jct.p95, 60);
  EXPECT_DOUBLE_EQ(metrics.slowdown.mean, 14.0 / 3);
  EXPECT_DOUBLE_EQ(metrics.bounded_slowdown.mean, 3);
}

TEST(Metrics, MakespanRunsFromTheFirstSubmissionToTheLastEnd) {
  const RunMetrics metrics = metrics_of(four_jobs());
  EXPECT_DOUBLE_EQ(metrics.makespan, 600);  // the killed job ended last
  EXPECT_DOUBLE_EQ(metrics.throughput_per_ten_minutes, 3);
}

TEST(Metrics, MakespanDoesNotCountWhatWasRejected) {
  std::vector<JobFigures> jobs = four_jobs();
  jobs[3].outcome = JobOutcome::rejected;
  EXPECT_DOUBLE_EQ(metrics_of(jobs).makespan, 70);
}

TEST(Metrics, SlowdownIsBoundedAtBothEnds) {
  EXPECT_DOUBLE_EQ(bounded_slowdown(job(0, 0, 0, 0, 4, 1)), 1) << "shorter than the threshold";
  EXPECT_DOUBLE_EQ(bounded_slowdown(job(0, 0, 0, 0, 30, 1)), 3) << "measured by the threshold";
  EXPECT_DOUBLE_EQ(bounded_slowdown(job(0, 0, 0, 0, 30, 20)), 1.5);
  EXPECT_DOUBLE_EQ(slowdown(job(0, 0, 0, 0, 30, 1)), 30);
}

TEST(Metrics, JobsWithoutIdealTimeHaveNoSlowdown) {
  const RunMetrics metrics = metrics_of({job(0, 0, 0, 0, 30, 0), job(1, 0, 0, 0, 30, 15)});
  EXPECT_EQ(metrics.slowdown.count, 1u);
  EXPECT_DOUBLE_EQ(metrics.slowdown.mean, 2);
  EXPECT_EQ(metrics.bounded_slowdown.count, 2u);
}

// With 20, 55 and 1000 s: one is met to the second, one missed by 5 s, one killed in time.
TEST(Metrics, DeadlinesAreMetByJobsThatSucceedInTime) {
  std::vector<JobFigures> jobs = four_jobs();
  jobs[0].deadline = seconds(20);
  jobs[1].deadline = seconds(55);
  jobs[3].deadline = seconds(1000);
  const DeadlineFigures deadlines = metrics_of(jobs).deadlines;
  EXPECT_EQ(deadlines.jobs, 3u);
  EXPECT_EQ(deadlines.met, 1u);
  EXPECT_EQ(deadlines.tardiness, (Spread{2, 2.5, 0, 5, 5, 5}));
  EXPECT_EQ(metrics_of(four_jobs()).deadlines.jobs, 0u);
}

TEST(Metrics, JainsIndexOfKnownShares) {
  EXPECT_DOUBLE_EQ(jain_index(std::vector<double>{3, 3, 3}), 1);
  EXPECT_DOUBLE_EQ(jain_index(std::vector<double>{5, 0, 0, 0}), 0.25);
  EXPECT_DOUBLE_EQ(jain_index(std::vector<double>{1, 2, 3}), 36.0 / (3 * 14));
  EXPECT_DOUBLE_EQ(jain_index({}), 0);
}

TEST(Metrics, JainsIndexIsOverUsersMeanSlowdowns) {
  // User 0: (1 + 3) / 2 = 2; user 1: 5. (2 + 5)² / (2 × (4 + 25)).
  const RunMetrics metrics = metrics_of(four_jobs());
  EXPECT_EQ(metrics.users, 2u);
  EXPECT_DOUBLE_EQ(metrics.jain_index, 49.0 / 58);
}

TEST(Metrics, UsersAreToldInTheOrderOfIds) {
  const std::vector<UserFigures> users = user_figures(four_jobs());
  ASSERT_EQ(users.size(), 2u);
  EXPECT_EQ(users[0].user, UserId(std::uint32_t{0}));
  EXPECT_EQ(users[0].jobs, 2u);
  EXPECT_DOUBLE_EQ(users[0].jct_mean, 40);
  EXPECT_DOUBLE_EQ(users[1].bounded_slowdown_mean, 5);
}

TEST(Metrics, PartsAreMeansOverJobs) {
  JctPartsMean mean;
  JctParts parts{};
  part_of(parts, JctPart::work) = seconds(10);
  mean.add(parts);
  part_of(parts, JctPart::work) = seconds(1);
  part_of(parts, JctPart::contention) = seconds(-3);
  mean.add(parts);
  EXPECT_DOUBLE_EQ(mean.seconds()[static_cast<std::size_t>(JctPart::work)], 5.5);
  EXPECT_DOUBLE_EQ(mean.seconds()[static_cast<std::size_t>(JctPart::contention)], -1.5);
  EXPECT_DOUBLE_EQ(JctPartsMean().seconds()[0], 0);
}

TEST(Metrics, OfNoJobsAreZero) {
  const RunMetrics metrics = metrics_of({});
  EXPECT_EQ(metrics.jct, Spread());
  EXPECT_EQ(metrics.makespan, 0);
  EXPECT_EQ(metrics.throughput_per_ten_minutes, 0);
}

}  // namespace
}  // namespace tracebed
