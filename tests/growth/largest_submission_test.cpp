// Whatever a submission holds as much of as it may: it is accepted, or refused at a place of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coordinator/api/submitted.h"
#include "growth/growing_submissions.h"
#include "growth/largest.h"
#include "support/cpu_time.h"

namespace tracebed::test {
namespace {

class LargestSubmission : public testing::TestWithParam<GrowingSubmission> {};

TEST_P(LargestSubmission, EndsWithAWord) {
  const auto bytes = [](int count) { return bytes_of(GetParam().make(count)); };
  const std::string refusal = Submitted().refusal_of(GetParam().make(largest_count(bytes)));
  if (!refusal.empty()) {
    EXPECT_THAT(refusal, testing::AnyOf(
                             testing::HasSubstr("mine.toml:"), testing::HasSubstr(".xml:"),
                             testing::StartsWith("--scheduler: "), testing::StartsWith("--set ")));
  }
}

class LargestSubmissionTime : public testing::TestWithParam<GrowingSubmission> {};

// Others' submissions wait for it.
TEST_P(LargestSubmissionTime, IsASecondOfCpuTimeAtMost) {
  const auto bytes = [](int count) { return bytes_of(GetParam().make(count)); };
  const control::Submission submission = GetParam().make(largest_count(bytes));
  const Submitted submitted;
  const double begin = process_cpu_seconds();
  (void)submitted.refusal_of(submission);
  EXPECT_LT(process_cpu_seconds() - begin, 1);
}

INSTANTIATE_TEST_SUITE_P(Lists, LargestSubmissionTime, testing::ValuesIn(growing_submissions()),
                         [](const auto& info) { return std::string(info.param.name); });

INSTANTIATE_TEST_SUITE_P(Lists, LargestSubmission, testing::ValuesIn(growing_submissions()),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace tracebed::test
