// A first row of names for the columns, in formats that have none: skipped, and said.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "traces/bad_inputs.h"
#include "traces/format.h"
#include "traces/parts/text_lines.h"
#include "traces/trace_texts.h"

namespace tracebed::testing {
namespace {

using ::testing::AnyOf;
using ::testing::StartsWith;

TEST(HeaderRow, IsOfNamesAloneAndOfSeveralColumns) {
  EXPECT_TRUE(is_header_row("job_id, submit,run", ","));
  EXPECT_TRUE(is_header_row("job  submit\trun", " \t"));
  EXPECT_FALSE(is_header_row("job_id,5,run", ",")) << "a number";
  EXPECT_FALSE(is_header_row("job_id,-1.5,run", ",")) << "a number";
  EXPECT_FALSE(is_header_row("job_id,,run", ",")) << "nothing";
  EXPECT_FALSE(is_header_row("job_id", ",")) << "one column";
  EXPECT_FALSE(is_header_row("", ","));
}

// Names of as many columns as the format has, separated as in its first row.
std::string header_for(std::string_view rows) {
  const std::string_view row = rows.substr(0, rows.find('\n'));
  const char separator = row.find(',') != std::string_view::npos    ? ','
                         : row.find('\t') != std::string_view::npos ? '\t'
                                                                    : ' ';
  std::string header = "name";
  for (const char letter : row) {
    if (letter == separator) header += std::string(1, separator) + "name";
  }
  return header + "\n";
}

TEST(HeaderRow, IsSkippedInEveryFormatOfRowsAndSaid) {
  int formats = 0;
  for (const BadInputs& inputs : bad_inputs()) {
    const std::string text = inputs.good;
    const bool has_own = is_header_row(text.substr(0, text.find('\n')), ",");
    if (text.starts_with('{') || has_own) continue;
    ++formats;
    const ReadTrace expected = read_trace(text);
    const ReadTrace read = read_trace(header_for(text) + text);
    EXPECT_EQ(read.jobs.size(), expected.jobs.size()) << inputs.format;
    for (std::size_t i = 0; i < std::min(read.jobs.size(), expected.jobs.size()); ++i) {
      // Jobs of formats without names are called by their lines.
      EXPECT_EQ(read.jobs[i].stages, expected.jobs[i].stages) << inputs.format;
      EXPECT_EQ(read.jobs[i].submit, expected.jobs[i].submit) << inputs.format;
    }
    std::uint64_t said = 0;
    for (const TraceCount& note : read.report.notes) said += note.name == header_note;
    EXPECT_EQ(said, 1U) << inputs.format;
    for (const TraceCount& note : expected.report.notes) EXPECT_NE(note.name, header_note);
  }
  EXPECT_EQ(formats, 6) << "SWIM, SWF, Hawk, Google's, Alibaba's of 2017 and of 2018";
}

TEST(HeaderRow, MayStandBehindComments) {
  const std::string comments = "; Version: 2.2\n; MaxProcs: 8\n";
  const std::string names =
      "job submit wait run procs cpu mem req time reqmem status user group "
      "exe queue part prec think\n";
  const std::string row = "1 0 -1 10 4 -1 -1 4 -1 -1 1 1 1 -1 -1 -1 -1 -1\n";
  EXPECT_EQ(read_trace(comments + names + row).jobs.size(), 1U);
  std::string many;
  for (int i = 0; i < 40; ++i) many += "; Note: a comment\n";
  EXPECT_EQ(read_trace(many + names + row).jobs.size(), 1U);
}

// One in the middle of a file is none.
TEST(HeaderRow, BehindARowIsABadRow) {
  const std::string row = "M1,2,j_1,1,Terminated,5,9,50,0.5\n";
  const std::string names =
      "task_name,instance_num,job_name,task_type,status,start_time,end_time,"
      "plan_cpu,plan_mem\n";
  EXPECT_THAT(read_error(row + names), StartsWith("t:2: column "));
  EXPECT_EQ(read_error(names + row), "no error");
}

}  // namespace
}  // namespace tracebed::testing
