#include "traces/swf_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "traces/trace_texts.h"

namespace tracebed {
namespace {

using testing::read_error;
using testing::read_trace;
using testing::ReadTrace;
using testing::skipping;
using testing::with_rule;

// A row with every column known, but for what a test sets.
struct Row {
  std::string job = "1", submit = "0", wait = "5", run = "100", allocated = "4", cpu = "90",
              used_memory = "1024", requested = "8", requested_time = "200",
              requested_memory = "2048", status = "1", user = "12", group = "3", executable = "7",
              queue = "2", partition = "1", preceding = "-1", think = "-1";
  std::string text() const {
    std::string line;
    for (const std::string* column :
         {&job, &submit, &wait, &run, &allocated, &cpu, &used_memory, &requested, &requested_time,
          &requested_memory, &status, &user, &group, &executable, &queue, &partition, &preceding,
          &think}) {
      line += " " + *column;
    }
    return line + "\n";
  }
};

Job only_job(const Row& row, const TraceOptions& options = {}) {
  const ReadTrace trace = read_trace(row.text(), options);
  EXPECT_EQ(trace.jobs.size(), 1u);
  return trace.jobs.empty() ? Job() : trace.jobs[0];
}

const TaskRun& tasks_of(const Job& job) {
  return job.stages.at(0).runs.at(0);
}

// Whether the row is left out, and by which rule.
std::string left_out(const Row& row, const TraceOptions& options = {}) {
  const ReadTrace trace = read_trace(row.text(), options);
  EXPECT_EQ(trace.jobs.size() + trace.report.left_out.size(), 1u);
  return trace.report.left_out.empty() ? "" : trace.report.left_out[0].name;
}

TEST(SwfReader, MakesARowOneGang) {
  const ReadTrace trace = read_trace(Row{}.text());
  ASSERT_EQ(trace.jobs.size(), 1u);
  const Job& job = trace.jobs[0];
  EXPECT_EQ(job.name, "1");
  EXPECT_EQ(job.kind, JobKind::rigid);
  EXPECT_EQ(job.requested_time, seconds(200));
  EXPECT_EQ(trace.names.users.name(job.user), "user12");
  EXPECT_EQ(trace.names.queues.name(job.queue), "queue2");
  ASSERT_EQ(job.stages.size(), 1u);
  EXPECT_EQ(job.stages[0].kind, StageKind::gang);
  EXPECT_EQ(job.stages[0].demand, Resources(1000, 2));  // 2048 KB is 2 MiB
  EXPECT_EQ(tasks_of(job).count, 8u);                   // the requested ones
  const Work work{seconds(100), seconds(90), 1, 0, 0, 0};
  EXPECT_EQ(tasks_of(job).work, work);
}

TEST(SwfReader, FallsBackBetweenTheProcessorColumns) {
  Row row;
  row.requested = "-1";
  EXPECT_EQ(tasks_of(only_job(row)).count, 4u);
  row = {};
  row.allocated = "-1";
  EXPECT_EQ(tasks_of(only_job(row, with_rule("swf.processors", "allocated"))).count, 8u);
  EXPECT_EQ(tasks_of(only_job(Row{}, with_rule("swf.processors", "allocated"))).count, 4u);
  row.requested = "0";  // no job has none
  row.allocated = "-1";
  EXPECT_EQ(tasks_of(only_job(row)).count, 1u);
  EXPECT_EQ(left_out(row, with_rule("swf.no_processors", "drop")), "swf.no_processors");
}

TEST(SwfReader, TakesTheRunTimeAsTheLimitWhereNoneWasRequested) {
  Row row;
  row.requested_time = "-1";
  EXPECT_EQ(only_job(row).requested_time, seconds(100));
  EXPECT_EQ(only_job(row, with_rule("swf.limit_factor", "2.5")).requested_time, seconds(250));
  row.requested_time = "0";
  EXPECT_EQ(only_job(row).requested_time, seconds(100));
}

TEST(SwfReader, FollowsTheRulesForRunTimesThatAreNotPositive) {
  Row zero;
  zero.run = "0";
  EXPECT_EQ(tasks_of(only_job(zero)).work.duration, seconds(1));
  EXPECT_EQ(left_out(zero, with_rule("swf.zero_run_time", "drop")), "swf.zero_run_time");
  Row unknown;
  unknown.run = "-1";
  EXPECT_EQ(left_out(unknown), "swf.unknown_run_time");
  EXPECT_EQ(
      tasks_of(only_job(unknown, with_rule("swf.unknown_run_time", "one_second"))).work.duration,
      seconds(1));
  const TraceOptions requested = with_rule("swf.unknown_run_time", "requested");
  EXPECT_EQ(tasks_of(only_job(unknown, requested)).work.duration, seconds(200));
  unknown.requested_time = "-1";
  EXPECT_EQ(left_out(unknown, requested), "swf.unknown_run_time");
}

TEST(SwfReader, KeepsOrCutsARunAboveItsLimit) {
  Row row;
  row.run = "300";
  row.cpu = "290";
  EXPECT_EQ(tasks_of(only_job(row)).work.duration, seconds(300));
  EXPECT_EQ(only_job(row).requested_time, seconds(200));
  const Job cut = only_job(row, with_rule("swf.over_limit", "cut"));
  EXPECT_EQ(tasks_of(cut).work.duration, seconds(200));
  EXPECT_EQ(tasks_of(cut).work.cpu_time, seconds(200));
}

TEST(SwfReader, TakesCpuTimeFromItsColumnUpToTheRunTime) {
  Row row;
  row.cpu = "552.21";
  row.run = "553";
  EXPECT_EQ(tasks_of(only_job(row)).work.cpu_time, microseconds(552'210'000));
  row.cpu = "43307";
  row.run = "43306";
  EXPECT_EQ(tasks_of(only_job(row)).work.cpu_time, seconds(43306));
  row.cpu = "-1";
  EXPECT_EQ(tasks_of(only_job(row)).work.cpu_time, seconds(43306));
  row.cpu = "0";
  EXPECT_EQ(tasks_of(only_job(row)).work.cpu_time, seconds(0));
  EXPECT_EQ(tasks_of(only_job(row, with_rule("swf.cpu_time", "run_time"))).work.cpu_time,
            seconds(43306));
}

TEST(SwfReader, TakesMemoryFromTheColumnsInTheirOrder) {
  const auto demand = [](const Row& row, const TraceOptions& options = {}) {
    return only_job(row, options).stages.at(0).demand.memory_mib();
  };
  const auto touched = [](const Row& row, const TraceOptions& options = {}) {
    return tasks_of(only_job(row, options)).work.memory_mib;
  };
  Row row;
  row.requested_memory = "2049";  // rounded up
  row.used_memory = "1025";
  EXPECT_EQ(demand(row), 3);
  EXPECT_EQ(touched(row), 2);
  EXPECT_EQ(demand(row, with_rule("swf.memory", "used")), 2);
  row.requested_memory = "-1";
  EXPECT_EQ(demand(row), 2);
  row.used_memory = "-1";
  EXPECT_EQ(demand(row), 1024);
  EXPECT_EQ(touched(row), 819);
  EXPECT_EQ(demand(row, with_rule("swf.processor_memory_mib", "10")), 10);
  row.requested_memory = "1024";
  row.used_memory = "5000";  // more than asked for: it ran, so what was given sufficed
  EXPECT_EQ(touched(row), 1);
}

TEST(SwfReader, GivesProcessorsTheVcoresOfTheRule) {
  const Job job = only_job(Row{}, with_rule("swf.processor_vcores", "0.5"));
  EXPECT_EQ(job.stages[0].demand.milli_vcores(), 500);
}

TEST(SwfReader, NamesUsersAndQueuesByTheColumnsOfTheRules) {
  const auto names = [](const Row& row, const TraceOptions& options) {
    const ReadTrace trace = read_trace(row.text(), options);
    return trace.names.users.name(trace.jobs.at(0).user) + " " +
           trace.names.queues.name(trace.jobs.at(0).queue);
  };
  EXPECT_EQ(names({}, {}), "user12 queue2");
  EXPECT_EQ(names({}, with_rule("swf.user", "group")), "group3 queue2");
  EXPECT_EQ(names({}, with_rule("swf.user", "one")), "user0 queue2");
  EXPECT_EQ(names({}, with_rule("swf.queue", "partition")), "user12 partition1");
  EXPECT_EQ(names({}, with_rule("swf.queue", "group")), "user12 group3");
  EXPECT_EQ(names({}, with_rule("swf.queue", "user")), "user12 user12");
  EXPECT_EQ(names({}, with_rule("swf.queue", "one")), "user12 default");
  Row unknown;
  unknown.user = "-1";
  unknown.queue = "-1";
  EXPECT_EQ(names(unknown, {}), "unknown default");
}

TEST(SwfReader, InternsLargeAndRepeatedNumbersOnce) {
  std::string text;
  for (const char* user : {"7", "4000000000", "7", "4000000000", "-1", "8"}) {
    Row row;
    row.user = user;
    text += row.text();
  }
  const ReadTrace trace = read_trace(text);
  EXPECT_EQ(trace.names.users.size(), 4u);
  EXPECT_EQ(trace.jobs[1].user, trace.jobs[3].user);
  EXPECT_EQ(trace.names.users.name(trace.jobs[3].user), "user4000000000");
}

TEST(SwfReader, CountsTimeFromTheFirstJobItMakes) {
  Row early;
  early.submit = "599850";
  early.run = "-1";  // left out
  Row first;
  first.submit = "599900";
  Row second;
  second.submit = "600000.25";
  const std::string text = early.text() + first.text() + second.text();
  const ReadTrace trace = read_trace(text);
  EXPECT_EQ(trace.jobs.at(0).submit, trace_time(0));
  EXPECT_EQ(trace.jobs.at(1).submit, trace_time(100'250'000));
  EXPECT_EQ(read_trace(text, with_rule("trace.origin", "file")).jobs.at(0).submit,
            trace_time(599'900'000'000));
}

TEST(SwfReader, TakesHeadersWithRepeatedKeysWithoutColonsAndAnywhere) {
  const std::string text =
      "; Version: 2.2\n;\n; Queue: 1 [fque:1] \n; Queue: 2\n"
      ";   http://www.cs.huji.ac.il/labs/parallel/workload/\n; just words\n"
      "; MaxProcs: many\n; MaxProcs: 240 (of 256)\n; MaxNodes: 120\n" +
      Row{}.text() + "; between rows: yes\n  ; indented\n" + Row{}.text() + " \n";
  Names names;
  SwfReader reader(LineReader("t", bytes_in_memory(text)), {}, false, names);
  Job job;
  while (reader.next(job)) {
  }
  const LoadReport report = reader.report();
  EXPECT_EQ(report.jobs, 2u);
  ASSERT_EQ(report.notes.size(), 2u);
  EXPECT_EQ(report.notes[0].name, "blank lines");
  EXPECT_EQ(report.notes[0].count, 1u);
  EXPECT_EQ(report.notes[1].name, "header lines without a key");
  EXPECT_EQ(report.notes[1].count, 3u);  // "just words", "between rows: yes" and "indented"
  EXPECT_EQ(reader.recorded_vcores(), 240.0);
  EXPECT_EQ(reader.rows().headers().size(), 10u);
}

TEST(SwfReader, TakesMaxNodesWhereMaxProcsIsMissing) {
  Names names;
  const std::string text = "; MaxNodes: 128\n" + Row{}.text();
  SwfReader reader(LineReader("t", bytes_in_memory(text)), {}, false, names);
  Job job;
  ASSERT_TRUE(reader.next(job));
  EXPECT_EQ(reader.recorded_vcores(), 128.0);
}

TEST(SwfReader, ToleratesTabsCarriageReturnsAndFractionsOfTimes) {
  const ReadTrace trace =
      read_trace("1\t0.5\t-1.00\t10.25\t4\t-1\t-1\t4\t-1\t-1\t1\t1\t1\t-1\t-1\t-1\t-1\t-1 \r\n");
  ASSERT_EQ(trace.jobs.size(), 1u);
  EXPECT_EQ(tasks_of(trace.jobs[0]).work.duration, microseconds(10'250'000));
}

TEST(SwfReader, SaysWhereARowIsBadAndWhy) {
  const auto error = [](const Row& row) { return read_error(Row{}.text() + row.text()); };
  const auto with = [](auto set) {
    Row row;
    set(row);
    return row;
  };
  EXPECT_EQ(error(with([](Row& row) { row.think = ""; })),
            "t:2: row: expected 18 columns, got 17 columns");
  EXPECT_EQ(error(with([](Row& row) { row.think = "-1 {host1,host2} q_1d 2:ppn=4"; })),
            "t:2: row: expected 18 columns (rule swf.more_columns = ignored reads these), got 21 "
            "columns");
  EXPECT_EQ(error(with([](Row& row) { row.run = "1o"; })),
            "t:2: column 4 (run time): expected a number, got '1o'");
  EXPECT_EQ(error(with([](Row& row) { row.run = "nan"; })),
            "t:2: column 4 (run time): expected a number, got 'nan'");
  EXPECT_EQ(error(with([](Row& row) { row.run = "-1356996147"; })),
            "t:2: column 4 (run time): expected 0 or more, or -1 for unknown, got -1356996147");
  EXPECT_EQ(error(with([](Row& row) { row.submit = "-1"; })),
            "t:2: column 2 (submit time): expected 0 or more, got -1");
  EXPECT_EQ(error(with([](Row& row) { row.requested = "1.5"; })),
            "t:2: column 8 (requested processors): expected a whole number, got 1.5");
  EXPECT_EQ(error(with([](Row& row) { row.used_memory = "9000000000001"; })),
            "t:2: column 7 (used memory): expected a number up to 9000000000000, got "
            "'9000000000001'");
  EXPECT_EQ(error(with([](Row& row) { row.run = "1000000000001"; })),
            "t:2: column 4 (run time): expected at most 1000000000000 s, got 1000000000001 s");
  EXPECT_EQ(error(with([](Row& row) { row.requested = "10000001"; })),
            "t:2: processors: expected at most 10000000 (rule trace.tasks_max), got 10000001");
  Row later;
  later.submit = "9";
  EXPECT_EQ(read_error(later.text() + Row{}.text()),
            "t:2: submit time: expected 9 s or later, as in the row above (rule trace.order = "
            "any sorts), got 0 s");
}

// Some logs have 19 (CQGym's) or 21 (wagap's).
TEST(SwfReader, ReadsTheFirstEighteenColumnsOfMoreByRule) {
  const TraceOptions ignoring = with_rule("swf.more_columns", "ignored");
  for (const char* const more : {"-1 7", "-1 7 8 9", "-1\t{host1,host2} q_1d 2:ppn=4 "}) {
    Row row;
    row.think = more;
    EXPECT_EQ(only_job(row, ignoring), only_job(Row{})) << more;
  }
  // They are told to be SWF, and what is wrong with one is wrong as ever.
  Row bad;
  bad.submit = "1356996147";
  bad.run = "-1356996147";
  bad.think = "-1 7";
  Row good;
  good.submit = "1356996148";
  good.think = "-1 7";
  EXPECT_EQ(read_error(bad.text(), ignoring),
            "t:1: column 4 (run time): expected 0 or more, or -1 for unknown, got -1356996147");
  TraceOptions skipping = ignoring;
  skipping.skip_bad = true;
  const ReadTrace trace = read_trace(bad.text() + good.text(), skipping);
  EXPECT_EQ(trace.bad_rows, 1u);
  EXPECT_EQ(trace.jobs.size(), 1u);
}

TEST(SwfReader, SkipsBadRowsIfToldToAndCountsThemByReason) {
  Row bad;
  bad.run = "x";
  Row early;
  early.submit = "3";
  Row late;
  late.submit = "9";
  const ReadTrace trace =
      read_trace(late.text() + bad.text() + early.text() + "1 2 3\n" + late.text(), skipping());
  EXPECT_EQ(trace.jobs.size(), 2u);
  EXPECT_EQ(trace.bad_rows, 3u);
}

TEST(SwfReader, BoundsWhatTheLargestNumbersMake) {
  Row row;
  row.submit = row.run = row.requested_time = "1000000000000";
  row.requested_time = "-1";
  const Job job = only_job(row, with_rule("swf.limit_factor", "1000"));
  EXPECT_EQ(job.requested_time, std::chrono::seconds(1'000'000'000'000));
  EXPECT_EQ(tasks_of(job).work.duration, std::chrono::seconds(1'000'000'000'000));
}

TEST(SwfReader, LeavesNothingOfTheJobBeforeInAReusedOne) {
  Row second;
  second.job = "2";
  second.requested = "1";
  second.cpu = second.used_memory = second.requested_memory = second.user = "-1";
  const std::string text = Row{}.text() + second.text();
  Names names;
  const auto reader = open_trace("t", bytes_in_memory(text), {}, names);
  Job reused;
  reused.stages.resize(3);
  reused.stages[0].input_path = "left over";
  ASSERT_TRUE(reader->next(reused));
  ASSERT_TRUE(reader->next(reused));
  EXPECT_EQ(reused, read_trace(text).jobs[1]);
  EXPECT_EQ(reused.stages.size(), 1u);
  EXPECT_EQ(reused.stages[0].input_path, "");
}

// One that was cancelled while it waited used nothing; one that ran held its processors.
TEST(SwfStatus, CancelledJobsAreReplayedIfTheyRan) {
  const auto cancelled = [](const char* run, const char* allocated) {
    Row row;
    row.status = "5";
    row.run = run;
    row.allocated = allocated;
    return row;
  };
  EXPECT_EQ(left_out(cancelled("0", "-1")), "swf.cancelled");
  EXPECT_EQ(left_out(cancelled("0", "0")), "swf.cancelled");
  EXPECT_EQ(left_out(cancelled("-1", "-1")), "swf.cancelled");
  EXPECT_EQ(left_out(cancelled("60", "-1")), "");
  EXPECT_EQ(left_out(cancelled("0", "4")), "");
  EXPECT_EQ(left_out(cancelled("60", "4"), with_rule("swf.cancelled", "drop")), "swf.cancelled");
  EXPECT_EQ(left_out(cancelled("0", "-1"), with_rule("swf.cancelled", "keep")), "");
}

TEST(SwfStatus, PartialExecutionsAreLeftOutForTheirJobHasARowToo) {
  for (const char* const status : {"2", "3", "4"}) {
    Row row;
    row.status = status;
    EXPECT_EQ(left_out(row), "swf.partial") << status;
    EXPECT_EQ(left_out(row, with_rule("swf.partial", "keep")), "") << status;
  }
  for (const char* const status : {"-1", "0", "1"}) {
    Row row;
    row.status = status;
    EXPECT_EQ(left_out(row), "") << status;
  }
}

// Some logs have a list where the format has one number.
TEST(SwfPreceding, IsOneJobOrAListAndAThinkTime) {
  const auto predecessors = [](const char* preceding, const char* think,
                               const TraceOptions& options = {}) {
    Row row;
    row.preceding = preceding;
    row.think = think;
    Names names;
    const auto reader = open_trace("t", bytes_in_memory(row.text()), options, names);
    Job job;
    EXPECT_TRUE(reader->next(job));
    const NamedPredecessors* const named = reader->predecessors();
    return named == nullptr ? NamedPredecessors{{-1}, {}} : *named;
  };
  using Jobs = std::vector<std::int64_t>;
  EXPECT_EQ(predecessors("-1", "30").jobs, Jobs{});
  EXPECT_EQ(predecessors("4", "30"), (NamedPredecessors{{4}, seconds(30)}));
  EXPECT_EQ(predecessors("4", "-1"), (NamedPredecessors{{4}, Duration{}}));
  EXPECT_EQ(predecessors("4&5&6", "30"), (NamedPredecessors{{4, 5, 6}, seconds(30)}));
  EXPECT_EQ(predecessors("4", "30", with_rule("swf.preceding", "ignore")).jobs, Jobs{-1});
  EXPECT_EQ(predecessors("4&5", "30", with_rule("trace.order", "any")),
            (NamedPredecessors{{4, 5}, seconds(30)}))
      << "through the sorter";
  for (const char* const wrong : {"4&", "&4", "4&&5", "4&x", "4&-5", "4;5"}) {
    Row row;
    row.preceding = wrong;
    TraceOptions asked;  // not every one is told from other formats
    asked.format = "swf";
    EXPECT_THAT(read_error(row.text(), asked),
                ::testing::HasSubstr("column 17 (preceding job): expected"))
        << wrong;
  }
}

// 2 MiB for each of 8 processors, in bytes; one byte more is a MiB more.
TEST(SwfMemory, IsInTheUnitOfTheRule) {
  const auto demand = [](const char* memory, const char* unit) {
    Row row;
    row.requested_memory = memory;
    return only_job(row, with_rule("swf.memory_unit", unit)).stages[0].demand.memory_mib();
  };
  EXPECT_EQ(demand("2048", "kb"), 2);
  EXPECT_EQ(demand("2097152", "bytes"), 2);
  EXPECT_EQ(demand("2097153", "bytes"), 3);
  EXPECT_EQ(demand("16777216", "job_bytes"), 2);
  EXPECT_EQ(demand("16777217", "job_bytes"), 3);
  EXPECT_EQ(demand("1", "job_bytes"), 1);
}

}  // namespace
}  // namespace tracebed
