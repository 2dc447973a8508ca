#include "coordinator/workload/kept_jobs.h"

#include <gtest/gtest.h>

#include "coordinator/engine/doubles.h"

namespace tracebed {
namespace {

using doubles::plain_job;

// Names come up with the jobs that bring them.
KeptJobs three_jobs() {
  KeptJobs kept(1 << 20);
  Names names;
  const char* const users[] = {"ada", "bob", "ada"};
  for (std::uint32_t i = 0; i < 3; ++i) {
    Job job = plain_job(i, TraceTime(seconds(i)), 1, seconds(10));
    job.user = names.users.intern(users[i]);
    if (i == 2) job.queue = names.queues.intern("night");
    EXPECT_TRUE(kept.add(job, names));
  }
  kept.finish(std::move(names));
  return kept;
}

TEST(KeptJobs, AreReadByManyWithNamesThatComeWhenTheTraceBroughtThem) {
  const KeptJobs kept = three_jobs();
  Names first;
  Names second;
  const auto one = kept.open(first);
  const auto other = kept.open(second);
  Job job;
  ASSERT_TRUE(one->next(job));
  EXPECT_EQ(first.users.size(), 1u) << "bob is not known yet";
  EXPECT_EQ(first.users.name(job.user), "ada");
  ASSERT_TRUE(other->next(job));
  EXPECT_EQ(job.id, JobId(0u));
  ASSERT_TRUE(one->next(job));
  EXPECT_EQ(first.users.name(job.user), "bob");
  EXPECT_EQ(first.queues.size(), 0u);
  ASSERT_TRUE(one->next(job));
  EXPECT_EQ(first.queues.name(job.queue), "night");
  EXPECT_EQ(job.submit, TraceTime(seconds(2)));
  EXPECT_FALSE(one->next(job));
  EXPECT_EQ(second.users.size(), 1u);
}

TEST(KeptJobs, TakeNoMoreMemoryThanTheyMay) {
  Names names;
  const Job job = plain_job(0, TraceTime(), 1, seconds(10));
  constexpr std::int64_t of_one_at_least = sizeof(Job) + sizeof(Stage) + sizeof(TaskRun);
  KeptJobs kept(3 * of_one_at_least);
  int taken = 0;
  while (kept.add(job, names)) ++taken;
  EXPECT_GE(taken, 1);
  EXPECT_LE(taken, 3);
}

}  // namespace
}  // namespace tracebed
