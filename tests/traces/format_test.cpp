#include "traces/format.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/input_error.h"

namespace tracebed {
namespace {

constexpr std::string_view swf_row = "1 0 -1 10 4 -1 -1 4 -1 -1 1 1 1 -1 -1 -1 -1 -1\n";
constexpr std::string_view swim_row = "job0\t0\t0\t100\t0\t5\n";

std::string error_of(std::string_view head, std::string_view asked = "auto") {
  try {
    return "taken for " + std::string(choose_format("t", head, asked).format);
  } catch (const InputError& error) {
    return error.what();
  }
}

TEST(TraceFormat, IsToldByContent) {
  EXPECT_EQ(choose_format("t", swf_row, "auto").format, "swf");
  EXPECT_EQ(choose_format("t", swf_row, "auto").reason,
            "line 1 has 18 columns, 18 of them numbers");
  EXPECT_EQ(choose_format("t", swim_row, "auto").format, "swim");
  EXPECT_EQ(choose_format("t", swim_row, "auto").reason,
            "line 1 has 6 columns separated by tabs, 2 to 6 of them numbers");
}

TEST(TraceFormat, IsToldByTheFirstRowBehindCommentsAndBlankLines) {
  EXPECT_EQ(choose_format("t", "\n; Version: 2.2\r\n \n" + std::string(swf_row), "auto").reason,
            "line 4 has 18 columns, 18 of them numbers");
}

TEST(TraceFormat, OfCommentsAloneIsSwf) {
  EXPECT_EQ(choose_format("t", "; Version: 2.2\n", "auto").format, "swf");
}

TEST(TraceFormat, SaysWhyNoneFits) {
  EXPECT_EQ(error_of("a,b,c\n"),
            "t: expected a trace in a known format, got none of them (swf: line 1 has 1 columns, 0 "
            "of them numbers, and a row has 18 numbers; swim: line 1 has 1 columns separated by "
            "tabs, and a row has 6 to 9)");
  EXPECT_THAT(error_of("job0\t0\tx\t1\t1\t1\n"),
              ::testing::HasSubstr("of which 3 is 'x', not a number"));
}

TEST(TraceFormat, OfAnEmptyFileIsNone) {
  EXPECT_EQ(error_of(""), "t: expected a trace, got an empty file");
  EXPECT_EQ(error_of(" \r\n\n"), "t: expected a trace, got an empty file");
}

// No head fits two of today's formats, so the rule is tested on verdicts.
TEST(TraceFormat, IsNotGuessedWhenTwoFit) {
  try {
    choose_among(
        "t",
        {{"one", true, "line 1 has x"}, {"two", true, "line 1 has y"}, {"three", false, "no"}});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "t: expected a trace in one format, got one that fits 2 (one: line 1 has x; two: "
                 "line 1 has y); say which with --format");
  }
}

TEST(TraceFormat, IsTakenAsAskedFor) {
  EXPECT_EQ(choose_format("t", swf_row, "swim").format, "swim");
  EXPECT_EQ(choose_format("t", swf_row, "swim").reason, "asked for");
  EXPECT_EQ(error_of(swf_row, "csv"), "trace format: expected auto or one of swf, swim, got 'csv'");
}

}  // namespace
}  // namespace tracebed
