// What every format does with input that is not as it should be: a table of defects. Each is either
// reported with its line and reason, which ends the load or is counted where bad rows are skipped,
// or taken by a rule or a note of the load.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/input_error.h"
#include "traces/bad_inputs.h"
#include "traces/trace_texts.h"

namespace tracebed::testing {

void PrintTo(const BadInputs& inputs, std::ostream* out) {
  *out << inputs.format;
}

namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

TraceOptions options_of(const BadInputs& inputs, bool skip_bad) {
  TraceOptions options;
  options.format = inputs.format;
  options.skip_bad = skip_bad;
  return options;
}

bool tells(const LoadReport& report, std::string_view what) {
  for (const auto& list : {report.notes, report.left_out}) {
    for (const TraceCount& each : list) {
      if (each.name == what) return each.count > 0;
    }
  }
  return false;
}

class BadInput : public ::testing::TestWithParam<BadInputs> {};

TEST_P(BadInput, OfEveryKindIsInTheTableOrCannotBe) {
  for (const std::string_view known : known_defects) {
    int told = 0;
    for (const Defect& defect : GetParam().defects) told += defect.what == known ? 1 : 0;
    for (const Impossible& defect : GetParam().impossible) told += defect.defect == known ? 1 : 0;
    EXPECT_EQ(told, 1) << known;
  }
}

TEST_P(BadInput, IsReportedWithLineAndReasonOrTakenByARule) {
  const BadInputs& inputs = GetParam();
  EXPECT_EQ(read_trace(inputs.good, options_of(inputs, false)).jobs.size(), 2u);
  for (const Defect& defect : inputs.defects) {
    const std::string_view message = defect.message;
    const std::string error = read_error(defect.text, options_of(inputs, false));
    if (message.empty()) {
      EXPECT_EQ(error, "no error") << defect.what;
    } else {
      EXPECT_THAT(error, StartsWith("t:")) << defect.what;
      EXPECT_THAT(error, HasSubstr(defect.message)) << defect.what;
    }
    const ReadTrace trace = read_trace(defect.text, options_of(inputs, true));
    EXPECT_EQ(trace.jobs.size(), defect.jobs) << defect.what;
    if (message.empty()) {
      EXPECT_EQ(trace.bad_rows, 0u) << defect.what;
    } else {
      EXPECT_GE(trace.bad_rows, 1u) << defect.what;
    }
    if (*defect.told != '\0') {
      EXPECT_TRUE(tells(trace.report, defect.told)) << defect.what;
    }
  }
}

// Ids may be equal where names are not.
std::vector<std::string> names_in(const ReadTrace& trace) {
  std::vector<std::string> names;
  for (const Job& job : trace.jobs) {
    names.push_back(trace.names.users.name(job.user));
    names.push_back(trace.names.queues.name(job.queue));
  }
  return names;
}

TEST_P(BadInput, LinesMayEndInCrLfAndTheFileWithoutAnEnd) {
  const BadInputs& inputs = GetParam();
  std::string text;
  for (const char letter : inputs.good) text += letter == '\n' ? "\r\n" : std::string(1, letter);
  const ReadTrace expected = read_trace(inputs.good, options_of(inputs, false));
  const ReadTrace read = read_trace(text, options_of(inputs, false));
  EXPECT_EQ(read.jobs, expected.jobs);
  EXPECT_EQ(names_in(read), names_in(expected));
  text.resize(text.size() - 2);
  EXPECT_EQ(read_trace(text, options_of(inputs, false)).jobs, expected.jobs);
}

// Of ten gigabytes: tests/traces/long_line_test.cpp.
TEST_P(BadInput, ALineOrDocumentAboveTheBoundIsOneBadRow) {
  const BadInputs& inputs = GetParam();
  const bool is_json = inputs.good.starts_with('{');
  const std::string letters(10'000, 'x');
  const std::string text = inputs.good + (is_json ? "{\"x\":\"" + letters + "\"}" : letters) + "\n";
  TraceOptions options = options_of(inputs, false);
  options.rules.common.line_bytes_max = 4096;
  options.rules.common.document_bytes_max = 4096;
  EXPECT_THAT(read_error(text, options), HasSubstr("expected at most 4096 bytes, got a "));
  options.skip_bad = true;
  const ReadTrace read = read_trace(text, options);
  EXPECT_EQ(read.jobs.size(), 2u);
  EXPECT_EQ(read.bad_rows, 1u);
}

TEST_P(BadInput, CompressedDataThatEndsEarlyIsSaid) {
  const BadInputs& inputs = GetParam();
  for (const std::string& whole : {gzip(inputs.good), zstd(inputs.good)}) {
    EXPECT_EQ(read_trace(whole, options_of(inputs, false)).jobs.size(), 2u);
    EXPECT_THAT(read_error(whole.substr(0, whole.size() - 5), options_of(inputs, false)),
                HasSubstr("data ends early: the file is truncated"));
  }
}

TEST_P(BadInput, AnEmptyFileIsNoTrace) {
  const BadInputs& inputs = GetParam();
  for (const char* const empty : {"", " \n\r\n"}) {
    EXPECT_THAT(read_error(empty), HasSubstr("expected a trace, got an empty file"));
    EXPECT_TRUE(read_trace(empty, options_of(inputs, false)).jobs.empty());
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, BadInput, ::testing::ValuesIn(bad_inputs()),
                         [](const auto& inputs) { return std::string(inputs.param.format); });

// Unsorted rows of the formats that are sorted by their own words.
TEST(RowsInAnyOrder, AreSortedByRule) {
  const std::string text = "b\t9\t9\t10\t0\t1\na\t5\t1\t10\t0\t1\nc\t9\t0\t10\t0\t1\n";
  const TraceOptions any = with_rule("trace.order", "any");
  const ReadTrace trace = read_trace(text, any);
  ASSERT_EQ(trace.jobs.size(), 3u);
  EXPECT_EQ(trace.jobs[0].name, "a");
  EXPECT_EQ(trace.jobs[0].submit, TraceTime());
  EXPECT_EQ(trace.jobs[1].name, "b");
  EXPECT_EQ(trace.jobs[1].submit, TraceTime(seconds(4)));
  EXPECT_EQ(trace.jobs[2].name, "c");
  EXPECT_EQ(trace.jobs[2].id, JobId(2u));
  EXPECT_EQ(read_trace(text, with_rule("trace.origin", "file", any)).jobs[0].submit,
            TraceTime(seconds(5)));
  const std::string swf = std::string("1 7 0 9 4 -1 -1 4 9 -1 1 1 1 1 1 1 -1 -1\n") +
                          "2 5 0 9 2 -1 -1 2 9 -1 1 1 1 1 1 1 -1 -1\n";
  EXPECT_EQ(read_trace(swf, any).jobs.at(0).stages[0].runs[0].count, 2u);
}

}  // namespace
}  // namespace tracebed::testing
