// Readers of tables and lines, each on small fixtures of its format's quirks.
#include <algorithm>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <utility>

#include "core/random.h"
#include "traces/csv/alibaba_reader.h"
#include "traces/csv/philly_reader.h"
#include "traces/trace_texts.h"

namespace tracebed::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Hawk, AJobIsABagOfTasksInTheOrderOfSubmission) {
  const ReadTrace trace = read_trace("7.5 1 4 4\r\n\n2.25 3 2 1.5 1.5 0.00000001\n");
  ASSERT_EQ(trace.jobs.size(), 2u);
  const Job& first = trace.jobs[0];
  EXPECT_EQ(first.name, "line 3");
  EXPECT_EQ(first.kind, JobKind::dag);
  ASSERT_EQ(first.stages.size(), 1u);
  ASSERT_EQ(first.stages[0].runs.size(), 2u);
  EXPECT_EQ(first.stages[0].runs[0].count, 2u);
  EXPECT_EQ(first.stages[0].runs[0].work.duration, milliseconds(1500));
  EXPECT_EQ(first.stages[0].runs[1].work.duration, microseconds(1));
  EXPECT_EQ(trace.jobs[1].submit, trace_time(5'250'000));
  EXPECT_EQ(trace.report.rows, 2u);
}

TEST(Hawk, RefusesWhatDoesNotCountItsTasks) {
  TraceOptions hawk;
  hawk.format = "hawk";
  EXPECT_EQ(read_error("1 3 2 1.5\n", hawk),
            "t:1: column 2 (tasks): expected as many tasks as durations, 1, got 3");
  EXPECT_EQ(read_error("1 1 2 -1.5\n", hawk),
            "t:1: line: expected a number that is not negative, got '-1.5'");
  EXPECT_EQ(read_error("1 1 x 2\n", hawk), "t:1: line: expected a number, got 'x'");
  EXPECT_EQ(read_error("1 0 2\n", hawk),
            "t:1: column 2 (tasks): expected a whole number from 1 on, got 0");
  hawk.skip_bad = true;
  EXPECT_EQ(read_trace("1 1 2 -1.5\n1 1 2 2\n", hawk).bad_rows, 1u);
}

constexpr std::string_view philly_header = "timestamp,duration,num_gpus,gpu_time,cluster\n";

