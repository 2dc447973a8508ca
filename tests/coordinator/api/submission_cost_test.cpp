// What a submission costs that names its files again and again: each naming is read, kept and made
// into a scheduler, so it is counted.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coordinator/api/submitted.h"

namespace tracebed {
namespace {

using testing::HasSubstr;

class SubmissionCost : public testing::Test {
 protected:
  // So many schedulers, and refreshes of the first, all of one file of about `bytes`.
  static control::Submission submission(int schedulers, int refreshes, std::size_t bytes) {
    control::Submission submission;
    submission.file = "mine.toml";
    submission.experiment =
        "name = \"n\"\nworld = \"virtual\"\ntrace.file = \"${TRACEBED_TRACES}/jobs.tsv\"\n"
        "[cluster]\nnodes = 2\nvcores = 2\nmemory = \"8 GiB\"\n";
    for (int i = 0; i < schedulers; ++i) {
      submission.experiment += fmt::format(
          "[[scheduler]]\nname = \"capacity\"\nlabel = \"s{}\"\nconfig = \"queues.xml\"\n", i);
    }
    for (int i = 0; i < refreshes; ++i) {
      submission.experiment += fmt::format(
          "[[refresh]]\nscheduler = \"s0\"\nat = \"{}s\"\nconfig = \"queues.xml\"\n", i + 1);
    }
    control::NamedFile file;
    file.name = "queues.xml";
    file.content =
        "<configuration><property><name>yarn.scheduler.capacity.root.queues</name><value>a</value>"
        "</property><property><name>yarn.scheduler.capacity.root.a.capacity</name>"
        "<value>100</value></property></configuration>" +
        std::string(bytes, ' ');
    submission.files = {file};
    return submission;
  }
  std::string refusal_of(const control::Submission& submission) const {
    return submitted_.refusal_of(submission);
  }

  test::Submitted submitted_;
};

TEST_F(SubmissionCost, CountsAFileAsOftenAsASchedulerNamesIt) {
  constexpr std::size_t bytes = 500'000;  // of which 67 fit into 32 MiB
  EXPECT_EQ(refusal_of(submission(60, 0, bytes)), "");
  EXPECT_THAT(refusal_of(submission(80, 0, bytes)),
              HasSubstr("expected files of at most 32 MiB in all, each counted as often as a "
                        "setting names it, got more with queues.xml"));
}

TEST_F(SubmissionCost, CountsAFileAsOftenAsARefreshNamesIt) {
  EXPECT_EQ(refusal_of(submission(1, 60, 500'000)), "");
  EXPECT_THAT(refusal_of(submission(1, 80, 500'000)), HasSubstr("at most 32 MiB in all"));
}

TEST_F(SubmissionCost, HasABudgetOfCpuTime) {
  EXPECT_THAT(submitted_.refusal_of(submission(3, 0, 0), std::chrono::nanoseconds(0)),
              HasSubstr("expected an experiment whose schedulers and refreshes are made within 0 s "
                        "of CPU time, got more before this one"));
  EXPECT_EQ(refusal_of(submission(3, 0, 0)), "");
}

TEST_F(SubmissionCost, HasBoundsForNamesAndSettings) {
  control::Submission chosen = submission(1, 0, 0);
  for (int i = 0; i < 1'001; ++i) chosen.schedulers.push_back(fmt::format("s{}", i));
  EXPECT_EQ(refusal_of(chosen), "--scheduler: expected at most 1000 schedulers, got 1001");

  control::Submission refreshed = submission(1, 1, 0);
  for (int i = 0; i < 1'000; ++i) refreshed.experiment += fmt::format("k{} = 1\n", i);
  EXPECT_THAT(refusal_of(refreshed), HasSubstr("expected at most 1000 settings together"));

  control::Submission overridden = submission(1'001, 0, 0);
  control::Override given;
  given.key = "scheduler.s0.config";
  given.value = "queues.xml";
  overridden.overrides = {given};
  EXPECT_THAT(refusal_of(overridden), HasSubstr("expected at most 1000 schedulers, got 1001"));
}

TEST_F(SubmissionCost, HoldsAHundredFiles) {
  control::Submission many = submission(1, 0, 0);
  for (int i = 1; i < 100; ++i) many.files.push_back(many.files.front());
  EXPECT_EQ(refusal_of(many), "");
  many.files.push_back(many.files.front());
  EXPECT_THAT(refusal_of(many), HasSubstr("expected at most 100 files, got 101"));
}

}  // namespace
}  // namespace tracebed
