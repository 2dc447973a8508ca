// How much work the tasks of Alibaba's tables are: from when on it counts, and how long instances
// last, by batch_instance or by rule.
#include "traces/csv/alibaba_work.h"

#include <algorithm>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/input_error.h"
#include "core/random.h"
#include "traces/csv/alibaba_needs.h"
#include "traces/trace_info.h"
#include "traces/trace_texts.h"

namespace tracebed::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A map of 20 s, and a reduce that was registered with it and ended 10 s after it.
constexpr std::string_view map_and_reduce =
    "M1,1,j,1,Terminated,500,520,100,0.5\n"
    "R2_1,1,j,1,Terminated,500,530,100,0.5\n";

std::vector<Duration> longest_of_stages(const Job& job) {
  std::vector<Duration> longest;
  for (const Stage& stage : job.stages) longest.push_back(stage.runs.front().work.duration);
  return longest;
}

std::uint64_t counted(const std::vector<TraceCount>& counts, std::string_view name) {
  for (const TraceCount& each : counts) {
    if (each.name == name) return each.count;
  }
  return 0;
}

TEST(AlibabaWork, CountsFromTheLatestEndOfWhatATaskNeeds) {
  const Job job = read_trace(map_and_reduce).jobs.at(0);
  EXPECT_THAT(longest_of_stages(job), ElementsAre(seconds(20), seconds(10)));
  EXPECT_EQ(ideal_duration(job), seconds(30));
  const Job registered =
      read_trace(map_and_reduce, with_rule("alibaba.work_start", "registered")).jobs.at(0);
  EXPECT_EQ(ideal_duration(registered), seconds(50));
}

// Of two that it needs the later one; one that it does not need ends later still.
TEST(AlibabaWork, CountsFromItsOwnStartIfThatIsLater) {
  const Job job = read_trace(
                      "M1,1,j,1,Terminated,0,10,100,1\n"
                      "M2,1,j,1,Terminated,0,40,100,1\n"
                      "M3,1,j,1,Terminated,0,90,100,1\n"
                      "J4_2_1,1,j,1,Terminated,0,60,100,1\n"
                      "R5_1,1,j,1,Terminated,15,60,100,1\n")
                      .jobs.at(0);
  EXPECT_THAT(longest_of_stages(job),
              ElementsAre(seconds(10), seconds(40), seconds(90), seconds(20), seconds(45)));
}

TEST(AlibabaWork, OfATaskBehindOneWithoutAnEndCountsFromWhatThatNeeds) {
  const Job job = read_trace(
                      "M1,1,j,1,Terminated,0,30,100,1\n"
                      "R2_1,1,j,1,Running,0,0,100,1\n"
                      "R3_2,1,j,1,Terminated,0,50,100,1\n")
                      .jobs.at(0);
  EXPECT_THAT(longest_of_stages(job), ElementsAre(seconds(30), seconds(20)));
}

TEST(AlibabaWork, ThatEndedBeforeWhatItNeedsTakesASecondAndIsCounted) {
  const ReadTrace trace = read_trace(
      "M1,1,j,1,Terminated,0,30,100,1\n"
      "R2_1,1,j,1,Terminated,0,20,100,1\n");
  EXPECT_THAT(longest_of_stages(trace.jobs.at(0)), ElementsAre(seconds(30), seconds(1)));
  EXPECT_EQ(counted(trace.report.notes,
                    "tasks that ended no later than one they need, which take a second"),
            1u);
}

