// Whatever a submission holds as much of as it may: it is accepted, or refused at a place of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coordinator/api/submitted.h"
#include "growth/growing_submissions.h"
#include "growth/largest.h"

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

INSTANTIATE_TEST_SUITE_P(Lists, LargestSubmission, testing::ValuesIn(growing_submissions()),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace tracebed::test
