#include "coordinator/workload/think_time_submissions.h"

#include <gtest/gtest.h>

#include "coordinator/engine/doubles.h"

namespace tracebed {
namespace {

using doubles::plain_job;

TraceTime at(std::int64_t count) {
  return TraceTime(seconds(count));
}

// Counts what was read of it.
class CountedJobs final : public WorkloadSource {
 public:
  explicit CountedJobs(std::vector<Job> jobs) : list_(std::move(jobs)) {}
  bool next(Job& job) override {
    const bool has_one = list_.next(job);
    read += has_one ? 1 : 0;
    return has_one;
  }
  int read = 0;

 private:
  doubles::JobList list_;
};

class ThinkTimeTest : public testing::Test {
 protected:
  // Of 10 s each. Users are letters.
  void add(std::int64_t submit, const char* user) {
    Job job = plain_job(static_cast<std::uint32_t>(jobs_.size()), at(submit), 1, seconds(10));
    job.user = names_.users.intern(user);
    jobs_.push_back(job);
    ++jobs_of_users_[user];
  }
  ThinkTimeSubmissions& start(std::optional<Duration> think) {
    source_.emplace(jobs_);
    return loop_.emplace(*source_, names_, jobs_of_users_, preceding_, think);
  }
  // Takes the job that is due and returns its id.
  std::uint32_t take(std::int64_t due) {
    EXPECT_EQ(loop_->next_due(), at(due));
    Job job;
    loop_->take(job);
    EXPECT_EQ(job.submit, at(due));
    return job.id.value();
  }
  void end(std::uint32_t job, std::int64_t when) {
    JobRecord record;
    record.job = JobId(job);
    record.user = jobs_[job].user;
    record.finished = at(when);
    loop_->job_ended(record);
  }

  Names names_;
  JobsOfUsers jobs_of_users_;
  PrecedingOfJobs preceding_;
  std::vector<Job> jobs_;
  std::optional<CountedJobs> source_;
  std::optional<ThinkTimeSubmissions> loop_;
};

TEST_F(ThinkTimeTest, SubmitsAUsersNextJobAfterTheirLastOneAndAThought) {
  add(0, "a");
  add(3, "b");
  add(5, "a");
  add(5, "a");
  add(100, "b");
  start(seconds(2));
  EXPECT_EQ(take(0), 0u);
  EXPECT_EQ(take(3), 1u);
  EXPECT_EQ(loop_->next_due(), never);  // both wait for a result
  end(1, 20);
  end(0, 20);
  // Of two that are due at once, the first of the trace.
  EXPECT_EQ(take(22), 2u);
  EXPECT_EQ(take(22), 4u);
  EXPECT_EQ(loop_->next_due(), never);
  end(4, 30);
  EXPECT_EQ(loop_->next_due(), never);  // b has no more
  end(2, 40);
  EXPECT_EQ(take(42), 3u);
  end(3, 50);
  EXPECT_EQ(loop_->next_due(), never);
}

TEST_F(ThinkTimeTest, ThinksAsLongAsTheTraceUnlessTold) {
  add(0, "a");
  add(5, "a");    // before the first could have ended: no thought
  add(100, "a");  // 85 s after the second could have ended, which was at 15
  start(std::nullopt);
  EXPECT_EQ(take(0), 0u);
  end(0, 50);
  EXPECT_EQ(take(50), 1u);
  end(1, 60);
  EXPECT_EQ(take(145), 2u);
}

// Where the trace states how long somebody thought, it is that.
TEST_F(ThinkTimeTest, ThinksAsLongAsTheTraceStates) {
  add(0, "a");
  add(100, "a");
  preceding_[JobId(1u)] = {{JobId(0u)}, seconds(30)};
  start(std::nullopt);
  EXPECT_EQ(take(0), 0u);
  end(0, 50);
  EXPECT_EQ(take(80), 1u);
}

TEST_F(ThinkTimeTest, ReadsNoFurtherThanItMust) {
  add(0, "a");
  add(10, "a");
  add(20, "b");
  add(30, "b");
  for (int i = 0; i < 50; ++i) add(40 + i, "b");
  start(seconds(1));
  EXPECT_EQ(take(0), 0u);
  // b's first job could come before anybody ends; one more is read ahead.
  EXPECT_EQ(source_->read, 4);
  EXPECT_EQ(loop_->next_due(), at(20));
  end(0, 5);
  EXPECT_EQ(take(6), 1u);
  end(1, 12);
  EXPECT_EQ(source_->read, 4);  // a has no more, so nothing is searched for them
  // Nobody is left who was not seen, so nothing is searched for while b waits for a result.
  EXPECT_EQ(take(20), 2u);
  EXPECT_EQ(loop_->next_due(), never);
  EXPECT_EQ(source_->read, 4);
}

}  // namespace
}  // namespace tracebed