TEST(AlibabaWork, OfInstancesIsAsMeasuredByTheirNumber) {
  EXPECT_EQ(instance_share(1), 1);
  EXPECT_EQ(instance_share(5), 0.73);
  EXPECT_EQ(instance_share(6), 0.68);
  EXPECT_EQ(instance_share(21), 0.59);
  EXPECT_EQ(instance_share(1000), 0.46);
  EXPECT_EQ(instance_share(1001), 0.26);
  // Ten instances in a window of 100 s: 0.68 × 10 × 100 s in all, of which one has 100 s.
  const std::string_view row = "M1,10,j,1,Terminated,0,100,200,1\n";
  const Job job = read_trace(row).jobs.at(0);
  ASSERT_EQ(job.stages[0].runs.size(), 2u);
  EXPECT_EQ(job.stages[0].runs[0].count, 1u);
  EXPECT_EQ(job.stages[0].runs[0].work.duration, seconds(100));
  EXPECT_EQ(job.stages[0].runs[1].count, 9u);
  EXPECT_EQ(job.stages[0].runs[1].work.duration, microseconds(64'444'444));
  const Job windows = read_trace(row, with_rule("alibaba.instance_time", "window")).jobs.at(0);
  ASSERT_EQ(windows.stages[0].runs.size(), 1u);
  EXPECT_EQ(windows.stages[0].runs[0].count, 10u);
  EXPECT_EQ(windows.stages[0].runs[0].work.duration, seconds(100));
}

// With the rule 2 vcores × 680 s; by whole windows 2 × 1000 s.
TEST(AlibabaWork, IsToldWithTheRulesAndWithoutThem) {
  const TemporaryFolder folder;
  const std::string path =
      folder.write("a.csv", "M1,10,k,1,Terminated,0,100,200,1\n" + std::string(map_and_reduce));
  const TraceInfo info = measure_trace(path, {});
  EXPECT_NEAR(info.vcore_seconds, 1360 + 20 + 10, 0.001);
  ASSERT_EQ(info.rule_effects.size(), 2u);
  EXPECT_EQ(info.rule_effects[0].rule, "alibaba.instance_time");
  EXPECT_NEAR(info.rule_effects[0].vcore_seconds, 2000 + 20 + 10, 0.001);
  EXPECT_EQ(info.rule_effects[1].rule, "alibaba.work_start");
  EXPECT_NEAR(info.rule_effects[1].vcore_seconds, 1360 + 20 + 30, 0.001);
  EXPECT_THAT(to_text(info), HasSubstr("with alibaba.instance_time = window it would be 0.564 "
                                       "vcore-hours, 1.46 times as much"));
  const TraceInfo windows = measure_trace(path, with_rule("alibaba.instance_time", "window"));
  EXPECT_NEAR(windows.vcore_seconds, info.rule_effects[0].vcore_seconds, 0.001);
  const TraceInfo registered = measure_trace(path, with_rule("alibaba.work_start", "registered"));
  EXPECT_NEAR(registered.vcore_seconds, info.rule_effects[1].vcore_seconds, 0.001);
}

TEST(AlibabaWork, OfATaskOf2017ThatStillRunsIsNotKnown) {
  const std::string_view rows =
      "5,25,3,1,1,Terminated,50,0.5\n"
      "5,40,3,2,1,Running,50,0.5\n"
      "5,41,3,3,1,Waiting,50,0.5\n";
  const ReadTrace trace = read_trace(rows);
  ASSERT_EQ(trace.jobs.at(0).stages.size(), 1u);
  EXPECT_EQ(counted(trace.report.left_out, "alibaba.unfinished"), 2u);
  const Job kept = read_trace(rows, with_rule("alibaba.unfinished", "one_second")).jobs.at(0);
  EXPECT_THAT(longest_of_stages(kept), ElementsAre(seconds(20), seconds(1), seconds(1)));
}

