#include "traces/swim_reader.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "traces/trace_texts.h"

namespace tracebed {
namespace {

using ::testing::HasSubstr;
using testing::read_error;
using testing::read_trace;
using testing::ReadTrace;
using testing::skipping;
using testing::with_rule;

// Rates in bytes per microsecond that are easy to divide by, and one user.
TraceOptions plain_rules() {
  TraceOptions options;
  for (const auto& [name, value] :
       {std::pair{"swim.map_rate", "1"}, std::pair{"swim.shuffle_rate", "2"},
        std::pair{"swim.write_rate", "5"}, std::pair{"swim.map_startup", "1"},
        std::pair{"swim.reduce_startup", "2"}, std::pair{"swim.users", "1"}}) {
    options = with_rule(name, value, options);
  }
  return options;
}

TEST(SwimReader, MakesMapsOfBlocksAndReducesOfShuffle) {
  // 300 MiB of input, 2.5 × 10^9 bytes of shuffle, 10 bytes of output.
  const ReadTrace trace = read_trace("job7\t5\t5\t314572800\t2500000000\t10\n", plain_rules());
  ASSERT_EQ(trace.jobs.size(), 1u);
  const Job& job = trace.jobs[0];
  EXPECT_EQ(job.name, "job7");
  EXPECT_EQ(job.id, JobId(0u));
  EXPECT_EQ(job.kind, JobKind::map_reduce);
  EXPECT_EQ(job.submit, trace_time(0));  // time zero is the first job's submission
  EXPECT_EQ(job.requested_time, Duration{});
  ASSERT_EQ(job.stages.size(), 2u);

  const Stage& maps = job.stages[0];
  EXPECT_EQ(maps.kind, StageKind::map);
  EXPECT_EQ(maps.demand, Resources(1000, 1024));
  ASSERT_EQ(maps.runs.size(), 2u);
  EXPECT_EQ(maps.runs[0].count, 2u);
  // 1 s + 134,217,728 B at 1 B/µs; 80 % of 1024 MiB, rounded down.
  const Work full_map{microseconds(135'217'728), microseconds(135'217'728), 819, 134'217'728, 0, 0};
  const Work last_map{microseconds(47'137'344), microseconds(47'137'344), 819, 46'137'344, 0, 0};
  EXPECT_EQ(maps.runs[0].work, full_map);
  EXPECT_EQ(maps.runs[1].count, 1u);
  EXPECT_EQ(maps.runs[1].work, last_map);

  const Stage& reduces = job.stages[1];
  EXPECT_EQ(reduces.kind, StageKind::reduce);
  ASSERT_EQ(reduces.runs.size(), 2u);
  EXPECT_EQ(reduces.runs[0].count, 2u);
  // 2 s + 833,333,333 / 2 + 3 / 5 µs, and 833,333,334 / 2 + 4 / 5 µs.
  const Work reduce{microseconds(418'666'667), microseconds(418'666'667), 819, 0, 833'333'333, 3};
  const Work last{microseconds(418'666'668), microseconds(418'666'668), 819, 0, 833'333'334, 4};
  EXPECT_EQ(reduces.runs[0].work, reduce);
  EXPECT_EQ(reduces.runs[1].work, last);
}

TEST(SwimReader, LetsMapsWriteTheOutputWhereNothingIsShuffled) {
  const ReadTrace trace = read_trace("job0\t0\t0\t134217728\t0\t50\n", plain_rules());
  ASSERT_EQ(trace.jobs[0].stages.size(), 1u);
  const Stage& maps = trace.jobs[0].stages[0];
  ASSERT_EQ(maps.runs.size(), 1u);
  EXPECT_EQ(maps.runs[0].count, 1u);
  EXPECT_EQ(maps.runs[0].work.output_bytes, 50);
  EXPECT_EQ(maps.runs[0].work.duration, microseconds(1'000'000 + 134'217'728 + 10));
}

TEST(SwimReader, GivesAJobWithoutInputOneMap) {
  const ReadTrace trace = read_trace("job0\t0\t0\t0\t0\t0\n", plain_rules());
  const Stage& maps = trace.jobs[0].stages[0];
  EXPECT_EQ(task_count(maps), 1u);
  EXPECT_EQ(work_of(maps, 0).duration, seconds(1));
  EXPECT_EQ(work_of(maps, 0).input_bytes, 0);
}

TEST(SwimReader, LeavesJobsWithoutInputOutIfTheRuleSaysSo) {
  const ReadTrace trace =
      read_trace("job0\t0\t0\t0\t9\t9\njob1\t1\t1\t5\t0\t0\n", with_rule("swim.no_input", "drop"));
  ASSERT_EQ(trace.jobs.size(), 1u);
  EXPECT_EQ(trace.jobs[0].name, "job1");
  EXPECT_EQ(trace.jobs[0].id, JobId(0u));
  ASSERT_EQ(trace.report.left_out.size(), 1u);
  EXPECT_EQ(trace.report.left_out[0].name, "swim.no_input");
  EXPECT_EQ(trace.report.left_out[0].count, 1u);
  EXPECT_EQ(trace.report.rows, 2u);
}

// Bytes are neither lost nor made by splitting.
TEST(SwimReader, KeepsEveryByte) {
  for (const std::int64_t bytes : {std::int64_t{1}, std::int64_t{134'217'727},
                                   std::int64_t{134'217'729}, std::int64_t{85'000'000'000'001}}) {
    const std::string text = fmt::format("job0\t0\t0\t{}\t{}\t{}\n", bytes, bytes, bytes);
    const ReadTrace trace = read_trace(text);
    std::int64_t input = 0;
    std::int64_t shuffle = 0;
    std::int64_t output = 0;
    for (const Stage& stage : trace.jobs.at(0).stages) {
      for (const TaskRun& run : stage.runs) {
        input += run.count * run.work.input_bytes;
        shuffle += run.count * run.work.shuffle_bytes;
        output += run.count * run.work.output_bytes;
      }
    }
    EXPECT_EQ(input, bytes);
    EXPECT_EQ(shuffle, bytes);
    EXPECT_EQ(output, bytes);
  }
}

TEST(SwimReader, LimitsTheNumberOfReduces) {
  const ReadTrace trace = read_trace("job0\t0\t0\t1\t85000000000000\t1\n");
  EXPECT_EQ(task_count(trace.jobs[0].stages[1]), 999u);
}

TEST(SwimReader, TakesInputPaths) {
  const ReadTrace trace = read_trace(
      "job0\t1\t1\t2267942\t0\t1937944\tinputPath1\t\t\n"
      "job1\t2\t1\t20\t12\t14\tinputPath2\toutputPath9\n"
      "job2\t3\t1\t20\t12\t14\tinputPath2\n");
  EXPECT_EQ(trace.jobs[0].stages[0].input_path, "inputPath1");
  EXPECT_EQ(trace.jobs[1].stages[0].input_path, "inputPath2");
  EXPECT_EQ(trace.jobs[1].stages[1].input_path, "");
  EXPECT_EQ(trace.jobs[2].stages[0].input_path, "inputPath2");
}

// A job object that held another job before must not keep anything of it.
TEST(SwimReader, LeavesNothingOfTheJobBeforeInAReusedOne) {
  Names names;
  const std::string_view text =
      "job0\t1\t1\t999999999\t99\t99\tinputPath1\t\t\n"
      "job1\t2\t1\t20\t0\t0\t\t\t\n";
  const auto reader = open_trace("t", bytes_in_memory(text), {}, names);
  Job reused;
  ASSERT_TRUE(reader->next(reused));
  ASSERT_TRUE(reader->next(reused));
  const ReadTrace alone = read_trace(text);
  EXPECT_EQ(reused, alone.jobs[1]);
  EXPECT_EQ(reused.stages.size(), 1u);
  EXPECT_EQ(reused.stages[0].input_path, "");
}

TEST(SwimReader, KeepsTheFilesOwnZeroIfTheRuleSaysSo) {
  const std::string_view text = "job0\t49\t49\t1\t0\t0\njob1\t101\t52\t1\t0\t0\n";
  EXPECT_EQ(read_trace(text).jobs[1].submit, trace_time(52'000'000));
  EXPECT_EQ(read_trace(text, with_rule("trace.origin", "file")).jobs[1].submit,
            trace_time(101'000'000));
}

TEST(SwimReader, NotesGapsThatAreNotThoseOfTheSubmitTimes) {
  const ReadTrace trace = read_trace("job0\t49\t49\t1\t0\t0\njob1\t101\t7\t1\t0\t0\n");
  ASSERT_EQ(trace.report.notes.size(), 1u);
  EXPECT_EQ(trace.report.notes[0].count, 1u);
  EXPECT_EQ(trace.jobs[1].submit, trace_time(52'000'000));
}

TEST(SwimReader, SharesJobsAmongUsersBySeedAndQueuesByUser) {
  std::string text;
  for (int i = 0; i < 2000; ++i) text += fmt::format("job{}\t{}\t1\t1\t0\t0\n", i, i + 1);
  TraceOptions options = with_rule("swim.users", "4");
  options = with_rule("swim.queues", "even,odd", options);
  const ReadTrace trace = read_trace(text, options);
  std::vector<int> jobs(4);
  for (const Job& job : trace.jobs) {
    ++jobs[job.user.index()];
    EXPECT_EQ(job.queue.value(), job.user.value() % 2);
  }
  // Zipf with exponent 1 over 4 users: 12/25, 6/25, 4/25, 3/25 of 2000.
  EXPECT_NEAR(jobs[0], 960, 80);
  EXPECT_NEAR(jobs[1], 480, 70);
  EXPECT_NEAR(jobs[2], 320, 60);
  EXPECT_NEAR(jobs[3], 240, 50);
  EXPECT_EQ(trace.names.users.name(UserId(3u)), "user3");
  EXPECT_EQ(trace.names.queues.name(QueueId(1u)), "odd");
  EXPECT_EQ(read_trace(text, options).jobs, trace.jobs);
  EXPECT_NE(read_trace(text, with_rule("swim.user_seed", "2", options)).jobs, trace.jobs);
}

TEST(SwimReader, GivesEvenSharesWithoutSkew) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += fmt::format("job{}\t{}\t1\t1\t0\t0\n", i, i + 1);
  TraceOptions options = with_rule("swim.users", "2");
  options = with_rule("swim.user_skew", "0", options);
  int first = 0;
  for (const Job& job : read_trace(text, options).jobs) first += job.user == UserId(0u) ? 1 : 0;
  EXPECT_NEAR(first, 500, 60);
}

TEST(SwimReader, ToleratesBlankLinesCarriageReturnsAndAMissingLastLineEnd) {
  const ReadTrace trace = read_trace("\r\njob0\t0\t0\t1\t0\t0\r\n\njob1\t1\t1\t1\t0\t0");
  EXPECT_EQ(trace.jobs.size(), 2u);
  EXPECT_EQ(trace.report.notes.at(0).name, "blank lines");
  EXPECT_EQ(trace.report.notes.at(0).count, 2u);
}

TEST(SwimReader, ReadsSubmitTimesWithFractions) {
  const ReadTrace trace = read_trace("job0\t0\t0\t1\t0\t0\njob1\t1.25\t1.25\t1\t0\t0\n");
  EXPECT_EQ(trace.jobs[1].submit, trace_time(1'250'000));
}

TEST(SwimReader, SaysWhereARowIsBadAndWhy) {
  const std::string good = "job0\t10\t10\t1\t0\t0\n";
  const auto second = [&](const std::string& row) { return read_error(good + row + "\n"); };
  EXPECT_EQ(second("job1\t11\t1\t1\t0"),
            "t:2: row: expected 6 columns, or 7 to 9 with paths, separated by tabs, got 5 columns");
  EXPECT_THAT(second("job1\t11\t1\t1\t0\t0\ta\tb\t\t"), HasSubstr("got 10 columns"));
  EXPECT_EQ(second("job1\t11\t1\t1\t0\t0\tp\tq\tr"), "t:2: column 9: expected nothing, got 'r'");
  EXPECT_EQ(second("\t11\t1\t1\t0\t0"), "t:2: column 1 (job id): expected a name in UTF-8, got ''");
  EXPECT_EQ(second("job\xFF\t11\t1\t1\t0\t0"),
            "t:2: column 1 (job id): expected a name in UTF-8, got 'job\\xFF'");
  EXPECT_EQ(second("job1\t11\t1\t1\t0\t0\tp\xC3\t\t"),
            "t:2: column 7 (input path): expected a path in UTF-8, got 'p\\xC3'");
  EXPECT_EQ(second("job1\tnoon\t1\t1\t0\t0"),
            "t:2: column 2 (submit time): expected seconds, got 'noon'");
  EXPECT_EQ(second("job1\t-11\t1\t1\t0\t0"),
            "t:2: column 2 (submit time): expected 0 or more, got '-11'");
  EXPECT_EQ(second("job1\t1000000000001\t1\t1\t0\t0"),
            "t:2: column 2 (submit time): expected at most 1000000000000 s, got '1000000000001'");
  EXPECT_EQ(second("job1\t11\t1\t1.5\t0\t0"),
            "t:2: column 4 (map input bytes): expected a whole number of bytes, got '1.5'");
  EXPECT_EQ(second("job1\t11\t1\t1\t-1\t0"),
            "t:2: column 5 (shuffle bytes): expected 0 or more, got '-1'");
  EXPECT_EQ(second("job1\t11\t1\t1\t0\t9223372036854775808"),
            "t:2: column 6 (output bytes): expected at most 9223372036854775807 bytes, got "
            "'9223372036854775808'");
  EXPECT_EQ(second("job1\t9\t1\t1\t0\t0"),
            "t:2: submit time: expected 10 s or later, as in the row above (rule trace.order = "
            "any sorts), got 9 s");
  EXPECT_EQ(second("job1\t11\t1\t9223372036854775807\t0\t0"),
            "t:2: row: expected bytes for at most 10000000 tasks (rule trace.tasks_max), got bytes "
            "for 68719476736");
  EXPECT_EQ(second("job1\t11\t1\t1\t9223372036854775807\t9223372036854775807"),
            "no error");  // 999 reduces of 1.8 × 10^16 bytes: 190 years each, but in range
}

TEST(SwimReader, RefusesBytesWhoseTimeIsOutOfRange) {
  EXPECT_EQ(read_error("job0\t0\t0\t1\t9223372036854775807\t0\n",
                       with_rule("swim.reduces_max", "1", with_rule("swim.shuffle_rate", "0.001"))),
            "t:1: row: expected bytes that a task processes in 10^12 s, got more for each task "
            "than the rates of the rules allow");
}

TEST(SwimReader, SkipsBadRowsIfToldToAndCountsThem) {
  const ReadTrace trace = read_trace(
      "job0\t10\t10\t1\t0\t0\n"
      "job1\tx\t1\t1\t0\t0\n"
      "job2\t5\t1\t1\t0\t0\n"
      "job3\t12\t2\t1\t0\t0\n",
      skipping());
  ASSERT_EQ(trace.jobs.size(), 2u);
  EXPECT_EQ(trace.jobs[1].name, "job3");
  EXPECT_EQ(trace.jobs[1].id, JobId(1u));
  EXPECT_EQ(trace.bad_rows, 2u);
}

TEST(SwimReader, RefusesALineThatIsTooLongAndSaysWhich) {
  TraceOptions options = with_rule("trace.line_bytes_max", "1000");
  const std::string text =
      "job0\t0\t0\t1\t0\t0\n" + std::string(2'000'000, '1') + "\n" + "job2\t3\t3\t1\t0\t0\n";
  EXPECT_EQ(read_error(text, options),
            "t:2: line at byte 15: expected at most 1000 bytes, got a longer one");
  options.skip_bad = true;
  EXPECT_EQ(read_trace(text, options).jobs.size(), 2u);
  EXPECT_EQ(read_error(std::string(2'000'000, '1'), options),
            "t:1: line at byte 0: expected at most 1000 bytes, got a longer one");
}

TEST(SwimReader, ReportsATruncatedFileWithItsLine) {
  std::string text;
  for (int i = 0; i < 500; ++i) text += fmt::format("job{}\t{}\t1\t1\t{}\t0\n", i, i, i * i);
  const std::string whole = testing::gzip(text);
  const std::string_view cut = std::string_view(whole).substr(0, whole.size() / 2);
  EXPECT_THAT(read_error(cut),
              ::testing::MatchesRegex("t:[0-9]+: line: expected a whole file, got its first [0-9]+ "
                                      "bytes of text: the gzip data ends early: the file is "
                                      "truncated"));
  EXPECT_EQ(read_error(cut, skipping()), read_error(cut));  // no bad row among others
  EXPECT_EQ(read_trace(whole).jobs.size(), 500u);
  EXPECT_EQ(read_trace(testing::zstd(text)).jobs, read_trace(text).jobs);
}

}  // namespace
}  // namespace tracebed
