// However a list, table or tree in what others wrote grows, to read it costs in proportion to its
// text: by operations that are counted, so that it holds on any machine.
#include "growth/growth.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <tuple>

#include "coordinator/api/control_server.h"
#include "coordinator/api/submitted.h"
#include "growth/growing_files.h"
#include "growth/growing_submissions.h"
#include "growth/growing_traces.h"
#include "traces/trace_texts.h"

namespace tracebed::test {
namespace {

// Of what grows; 0: it has no bound of its own.
int most_of(int count_max) {
  constexpr int most = 512;
  return count_max == 0 ? most : std::min(most, count_max);
}

class Counted : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const std::string obstacle = obstacle_to_counting(); !obstacle.empty()) {
      GTEST_SKIP() << obstacle;
    }
  }
};

class FileGrowth : public Counted,
                   public ::testing::WithParamInterface<std::tuple<GrowingFile, Use>> {};
class SubmissionGrowth : public Counted, public ::testing::WithParamInterface<GrowingSubmission> {};
class TraceGrowth : public Counted, public ::testing::WithParamInterface<GrowingTrace> {};

void expect_linear(const Growth& growth) {
  constexpr double slack = 1.25;  // tables that double in size
  EXPECT_LT(growth.ratio(), slack) << growth.text();
}

// Others' submissions wait for it. That the largest of them take a second of CPU time at most is
// measured in cost_test.
void expect_bounded(const Growth& growth, double size) {
  constexpr double operations_max = 8e9;
  EXPECT_LT(growth.operations_of(size), operations_max) << growth.text() << "; of " << size;
}

TEST_P(FileGrowth, IsInProportionToTheFile) {
  const auto& [file, use] = GetParam();
  const Growth growth(most_of(static_cast<int>(file.count_max)), [file = file,
                                                                  use = use](int count) {
    const std::string text = file.text(count);
    const auto size = file.pairs != nullptr ? file.pairs(count) : static_cast<double>(text.size());
    return Input{size, [=] { (void)refusal_of(file, text, use); }};
  });
  expect_linear(growth);
  const int count_max = static_cast<int>(file.count_max);
  const std::size_t largest = count_max != 0 ? file.text(count_max).size() : submission_bytes_max;
  expect_bounded(growth, file.pairs != nullptr
                             ? file.pairs(count_max)
                             : static_cast<double>(std::min(largest, submission_bytes_max)));
}

TEST_P(SubmissionGrowth, IsInProportionToTheText) {
  const GrowingSubmission& growing = GetParam();
  const Submitted submitted;
  const Growth growth(most_of(growing.count_max), [&](int count) {
    const control::Submission submission = growing.make(count);
    return Input{static_cast<double>(bytes_of(submission)),
                 [&submitted, submission] { (void)submitted.refusal_of(submission); }};
  });
  expect_linear(growth);
  const std::size_t largest =
      growing.count_max != 0 ? bytes_of(growing.make(growing.count_max)) : submission_bytes_max;
  expect_bounded(growth, static_cast<double>(std::min(largest, submission_bytes_max)));
}

// Traces are read while their run waits, not while others' submissions do.
TEST_P(TraceGrowth, IsInProportionToTheText) {
  const Growth growth(most_of(GetParam().count_max), [&](int count) {
    const std::string text = GetParam().text(count);
    return Input{static_cast<double>(text.size()),
                 [=] { (void)tracebed::testing::read_trace(text, tracebed::testing::skipping()); }};
  });
  expect_linear(growth);
}

INSTANTIATE_TEST_SUITE_P(Files, FileGrowth,
                         ::testing::Combine(::testing::ValuesIn(growing_files()),
                                            ::testing::Values(Use::explain, Use::create)),
                         [](const auto& info) { return name_of(info.param); });
INSTANTIATE_TEST_SUITE_P(Submissions, SubmissionGrowth, ::testing::ValuesIn(growing_submissions()),
                         [](const auto& info) { return std::string(info.param.name); });
INSTANTIATE_TEST_SUITE_P(Traces, TraceGrowth, ::testing::ValuesIn(growing_traces()),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace tracebed::test
