#include "coordinator/workload/preceded_submissions.h"

#include <gtest/gtest.h>
#include <optional>

#include "coordinator/engine/doubles.h"

namespace tracebed {
namespace {

using doubles::plain_job;

TraceTime when(std::int64_t count) {
  return TraceTime(seconds(count));
}

class PrecededSubmissionsTest : public testing::Test {
 protected:
  // Of 10 s; `after` are the jobs that it names, and `think` its think time.
  void add(std::int64_t submit, std::vector<std::uint32_t> after = {}, std::int64_t think = 0) {
    const auto id = static_cast<std::uint32_t>(jobs_.size());
    jobs_.push_back(plain_job(id, when(submit), 1, seconds(10)));
    if (after.empty()) return;
    PrecedingJobs& named = preceding_[JobId(id)];
    for (const std::uint32_t each : after) named.jobs.emplace_back(each);
    named.think = seconds(think);
  }
  void start() {
    source_.emplace(jobs_);
    submissions_.emplace(*source_, preceding_);
  }
  // Takes the job that is due and returns its id.
  std::uint32_t take(std::int64_t due) {
    EXPECT_EQ(submissions_->next_due(), when(due));
    Job job;
    submissions_->take(job);
    EXPECT_EQ(job.submit, when(due));
    return job.id.value();
  }
  void end(std::uint32_t job, std::int64_t finished) {
    JobRecord record;
    record.job = JobId(job);
    record.finished = when(finished);
    submissions_->job_ended(record);
  }

  std::vector<Job> jobs_;
  PrecedingOfJobs preceding_;
  std::optional<doubles::JobList> source_;
  std::optional<PrecededSubmissions> submissions_;
};

TEST_F(PrecededSubmissionsTest, SubmitAJobAfterTheOneItNamesAndItsThinkTime) {
  add(0);
  add(5);
  add(20, {0}, 30);
  add(60);
  start();
  EXPECT_EQ(take(0), 0u);
  EXPECT_EQ(take(5), 1u);
  end(0, 12);
  EXPECT_EQ(take(42), 2u);  // 12 + 30, though the trace says 20
  EXPECT_EQ(take(60), 3u);
  EXPECT_EQ(submissions_->next_due(), never);
}

// The trace submits job 2 at 500, which is read before its turn.
TEST_F(PrecededSubmissionsTest, SubmitAJobBeforeItsTimeInTheTraceWhereItsPredecessorEndedEarly) {
  add(0);
  add(100);
  add(500, {0}, 1);
  start();
  EXPECT_EQ(take(0), 0u);
  EXPECT_EQ(submissions_->next_due(), when(100));
  end(0, 10);
  EXPECT_EQ(take(11), 2u);
  EXPECT_EQ(take(100), 1u);
}

TEST_F(PrecededSubmissionsTest, WaitForTheLastOfSeveral) {
  add(0);
  add(0);
  add(1, {0, 1}, 5);
  add(2, {2});
  start();
  EXPECT_EQ(take(0), 0u);
  EXPECT_EQ(take(0), 1u);
  end(1, 40);
  EXPECT_EQ(submissions_->next_due(), never);
  end(0, 30);
  EXPECT_EQ(take(45), 2u);
  end(2, 50);
  EXPECT_EQ(take(50), 3u);
}

TEST_F(PrecededSubmissionsTest, OfEqualTimesTheFirstOfTheTraceComesFirst) {
  add(0);
  add(1, {0}, 10);
  add(20);
  start();
  EXPECT_EQ(take(0), 0u);
  end(0, 10);
  EXPECT_EQ(take(20), 1u);
  EXPECT_EQ(take(20), 2u);
}

}  // namespace
}  // namespace tracebed
