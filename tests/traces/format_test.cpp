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
  EXPECT_THAT(
      error_of("a,b,c\n"),
      ::testing::AllOf(
          ::testing::StartsWith(
              "t: expected a trace in a known format, got none of them:\n"
              "  swf: line 1 has 1 columns, 0 of them numbers, and a row has 18 "
              "numbers\n"
              "  swim: line 1 has 1 columns separated by tabs, and a row has 6 to "
              "9\n"
              "  hawk: row 1 is not of four or more numbers\n"),
          ::testing::HasSubstr("google2011: a row has 13 columns separated by commas, not 3"),
          ::testing::HasSubstr("philly: the header is not timestamp,"),
          ::testing::HasSubstr("rumen: it does not begin with a JSON object")));
  EXPECT_THAT(error_of("job0\t0\tx\t1\t1\t1\n"),
              ::testing::HasSubstr("of which 3 is 'x', not a number"));
}

TEST(TraceFormat, OfTablesAndDocumentsIsToldByContent) {
  const auto format_of = [](std::string_view head) {
    return choose_format("t", head, "auto").format;
  };
  EXPECT_EQ(format_of("1.5 2 3 2.5 3.5\n"), "hawk");
  EXPECT_EQ(format_of("0,2,3418309,0,,0,u,3,9,,,,\n"), "google2011");
  EXPECT_EQ(format_of("6459,6524,3,4,15740,Terminated,50,0.007\n"), "alibaba2017");
  EXPECT_EQ(format_of("M1,1,j_1,,Terminated,1,2,50,0.2\n"), "alibaba2018");
  EXPECT_EQ(format_of("timestamp,duration,num_gpus,gpu_time,cluster\r\n"), "philly");
  EXPECT_EQ(format_of("job,submit_seconds,kind,input_bytes,maps,reduces,vcores,memory_mib,user,"
                      "queue,input_path\n"),
            "mix");
  EXPECT_EQ(format_of("{\"jobID\":\"j\",\"submitTime\":1}"), "rumen");
  EXPECT_EQ(format_of(" {\"num.nodes\": 3}"), "sls");
  EXPECT_EQ(format_of("{\"num_jobs\": 1, \"workloads\": []}"), "synth");
  EXPECT_EQ(format_of("{\"workflow\": {}}"), "wfcommons");
}

// Eighteen numbers, of which the second is how many follow the third.
TEST(TraceFormat, OfARowThatFitsTwoIsToldByLaterRowsOrAsked) {
  const std::string both = "1 15 2" + [] {
    std::string durations;
    for (int i = 0; i < 15; ++i) durations += " 2";
    return durations;
  }() + "\n";
  EXPECT_THAT(error_of(both), ::testing::HasSubstr("got one that fits 2 (swf: line 1 has 18 "));
  EXPECT_EQ(error_of(both + "2 1 4 4\n"), "taken for hawk");
  EXPECT_EQ(error_of(both + std::string(swf_row)), "taken for swf");
}

TEST(TraceFormat, OfAnEmptyFileIsNone) {
  EXPECT_EQ(error_of(""), "t: expected a trace, got an empty file");
  EXPECT_EQ(error_of(" \r\n\n"), "t: expected a trace, got an empty file");
}

TEST(TraceFormat, IsNotGuessedWhenTwoFit) {
  try {
    choose_among(
        "t",
        {{"one", true, "line 1 has x"}, {"two", true, "line 1 has y"}, {"three", false, "no"}});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "t: expected a trace in one format, got one that fits 2 (one: line 1 has x; two: "
                 "line 1 has y); choose one with --format");
  }
}

TEST(TraceFormat, IsTakenAsAskedFor) {
  EXPECT_EQ(choose_format("t", swf_row, "swim").format, "swim");
  EXPECT_EQ(choose_format("t", swf_row, "swim").reason, "asked for");
  EXPECT_EQ(
      error_of(swf_row, "csv"),
      "trace format: expected auto or one of swf, swim, hawk, google2011, alibaba2017, "
      "alibaba2018, alibaba_gpu, philly, mix, rumen, sls, synth, wfcommons, binary, got 'csv'");
}

}  // namespace
}  // namespace tracebed
