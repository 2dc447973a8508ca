// What a submitted file of a scheduler may hold: however a list, table or tree in it grows, it is
// accepted, or refused by a bound that the message names. growth_test counts what that costs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tuple>

#include "growth/growing_files.h"
#include "growth/largest.h"
#include "support/cpu_time.h"

namespace tracebed::test {
namespace {

class FileCost : public testing::TestWithParam<GrowingFile> {
 protected:
  static std::string refusal(int count, Use use) {
    return refusal_of(GetParam(), GetParam().text(count), use);
  }
};

TEST_P(FileCost, HasABoundUpToWhichEverythingIsAccepted) {
  const GrowingFile& file = GetParam();
  int count = static_cast<int>(file.count_max);
  if (count == 0) count = largest_count([&](int some) { return file.text(some).size(); });
  EXPECT_EQ(refusal(count, Use::explain), "");
  EXPECT_EQ(refusal(count, Use::create), "");
}

TEST_P(FileCost, RefusesOneMoreThanItsBoundByName) {
  const GrowingFile& file = GetParam();
  if (file.count_max == 0) return;  // its size bounds it (xml_file_test)
  const int count = static_cast<int>(file.count_max) + 1;
  for (const Use use : {Use::explain, Use::create}) {
    EXPECT_THAT(refusal(count, use), testing::HasSubstr("submitted.xml"));
    EXPECT_THAT(refusal(count, use), testing::ContainsRegex("expected .*at most [0-9]+ "));
  }
}

class FileCostTime : public testing::TestWithParam<std::tuple<GrowingFile, Use>> {};

// Others' submissions wait for it.
TEST_P(FileCostTime, OfALargestSubmissionIsASecondOfCpuTimeAtMost) {
  const auto& [file, use] = GetParam();
  const std::string text =
      file.text(largest_count([&file = file](int count) { return file.text(count).size(); }));
  const double begin = process_cpu_seconds();
  (void)refusal_of(file, text, use);
  EXPECT_LT(process_cpu_seconds() - begin, 1);
}

INSTANTIATE_TEST_SUITE_P(Files, FileCostTime,
                         testing::Combine(testing::ValuesIn(growing_files()),
                                          testing::Values(Use::explain, Use::create)),
                         [](const auto& info) { return name_of(info.param); });

INSTANTIATE_TEST_SUITE_P(Files, FileCost, testing::ValuesIn(growing_files()),
                         [](const auto& file) { return std::string(file.param.name); });

}  // namespace
}  // namespace tracebed::test