// A name of 50 characters, of which the last number may have been cut off.
TEST(AlibabaNames, ThatMayBeCutLeaveTheJobOutOrTheLastNeed) {
  std::string name = "R9";
  for (int i = 10; name.size() + 3 <= 49; ++i) name += "_" + std::to_string(i);
  name += "_7";
  name.resize(50, '7');
  ASSERT_TRUE(may_be_cut(name));
  EXPECT_FALSE(may_be_cut(name.substr(0, 49)));
  EXPECT_FALSE(may_be_cut("task_" + std::string(60, 'a')));
  const std::string rows = "M1,1,j,1,Terminated,0,30,100,1\n" +
                           ("M" + name.substr(name.rfind('_') + 1)) +
                           ",1,j,1,Terminated,0,20,100,1\n" + name +
                           ",1,j,1,Terminated,0,50,100,1\nM1,1,k,1,Terminated,0,30,100,1\n";
  const ReadTrace trace = read_trace(rows);
  EXPECT_EQ(trace.jobs.size(), 1u);
  EXPECT_EQ(counted(trace.report.left_out, "alibaba.cut_names"), 1u);
  const ReadTrace known = read_trace(rows, with_rule("alibaba.cut_names", "known_needs"));
  ASSERT_EQ(known.jobs.size(), 2u);
  EXPECT_TRUE(known.jobs[0].stages[2].needs.empty()) << "the last one is not trusted";
}

// ---- batch_instance ----

ReadTrace read_folder(const TemporaryFolder& folder, const TraceOptions& options = {}) {
  ReadTrace result;
  const auto reader = open_trace(folder.path().string(), options, result.names);
  for (Job job; reader->next(job);) result.jobs.push_back(job);
  result.report = reader->report();
  result.bad_rows = reader->bad_rows().total();
  return result;
}