TEST(Philly, SortsRowsAndMakesGangs) {
  const ReadTrace trace = read_trace(std::string(philly_header) +
                                     "2017-10-09 07:01:55,66.5,4,266,a\n"
                                     "2017-10-09 07:00:55,10,1,10,b\n");
  ASSERT_EQ(trace.jobs.size(), 2u);
  EXPECT_EQ(trace.jobs[0].name, "line 3");
  EXPECT_EQ(trace.names.queues.name(trace.jobs[0].queue), "b");
  EXPECT_EQ(trace.jobs[1].submit, TraceTime(seconds(60)));
  EXPECT_EQ(trace.jobs[1].kind, JobKind::rigid);
  EXPECT_EQ(trace.jobs[1].stages[0].runs[0].count, 4u);
  EXPECT_EQ(trace.jobs[1].stages[0].runs[0].work.duration, milliseconds(66'500));
  ASSERT_EQ(trace.report.notes.size(), 1u);
  EXPECT_EQ(trace.report.notes[0].count, 2u) << "GPUs are not in the demand";
}

TEST(Philly, GpusAreInTheDemandWhereTheRunHasThem) {
  TraceOptions options;
  options.dimensions = ResourceDimensions({"gpu_milli"});
  const ReadTrace trace =
      read_trace(std::string(philly_header) + "2017-10-09 07:01:55,66,4,264,a\n", options);
  EXPECT_EQ(trace.jobs.at(0).stages[0].demand[2], 1000);
  EXPECT_TRUE(trace.report.notes.empty());
}

TEST(Philly, RefusesTimesThatAreNone) {
  EXPECT_EQ(read_error(std::string(philly_header) + "2017-02-29 07:01:55,66,4,264,a\n"),
            "t:2: column 1 (timestamp): expected a time such as 2017-10-09 07:01:55, got "
            "'2017-02-29 07:01:55'");
  EXPECT_EQ(read_error(std::string(philly_header) + "2017-02-28 07:01:55,66,0,264,a\n"),
            "t:2: column 3 (num_gpus): expected a whole number from 1 to 10000000, got '0'");
  EXPECT_EQ(read_error(std::string(philly_header) + "2017-02-28 07:01:55,66,1\n"),
            "t:2: row: expected 5 columns, got 3 columns");
  EXPECT_EQ(read_trace(std::string(philly_header) + "x,66,4,264,a\n", skipping()).bad_rows, 1u);
  std::int64_t time = 0;
  ASSERT_TRUE(read_date_time("1970-01-02 00:00:01", time));
  EXPECT_EQ(time, 86'401);
}

constexpr std::string_view pod_header =
    "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,"
    "deletion_time,scheduled_time\n";

TEST(Pods, AreJobsOfOneTaskWithAllTheirDimensions) {
  TraceOptions options;
  options.dimensions = ResourceDimensions({"gpu_milli"});
  const ReadTrace trace = read_trace(std::string(pod_header) +
                                         "a,6000,12288,1,460,,LS,Running,10,100,40\n"
                                         "b,1000,0,2,1000,V100|T4,BE,Failed,5,5,5\n"
                                         "c,1000,1,0,0,,BE,Pending,7,90,\n",
                                     options);
  ASSERT_EQ(trace.jobs.size(), 2u);
  const Job& late = trace.jobs[1];
  EXPECT_EQ(late.name, "a");
  EXPECT_EQ(late.kind, JobKind::service);
  EXPECT_EQ(late.priority, 3);
  EXPECT_EQ(late.submit, TraceTime(seconds(5)));
  EXPECT_EQ(late.stages[0].demand[0], 6000);
  EXPECT_EQ(late.stages[0].demand[2], 460);
  EXPECT_EQ(late.stages[0].runs[0].work.duration, seconds(60));
  EXPECT_EQ(trace.jobs[0].stages[0].demand[2], 2000);
  EXPECT_EQ(trace.jobs[0].stages[0].runs[0].work.duration, microseconds(1));
  EXPECT_TRUE(trace.jobs[0].stages[0].node_labels.empty());
  ASSERT_EQ(trace.report.left_out.size(), 1u);
  EXPECT_EQ(trace.report.left_out[0].name, "pods.pending");
}

TEST(Pods, RulesKeepPendingOnesAndConfineToModels) {
  TraceOptions options = with_rule("pods.pending", "life");
  options = with_rule("pods.gpu_models", "labels", options);
  const ReadTrace trace = read_trace(std::string(pod_header) +
                                         "b,1000,0,2,1000,V100|T4,BE,Failed,5,5,5\n"
                                         "c,1000,1,0,0,,BE,Pending,7,90,\n",
                                     options);
  ASSERT_EQ(trace.jobs.size(), 2u);
  EXPECT_THAT(trace.jobs[0].stages[0].node_labels, ElementsAre("V100", "T4"));
  EXPECT_EQ(trace.jobs[1].stages[0].runs[0].work.duration, seconds(83));
}

TEST(Pods, AreRefusedWithATimeThatCannotBe) {
  EXPECT_THAT(read_error(std::string(pod_header) + "a,1,1,0,0,,LS,Running,10,9,9\n"),
              HasSubstr("column 10 (deletion_time): expected a time that is not before"));
  EXPECT_THAT(read_error(std::string(pod_header) + "a,1,1,0,0,,XX,Running,10,19,19\n"),
              HasSubstr("column 7 (qos): expected LS, BE, Burstable or Guaranteed, got 'XX'"));
  // The variants without times.
  EXPECT_THAT(read_error("name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec\na,1,1,0,0,\n"),
              HasSubstr("alibaba_gpu: the header is not name,"));
}

TEST(Alibaba, TaskNamesSayWhatTheyNeed) {
  std::int64_t number = 0;
  std::vector<std::int64_t> needs;
  ASSERT_TRUE(read_task_name("J5_2_4", number, needs));
  EXPECT_EQ(number, 5);
  EXPECT_THAT(needs, ElementsAre(2, 4));
  ASSERT_TRUE(read_task_name("M1", number, needs));
  EXPECT_TRUE(needs.empty());
  ASSERT_TRUE(read_task_name("R3_2_Stg1", number, needs));
  EXPECT_THAT(needs, ElementsAre(2));
  for (const char* const other : {"task_bGFsYQ==", "MergeTask", "", "7_1", "M_1", "M1_x"}) {
    EXPECT_FALSE(read_task_name(other, number, needs)) << other;
  }
}

TEST(Alibaba, AStageStandsBehindThoseItNeedsAndStartTimesAreTheJobs) {
  // Not in order, interleaved with another job, and with the parent "starting" later.
  const ReadTrace trace = read_trace(
      "J1_5_8,2,j_9,,Terminated,100,160,100,0.5\n"
      "M1,1,j_2,,Terminated,90,95,50,0.2\n"
      "M5,3,j_9,,Terminated,130,150,50,0.25\n"
      "M8,1,j_9,,Terminated,120,120,100,1\n");
  ASSERT_EQ(trace.jobs.size(), 2u);
  EXPECT_EQ(trace.jobs[0].name, "j_2");
  const Job& job = trace.jobs[1];
  EXPECT_EQ(job.submit, TraceTime(seconds(10)));
  ASSERT_EQ(job.stages.size(), 3u);
  EXPECT_EQ(task_count(job.stages[0]), 3u);
  EXPECT_EQ(job.stages[1].runs[0].work.duration, seconds(1)) << "0 s is one second by rule";
  EXPECT_THAT(job.stages[2].needs, ElementsAre(0, 1));
  EXPECT_EQ(job.stages[2].demand, Resources(1000, 1311)) << "0.5 % of 262144 MiB, rounded up";
  EXPECT_EQ(job.stages[0].demand.milli_vcores(), 500);
}

TEST(Alibaba, WhoNeedsATaskThatIsLeftOutNeedsWhatItNeeds) {
  const ReadTrace trace = read_trace(
      "M1,1,j_1,,Terminated,10,20,100,1\n"
      "R2_1,,j_1,,Waiting,0,0,,\n"
      "J3_2_7,1,j_1,,Terminated,10,30,100,1\n");
  ASSERT_EQ(trace.jobs.size(), 1u);
  ASSERT_EQ(trace.jobs[0].stages.size(), 2u);
  EXPECT_THAT(trace.jobs[0].stages[1].needs, ElementsAre(0));
  ASSERT_EQ(trace.report.left_out.size(), 1u);
  EXPECT_EQ(trace.report.left_out[0].name, "alibaba.unfinished");
  ASSERT_EQ(trace.report.notes.size(), 1u);
  EXPECT_EQ(trace.report.notes[0].name, "needs of tasks that the trace does not have");
}

TEST(Alibaba, TasksThatNeedEachOtherAreABadJob) {
  const std::string text =
      "J1_2,1,j_1,,Terminated,10,20,100,1\n"
      "J2_1,1,j_1,,Terminated,10,20,100,1\n"
      "M1,1,j_2,,Terminated,10,20,100,1\n";
  EXPECT_EQ(read_error(text),
            "t:1: job j_1: expected tasks that can run in some order, got tasks that need each "
            "other");
  EXPECT_EQ(read_trace(text, skipping()).jobs.size(), 1u);
}

// Rows of 60 jobs, each job's in the order of its tasks: standing together, or drawn in turn.
std::string rows_of_jobs(bool are_together, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::pair<int, int>> rows;  // job, task
  for (int job = 0; job < 60; ++job) {
    for (int task = 0; task <= job % 5; ++task) rows.emplace_back(job, task);
  }
  if (!are_together) {
    for (std::size_t i = rows.size() - 1; i > 0; --i) {
      std::swap(rows[i], rows[random.below(i + 1)]);
    }
    std::stable_sort(rows.begin(), rows.end(),
                     [](const auto& a, const auto& b) { return a.second < b.second; });
  }
  std::string text;
  for (const auto& [job, task] : rows) {
    text += fmt::format("R{}{},{},j_{},,Terminated,{},{},100,0.5\n", task + 1,
                        task > 0 ? fmt::format("_{}", task) : "", job + 1, job, 7000 - 50 * job,
                        7100 + task);
  }
  return text;
}

TEST(Alibaba, RowsOfAJobMayStandApart) {
  const std::vector<Job> together = read_trace(rows_of_jobs(true, 1)).jobs;
  ASSERT_EQ(together.size(), 60u);
  EXPECT_EQ(together.front().name, "j_59");
  TraceOptions small;
  small.sort_bytes_max = 700;  // through files, and with a filter that takes nearly all for seen
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    EXPECT_EQ(read_trace(rows_of_jobs(false, seed)).jobs, together);
    EXPECT_EQ(read_trace(rows_of_jobs(false, seed), small).jobs, together);
    EXPECT_EQ(read_trace(rows_of_jobs(true, seed), small).jobs, together);
  }
}

TEST(Alibaba, TheTableOf2017HasNoNeedsAndMayBeginBeforeItsZero) {
  const ReadTrace trace = read_trace(
      "task_create_time, task_end_time, job_id, task_id,n, status, cpu,mem\n"
      "-10,50,3,4,15740,Terminated,50,0.5\n"
      "5,0,3,5,1,Running,50,0.1\n"
      "5,7,3,6,1,Terminated,,\n",
      with_rule("alibaba.instances_max", "100"));
  ASSERT_EQ(trace.jobs.size(), 1u);
  ASSERT_EQ(trace.jobs[0].stages.size(), 1u);
  EXPECT_EQ(task_count(trace.jobs[0].stages[0]), 100u);
  EXPECT_EQ(trace.jobs[0].stages[0].runs[0].work.duration, seconds(60));
  EXPECT_EQ(trace.jobs[0].stages[0].demand, Resources(500, 131'072));
  EXPECT_EQ(trace.report.left_out.size(), 2u);
  EXPECT_EQ(read_trace("-10,50,3,4,1,Terminated,50,0.5\n", with_rule("trace.origin", "file"))
                .jobs.at(0)
                .submit,
            TraceTime());
}

}  // namespace
}  // namespace tracebed::testing
