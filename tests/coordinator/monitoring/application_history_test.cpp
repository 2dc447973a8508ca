#include "coordinator/monitoring/application_history.h"

#include <gtest/gtest.h>

namespace tracebed {
namespace {

class ApplicationHistoryTest : public testing::Test {
 protected:
  ApplicationHistoryTest() { names_.users.intern("ann"), names_.queues.intern("a"); }

  static AttemptRecord attempt(std::uint32_t application, ContainerEnd end) {
    AttemptRecord record;
    record.application = ApplicationId(application);
    record.resources = {500, 1'024};
    record.allocated = trace_time(1'000'000);
    record.reported = trace_time(5'000'000);
    record.end = end;
    return record;
  }
  static JobRecord job(std::uint32_t application, JobOutcome outcome) {
    JobRecord record;
    record.application = ApplicationId(application);
    record.user = UserId(0U);
    record.queue = QueueId(0U);
    record.outcome = outcome;
    return record;
  }

  Names names_;
  ApplicationHistory history_{names_};
};

TEST_F(ApplicationHistoryTest, AddsUpWhatContainersHeldForHowLong) {
  history_.attempt_ended(attempt(0, ContainerEnd::succeeded));
  history_.attempt_ended(attempt(0, ContainerEnd::preempted));
  const ApplicationUse use = history_.use_of(ApplicationId(0U));
  EXPECT_DOUBLE_EQ(use.mib_seconds, 2 * 4 * 1'024);
  EXPECT_DOUBLE_EQ(use.vcore_seconds, 2 * 4 * 0.5);
  EXPECT_EQ(use.preempted, Resources(500, 1'024));
  EXPECT_EQ(use.tasks_preempted, 1u);
  history_.job_ended(job(0, JobOutcome::succeeded));
  EXPECT_DOUBLE_EQ(history_.ended().front().use.mib_seconds, 2 * 4 * 1'024);
  EXPECT_EQ(history_.ended().front().user, "ann");
  EXPECT_EQ(history_.ended().front().queue, "a");
}

TEST_F(ApplicationHistoryTest, KeepsNothingOfContainersThatOutliveTheirApplication) {
  history_.job_ended(job(3, JobOutcome::killed));
  history_.attempt_ended(attempt(3, ContainerEnd::killed));
  EXPECT_EQ(history_.use_of(ApplicationId(3U)).mib_seconds, 0);
}

TEST_F(ApplicationHistoryTest, KeepsTheLastThatEndedAndCountsAll) {
  const auto all = static_cast<std::uint32_t>(ApplicationHistory::ended_max) + 2;
  for (std::uint32_t i = 0; i < all; ++i) history_.job_ended(job(i, JobOutcome::failed));
  EXPECT_EQ(history_.ended().size(), ApplicationHistory::ended_max);
  EXPECT_EQ(history_.ended().front().id, ApplicationId(all - 1));
  EXPECT_EQ(history_.ended().back().id, ApplicationId(2U));
  EXPECT_EQ(history_.counts().failed, all);
}

}  // namespace
}  // namespace tracebed
