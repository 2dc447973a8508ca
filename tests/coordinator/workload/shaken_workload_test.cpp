#include "coordinator/workload/shaken_workload.h"

#include <cmath>
#include <gtest/gtest.h>

#include "coordinator/engine/doubles.h"

namespace tracebed {
namespace {

using doubles::plain_job;

constexpr double part = 0.1;

// Submitted at these seconds; the n-th job runs for n + 1 thousand seconds.
std::vector<Job> jobs_at(const std::vector<std::int64_t>& submits) {
  std::vector<Job> jobs;
  for (const std::int64_t submit : submits) {
    const auto id = static_cast<std::uint32_t>(jobs.size());
    jobs.push_back(plain_job(id, TraceTime(seconds(submit)), 2, seconds(1000 * (id + 1))));
    jobs.back().requested_time = seconds(7777);
  }
  return jobs;
}

std::vector<Job> shaken(std::vector<Job> jobs, const VariationChoice& vary, std::uint64_t seed) {
  doubles::JobList list(std::move(jobs));
  ShakenWorkload workload(list, vary, seed);
  std::vector<Job> result;
  for (Job job; workload.next(job);) result.push_back(job);
  return result;
}

std::vector<Job> every_hundred_seconds(std::int64_t count) {
  std::vector<std::int64_t> submits;
  for (std::int64_t i = 0; i < count; ++i) submits.push_back(100 * i + 50);
  return jobs_at(submits);
}

TEST(ShakenWorkload, ChangesNoGapByMoreThanThePartAndNoOrder) {
  const std::vector<Job> before = jobs_at({50, 50, 60, 160, 1160, 1161, 11161});
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const std::vector<Job> after = shaken(before, {.submit_times = part}, seed);
    ASSERT_EQ(after.size(), before.size());
    EXPECT_EQ(after[0].submit, before[0].submit) << "the first job stays";
    EXPECT_EQ(after[1].submit, before[1].submit) << "what came at one time still does";
    for (std::size_t i = 1; i < after.size(); ++i) {
      const auto gap = static_cast<double>((before[i].submit - before[i - 1].submit).count());
      const auto now = static_cast<double>((after[i].submit - after[i - 1].submit).count());
      EXPECT_GE(now, gap * (1 - part) - 1) << seed;  // a microsecond is what rounding takes
      EXPECT_LE(now, gap * (1 + part) + 1) << seed;
      EXPECT_EQ(after[i].id, before[i].id);
      EXPECT_EQ(after[i].stages, before[i].stages) << "nothing else is changed";
    }
  }
}

TEST(ShakenWorkload, KeepsTheSpanOnAverage) {
  // The mean of 10,000 factors from [0.9, 1.1] has a standard deviation of
  // 0.1 / √3 / √10,000 = 0.00058; five of them are allowed.
  const std::vector<Job> before = every_hundred_seconds(10'001);
  const std::vector<Job> after = shaken(before, {.submit_times = part}, 7);
  const double span = to_seconds(after.back().submit - after.front().submit);
  EXPECT_NEAR(span / 1'000'000, 1, 0.0029);
  EXPECT_NE(after.back().submit, before.back().submit);
}

TEST(ShakenWorkload, MultipliesAJobsTimesByOneFactorOfItsOwn) {
  std::vector<Job> before = every_hundred_seconds(500);
  for (Job& job : before) {
    job.stages[0].runs.push_back({3, {.duration = seconds(200), .cpu_time = seconds(100)}});
  }
  const std::vector<Job> after = shaken(before, {.run_times = part}, 3);
  double least = 2;
  double most = 0;
  for (std::size_t i = 0; i < after.size(); ++i) {
    const Work& was = before[i].stages[0].runs.back().work;
    const Work& is = after[i].stages[0].runs.back().work;
    const double factor = to_seconds(is.duration) / to_seconds(was.duration);
    EXPECT_GE(factor, 1 - part);
    EXPECT_LE(factor, 1 + part);
    EXPECT_NEAR(to_seconds(is.cpu_time) / to_seconds(was.cpu_time), factor, 1e-6);
    EXPECT_NEAR(to_seconds(after[i].stages[0].runs[0].work.duration) /
                    to_seconds(before[i].stages[0].runs[0].work.duration),
                factor, 1e-6);
    EXPECT_EQ(after[i].submit, before[i].submit);
    EXPECT_EQ(after[i].requested_time, seconds(7777));
    least = std::min(least, factor);
    most = std::max(most, factor);
  }
  EXPECT_LT(least, 0.91) << "all of the range is drawn";
  EXPECT_GT(most, 1.09);
}

TEST(ShakenWorkload, IsAFunctionOfTraceAndSeed) {
  const std::vector<Job> before = every_hundred_seconds(50);
  const VariationChoice both{.submit_times = part, .run_times = part};
  EXPECT_EQ(shaken(before, both, 5), shaken(before, both, 5));
  EXPECT_NE(shaken(before, both, 5), shaken(before, both, 6));
  EXPECT_EQ(shaken(before, {}, 5), before);
  // A job's draw hangs on no other: where the trace ends changes nothing of what was before.
  const std::vector<Job> fewer(before.begin(), before.begin() + 20);
  const std::vector<Job> all = shaken(before, both, 5);
  EXPECT_EQ(shaken(fewer, both, 5), std::vector<Job>(all.begin(), all.begin() + 20));
}

}  // namespace
}  // namespace tracebed
