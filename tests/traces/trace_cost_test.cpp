// What is read of traces whose rows, tasks, edges or bad rows grow in number; growth_test counts
// what that costs.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>

#include "growth/growing_traces.h"
#include "traces/trace_texts.h"

namespace tracebed::testing {
namespace {

using test::GrowingTrace;

class TraceCost : public ::testing::TestWithParam<GrowingTrace> {};

TEST_P(TraceCost, IsPaidForJobsThatAreRead) {
  constexpr int count = 500;
  const ReadTrace read = read_trace(GetParam().text(count), skipping());
  EXPECT_EQ(read.jobs.size(),
            GetParam().jobs == GrowingTrace::Jobs::each ? std::size_t{count} : 1u);
}

// Each stage of reduces needs each of maps.
TEST(Sls, LeavesOutJobsWhoseMapsAndReducesAskForTooManyDifferentAmounts) {
  const auto job_of = [](int maps, int reduces) {
    std::string tasks;
    for (int i = 0; i < maps + reduces; ++i) {
      tasks +=
          fmt::format(R"({}{{"container.type":"{}","container.memory-mb":{},"duration.ms":9}})",
                      i == 0 ? "" : ",", i < maps ? "map" : "reduce", i + 1);
    }
    return R"({"am.type":"mapreduce","job.start.ms":0,"job.queue.name":"q","job.tasks":[)" + tasks +
           "]}\n";
  };
  EXPECT_EQ(read_trace(job_of(1000, 1000)).jobs.at(0).stages.size(), 2000u);
  EXPECT_THAT(read_error(job_of(1001, 1000)),
              ::testing::HasSubstr(
                  "expected tasks of at most 65535 different demands and delays, those of "
                  "maps times those of reduces at most 1000000, got 1001 of maps and 1000 of "
                  "reduces"));
  EXPECT_EQ(read_trace(job_of(1001, 1000) + job_of(1, 1), skipping()).jobs.size(), 1u);
  EXPECT_EQ(read_error(job_of(65'535, 0)), "no error");
  EXPECT_THAT(read_error(job_of(65'536, 0)),
              ::testing::HasSubstr("got 65536 of maps and 0 of reduces"));
}

INSTANTIATE_TEST_SUITE_P(Texts, TraceCost, ::testing::ValuesIn(test::growing_traces()),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace tracebed::testing
