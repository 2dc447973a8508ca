#include "traces/convert/trace_cut.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/input_error.h"
#include "traces/trace_texts.h"

namespace tracebed {
namespace {

using testing::file_text;

std::string swim_rows(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += fmt::format("job{}\t{}\t10\t1\t0\t0\n", i, 100 + 10 * i);
  return text;
}

std::string cut(const TemporaryFolder& folder, std::string_view text, const CutOptions& options,
                const TraceOptions& trace_options = {}) {
  const std::string input = folder.write("in", text);
  const std::string output = folder.file("out");
  cut_trace(input, output, trace_options, options);
  return file_text(output);
}

TEST(TraceCut, KeepsAWindowCountedFromTheFirstRow) {
  const TemporaryFolder folder;
  CutOptions options;
  options.from = seconds(10);
  options.to = seconds(30);
  EXPECT_EQ(cut(folder, swim_rows(5), options),
            "job1\t110\t110\t1\t0\t0\njob2\t120\t10\t1\t0\t0\n");
}

TEST(TraceCut, StatesTheGapToTheRowThatIsNowAbove) {
  const TemporaryFolder folder;
  CutOptions options;
  options.sample = 0.5;
  std::string text = swim_rows(40);
  text.replace(text.find("\t10\t"), 4, "\t100\t");  // the first row's gap is its submit time
  const auto kept = testing::read_trace(cut(folder, text, options));
  EXPECT_GT(kept.jobs.size(), 5u);
  EXPECT_LT(kept.jobs.size(), 35u);
  EXPECT_TRUE(kept.report.notes.empty());  // no gap that is not that of the submit times
}

TEST(TraceCut, KeepsTheFirstRows) {
  const TemporaryFolder folder;
  CutOptions options;
  options.first = 2;
  EXPECT_EQ(cut(folder, swim_rows(5), options), swim_rows(2));
  options.first = 100;
  EXPECT_EQ(cut(folder, swim_rows(5), options), swim_rows(5));
}

TEST(TraceCut, SamplesTheSameRowsForTheSameSeed) {
  const TemporaryFolder folder;
  CutOptions options;
  options.sample = 0.25;
  const std::string once = cut(folder, swim_rows(4000), options);
  EXPECT_EQ(cut(folder, swim_rows(4000), options), once);
  EXPECT_NEAR(static_cast<double>(std::count(once.begin(), once.end(), '\n')), 1000, 120);
  options.seed = 2;
  EXPECT_NE(cut(folder, swim_rows(4000), options), once);
}

TEST(TraceCut, CopiesRowsByteForByteAndSaysInTheHeaderWhatItCut) {
  const TemporaryFolder folder;
  const std::string header = "; Version: 2.2\n; MaxProcs: 4\n";
  const std::string row = "  1   0 -1  10.50  4 -1 -1 4 -1 -1 1 1 1 -1 -1 -1 -1 -1 ";
  CutOptions options;
  options.first = 1;
  EXPECT_EQ(cut(folder, header + row + "\r\n; later\n" + row + "\n", options),
            header + "; Note: cut by tracebed: first 1 rows\n" + row + "\n");
}

TEST(TraceCut, WritesATraceThatReadsAsTheSameJobs) {
  const TemporaryFolder folder;
  CutOptions options;
  options.first = 3;
  const std::string text = cut(folder, swim_rows(9), options);
  EXPECT_EQ(testing::read_trace(text).jobs.size(), 3u);
}

TEST(TraceCut, CompressesByTheNameOfTheOutput) {
  const TemporaryFolder folder;
  const std::string input = folder.write("in.tsv", swim_rows(100));
  cut_trace(input, folder.file("out.tsv.gz"), {}, {});
  const std::string bytes = file_text(folder.file("out.tsv.gz"));
  EXPECT_EQ(bytes.substr(0, 2), "\x1F\x8B");
  EXPECT_EQ(testing::read_trace(bytes).jobs.size(), 100u);
}

TEST(TraceCut, LeavesNoFileBehindWhenTheInputIsBad) {
  const TemporaryFolder folder;
  const std::string input = folder.write("in", swim_rows(3) + "bad\n");
  const std::string output = folder.file("out");
  EXPECT_THROW(cut_trace(input, output, {}, {}), InputError);
  EXPECT_FALSE(std::filesystem::exists(output));
  EXPECT_FALSE(std::filesystem::exists(output + ".partial"));
  TraceOptions skipping;
  skipping.skip_bad = true;
  const CutResult result = cut_trace(input, output, skipping, {});
  EXPECT_EQ(result.rows_written, 3u);
  EXPECT_EQ(result.bad_rows, 1u);
}

TEST(TraceCut, RefusesOptionsThatMeanNothing) {
  const TemporaryFolder folder;
  CutOptions sample;
  sample.sample = 1.5;
  EXPECT_THROW(cut(folder, swim_rows(1), sample), InputError);
  CutOptions window;
  window.from = seconds(10);
  window.to = seconds(10);
  EXPECT_THROW(cut(folder, swim_rows(1), window), InputError);
  EXPECT_THROW(cut_trace(folder.write("in", swim_rows(1)), "/no/such/folder/out", {}, {}),
               EnvironmentError);
}

}  // namespace
}  // namespace tracebed