std::string error_of(const TemporaryFolder& folder, const TraceOptions& options = {}) {
  try {
    read_folder(folder, options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

std::string instance(std::string_view task, std::string_view status, int start, int end,
                     std::string_view cpu = "", std::string_view memory = "",
                     std::string_view job = "j") {
  return fmt::format("i,{},{},1,{},{},{},m_1,1,1,{},,,{}\n", task, job, status, start, end, cpu,
                     memory);
}

TEST(AlibabaInstances, LastAsTheirTableSaysAndUseWhatItSays) {
  const TemporaryFolder folder;
  folder.write("batch_task.csv",
               "M1,3,j,1,Terminated,500,520,100,50\nR2_1,1,j,1,Terminated,500,530,100,50\n"
               "M1,2,k,1,Terminated,600,610,100,50\n");
  folder.write("batch_instance.csv", instance("R2_1", "Terminated", 505, 530) +
                                         instance("M1", "Terminated", 510, 520, "25", "12.5") +
                                         instance("M1", "Terminated", 501, 508) +
                                         instance("M1", "Failed", 501, 503) +
                                         instance("M1", "Terminated", 509, 509, "900") +
                                         instance("M9", "Terminated", 1, 2, "", "", "other"));
  const ReadTrace trace = read_folder(folder, with_rule("alibaba.machine_memory_mib", "1000"));
  ASSERT_EQ(trace.jobs.size(), 2u);
  const std::vector<TaskRun>& maps = trace.jobs[0].stages[0].runs;
  ASSERT_EQ(maps.size(), 3u);
  EXPECT_EQ(maps[0].work.duration, seconds(7));
  EXPECT_EQ(maps[1].work.duration, seconds(1)) << "0 s is less than the clock can tell";
  EXPECT_EQ(maps[1].work.cpu_time, seconds(1)) << "9 vcores are more than it asked for";
  EXPECT_EQ(maps[2].work.duration, seconds(10));
  EXPECT_EQ(maps[2].work.cpu_time, microseconds(2'500'000)) << "a quarter of a vcore";
  EXPECT_EQ(maps[2].work.memory_mib, 125) << "12.5 % of 1000 MiB";
  const std::vector<TaskRun>& reduces = trace.jobs[0].stages[1].runs;
  ASSERT_EQ(reduces.size(), 1u);
  EXPECT_EQ(reduces[0].work.duration, seconds(10)) << "until 520 it waited for the maps";
  EXPECT_EQ(trace.jobs[1].stages[0].runs.size(), 2u) << "by rule: one of 10 s, one of 4.6 s";
  EXPECT_EQ(trace.jobs[1].stages[0].runs[1].work.duration, milliseconds(4600));
  EXPECT_EQ(counted(trace.report.notes, "instances that last as batch_instance says"), 4u);
  EXPECT_EQ(counted(trace.report.notes, "instances that batch_instance does not have"), 2u);
  EXPECT_EQ(counted(trace.report.notes,
                    "rows of batch_instance that did not end as Terminated, which are left out"),
            1u);
}

TEST(AlibabaInstances, ThatTheTableLacksLastAsLongAsTheOthers) {
  const TemporaryFolder folder;
  folder.write("batch_task.csv", "M1,4,j,1,Terminated,0,20,100,50\n");
  folder.write("batch_instance.csv",
               instance("M1", "Terminated", 0, 10) + instance("M1", "Terminated", 0, 20));
  const std::vector<TaskRun> runs = read_folder(folder).jobs.at(0).stages[0].runs;
  ASSERT_EQ(runs.size(), 3u);
  EXPECT_EQ(runs[2].count, 2u);
  EXPECT_EQ(runs[2].work.duration, seconds(15));
}

TEST(AlibabaInstances, TellWhichStagesRanInWaves) {
  const TemporaryFolder folder;
  folder.write("batch_task.csv",
               "M1,2,j,1,Terminated,0,20,100,50\nM2,2,j,1,Terminated,0,20,100,50\n");
  folder.write("batch_instance.csv",
               instance("M1", "Terminated", 0, 9) + instance("M1", "Terminated", 11, 20) +
                   instance("M2", "Terminated", 0, 11) + instance("M2", "Terminated", 10, 20));
  const TraceInfo info = measure_trace(folder.path().string(), {});
  ASSERT_TRUE(info.spans.has_value());
  EXPECT_EQ(info.spans->stages, 2u);
  EXPECT_EQ(info.spans->stages_in_waves, 1u);
  EXPECT_EQ(info.spans->recorded_seconds, 20);
  EXPECT_EQ(info.spans->replayed_seconds, 11);
  EXPECT_THAT(info.format_reason, HasSubstr("a folder with batch_task and batch_instance"));
  EXPECT_THAT(to_text(info), HasSubstr("1 of 2 stages ran in waves"));
}

TEST(AlibabaInstances, Of2017HaveColumnsOfTheirOwn) {
  const TemporaryFolder folder;
  folder.write("batch_task.csv", "5,25,3,1,2,Terminated,100,0.5\n");
  folder.write("batch_instance.csv",
               "start_timestamp,end_timestamp,job_id,task_id,machineID,status,seq_no,"
               "total_seq_no,real_cpu_max,real_cpu_avg,real_mem_max,real_mem_avg\n"
               "5,12,3,1,77,Terminated,1,2,1.5,0.5,0.25,0.1\n6,25,3,1,78,Terminated,1,1,,,,\n");
  const ReadTrace trace = read_folder(folder, with_rule("alibaba.machine_memory_mib", "1000"));
  const std::vector<TaskRun>& runs = trace.jobs.at(0).stages[0].runs;
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[0].work.duration, seconds(7));
  EXPECT_EQ(runs[0].work.cpu_time, microseconds(3'500'000));
  EXPECT_EQ(runs[0].work.memory_mib, 250);
  EXPECT_EQ(runs[1].work.duration, seconds(19));
}

TEST(AlibabaInstances, AreRefusedWithTheirFileAndLine) {
  const TemporaryFolder folder;
  folder.write("batch_task.csv", "M1,4,j,1,Terminated,0,20,100,50\n");
  const auto error_with = [&](const std::string& rows) {
    folder.write("batch_instance.csv", rows);
    return error_of(folder);
  };
  const std::string good = instance("M1", "Terminated", 0, 10);
  EXPECT_THAT(error_with(good + "i,M1,j\n"),
              HasSubstr("batch_instance.csv:2: row: expected 14 columns, got 3 columns"));
  EXPECT_THAT(error_with(good + instance("M1", "Terminated", 9, 8)),
              HasSubstr("batch_instance.csv:2: column 7 (end_time): expected a time that is not "
                        "before its start"));
  EXPECT_THAT(error_with(good + instance("M1", "Terminated", 0, 8, "-5")),
              HasSubstr("batch_instance.csv:2: column 11 (cpu_avg): "));
  TraceOptions options;
  options.skip_bad = true;
  EXPECT_EQ(read_folder(folder, options).bad_rows, 1u);
  // What is wrong with a task is said of its own table.
  folder.write("batch_task.csv",
               "J1_2,1,j,1,Terminated,0,20,100,1\nJ2_1,1,j,1,Terminated,0,20,100,1\n");
  folder.write("batch_instance.csv", good);
  EXPECT_THAT(error_of(folder), HasSubstr("batch_task.csv:1: job j: expected tasks that can run"));
}

TEST(AlibabaInstances, AreReadOfAFolderWithOneFileOfEachTable) {
  const TemporaryFolder folder;
  EXPECT_THAT(error_of(folder),
              HasSubstr("or Alibaba's with batch_task.csv, got a folder without"));
  TraceOptions asked;
  asked.format = "alibaba2018";
  EXPECT_THAT(error_of(folder, asked), HasSubstr("a folder with batch_task.csv, got a directory"));
  folder.write("batch_task.csv.gz", gzip("M1,4,j,1,Terminated,0,20,100,50\n"));
  EXPECT_EQ(read_folder(folder).jobs.size(), 1u);
  EXPECT_EQ(files_of_trace(folder.path().string()).size(), 1u);
  folder.write("batch_instance.csv.zst", zstd(instance("M1", "Terminated", 0, 10)));
  EXPECT_EQ(task_count(read_folder(folder, asked).jobs.at(0).stages[0]), 4u);
  EXPECT_EQ(files_of_trace(folder.path().string()).size(), 2u);
  folder.write("batch_task.csv", "M1,4,j,1,Terminated,0,20,100,50\n");
  EXPECT_THAT(error_of(folder), HasSubstr("expected one file of the table batch_task, got "));
  const TemporaryFolder other;
  other.write("batch_task.csv", "1 2 3 4\n");
  EXPECT_THAT(error_of(other), HasSubstr("batch_task.csv: "));
}

// Whatever the order of the rows, and however little is sorted in memory.
TEST(AlibabaInstances, MayComeInAnyOrder) {
  const TemporaryFolder folder;
  std::string tasks;
  std::vector<std::string> rows;
  Random random(5);
  for (int job = 0; job < 40; ++job) {
    for (int task = 1; task <= 1 + job % 3; ++task) {
      const std::string name = task == 1 ? "M1" : fmt::format("R{}_{}", task, task - 1);
      tasks += fmt::format("{},4,j_{},1,Terminated,{},{},100,1\n", name, job, 100 * job,
                           100 * job + 30 * task);
      for (int i = 0; i < 4; ++i) {
        const auto start = 100 * job + static_cast<int>(random.below(20));
        rows.push_back(
            instance(name, "Terminated", start, start + 5 + i, "", "", fmt::format("j_{}", job)));
      }
    }
  }
  folder.write("batch_task.csv", tasks);
  const auto read = [&](const TraceOptions& options) {
    std::string text;
    for (const std::string& row : rows) text += row;
    folder.write("batch_instance.csv", text);
    return read_folder(folder, options).jobs;
  };
  const std::vector<Job> expected = read({});
  ASSERT_EQ(expected.size(), 40u);
  TraceOptions small;
  small.sort_bytes_max = 700;
  for (int trial = 0; trial < 3; ++trial) {
    for (std::size_t i = rows.size() - 1; i > 0; --i) {
      std::swap(rows[i], rows[random.below(i + 1)]);
    }
    EXPECT_EQ(read({}), expected);
    EXPECT_EQ(read(small), expected);
  }
}

}  // namespace
}  // namespace tracebed::testing
