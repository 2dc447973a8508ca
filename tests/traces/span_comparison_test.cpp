// Recorded spans of jobs beside an ideal replay: the figures by hand, and for every format that a
// fixture takes as long as it was recorded, or that there is a reason why it has no span.
#include "traces/span_comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>

#include "traces/trace_formats.h"
#include "traces/trace_info.h"
#include "traces/trace_texts.h"
#include "traces/trace_validate.h"

namespace tracebed::testing {
namespace {

using ::testing::HasSubstr;

// A job of stages of these seconds, each of which needs the one before.
Job chain_of(const std::string& name, std::initializer_list<int> stages) {
  Job job;
  job.name = name;
  job.kind = JobKind::dag;
  for (const int length : stages) {
    Stage stage;
    stage.runs.push_back({1, {}});
    stage.runs.back().work.duration = seconds(length);
    if (!job.stages.empty()) {
      stage.needs.push_back(static_cast<std::uint16_t>(job.stages.size() - 1));
    }
    job.stages.push_back(std::move(stage));
  }
  return job;
}

RecordedSpan span_of(int length) {
  return {seconds(length), 0, 0};
}

TEST(SpanComparison, TellsReplayedOverRecordedSpans) {
  SpanComparison spans(seconds(1), 100);
  spans.add(chain_of("half", {10}), span_of(20));
  spans.add(chain_of("same", {10, 20}), span_of(30));
  spans.add(chain_of("longer", {20, 30}), span_of(40));  // 1.25
  spans.add(chain_of("unknown", {20, 30}), std::nullopt);
  const SpanSummary summary = spans.summary().value();
  EXPECT_EQ(summary.jobs, 3u);
  EXPECT_EQ(summary.recorded_seconds, 30);
  EXPECT_EQ(summary.replayed_seconds, 30);
  EXPECT_NEAR(summary.mean, (0.5 + 1 + 1.25) / 3, 1e-6);
  EXPECT_EQ(summary.p50, 1);
  EXPECT_EQ(summary.p95, 1.25);
  EXPECT_NEAR(summary.above_limit, 1.0 / 3, 1e-9);
  EXPECT_EQ(summary.longer, 1u);
  ASSERT_EQ(summary.worst.size(), 3u);
  EXPECT_EQ(summary.worst[0].job, "longer");
  EXPECT_EQ(summary.worst[0].replayed_seconds, 50);
  EXPECT_EQ(summary.worst[2].job, "half");
}

TEST(SpanComparison, KeepsTheThreeWorstInTheirOrder) {
  SpanComparison spans(seconds(1), 100);
  for (const int length : {12, 30, 11, 20, 12, 10}) {
    spans.add(chain_of(std::to_string(length), {length}), span_of(10));
  }
  const SpanSummary summary = spans.summary().value();
  ASSERT_EQ(summary.worst.size(), 3u);
  EXPECT_EQ(summary.worst[0].job, "30");
  EXPECT_EQ(summary.worst[1].job, "20");
  EXPECT_EQ(summary.worst[2].job, "12");
}

// Three tasks of less than a second take one each by rule.
TEST(SpanComparison, TakesASpanBelowTheResolutionForThat) {
  SpanComparison spans(seconds(1), 100);
  spans.add(chain_of("short", {1, 1, 1}), span_of(0));
  const SpanSummary summary = spans.summary().value();
  EXPECT_EQ(summary.mean, 3);
  EXPECT_EQ(summary.longer, 0u);
}

TEST(SpanComparison, OfATraceWithoutSpansSaysWhyThereAreNone) {
  SpanComparison spans(seconds(1), 100);
  spans.add(chain_of("a", {1}), std::nullopt);
  EXPECT_FALSE(spans.summary().has_value());
  EXPECT_EQ(to_text(std::nullopt, "no clock"), "  none is recorded: no clock\n");
}

TEST(RecordedTimes, TellWhetherAllTasksOfAStageRanAtOnce) {
  RecordedTimes times;
  EXPECT_FALSE(times.span().has_value());
  times.begin_stage();
  times.add(0, 10);
  times.add(5, 12);
  times.add(10, 20);  // begins as the first one ends
  times.begin_stage();
  times.add(20, 30);
  times.add(31, 40);
  times.begin_stage();  // of no tasks
  times.extend(-5, 60);
  EXPECT_EQ(times.span(), (RecordedSpan{microseconds(65), 2, 1}));
}

// ---- every format ----

struct Fixture {
  std::string text;
  double seconds = 0;  // recorded and replayed, of its one job
};

const std::map<std::string_view, Fixture>& fixtures() {
  static const std::map<std::string_view, Fixture> all = {
      {"swf", {"1 5 90 10 4 -1 -1 4 20 -1 1 1 1 1 1 1 -1 -1\n", 10}},
      {"google2011",
       {"600000000,,6,0,7,0,u,0,2,0.5,0.25,0.001,1\n600000000,,6,1,7,0,u,0,2,0.5,0.25,0.001,1\n"
        "601000000,,6,0,7,1,u,0,2,0.5,0.25,0.001,1\n602000000,,6,1,7,1,u,0,2,0.5,0.25,0.001,1\n"
        "605000000,,6,1,7,4,u,0,2,0.5,0.25,0.001,1\n609000000,,6,0,7,4,u,0,2,0.5,0.25,0.001,1\n",
        8}},
      {"alibaba2017", {"5,25,1,1,2,Terminated,50,0.5\n5,15,1,2,9,Terminated,50,0.5\n", 20}},
      {"alibaba2018",
       {"M1,1,j,1,Terminated,500,520,100,0.5\nR2_1,8,j,1,Terminated,500,530,100,0.5\n", 30}},
      {"alibaba_gpu",
       {"name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,"
        "deletion_time,scheduled_time\na,6000,12288,1,460,,LS,Running,10,100,40\n",
        60}},
      {"philly",
       {"timestamp,duration,num_gpus,gpu_time,cluster\n2017-10-09 07:01:55,66.5,4,266,a\n", 66.5}},
      {"rumen",
       {R"({"jobID":"j","submitTime":1000,"mapTasks":[)"
        R"({"attempts":[{"result":"SUCCESS","startTime":6000,"finishTime":9000}]},)"
        R"({"attempts":[{"result":"SUCCESS","startTime":6000,"finishTime":8000}]}],)"
        R"("reduceTasks":[)"
        R"({"attempts":[{"result":"SUCCESS","startTime":7000,"finishTime":12000}]}]})",
        6}},
      {"sls",
       {R"({"job.start.ms":0,"job.end.ms":99000,"job.queue.name":"q","job.tasks":[)"
        R"({"container.start.ms":6000,"container.end.ms":9000},)"
        R"({"container.start.ms":6000,"container.end.ms":8000},{"container.type":"reduce",)"
        R"("container.start.ms":7000,"container.end.ms":12000}]})",
        6}},
      {"wfcommons",
       {R"({"workflow":{"specification":{"tasks":[{"id":"a","parents":[]},)"
        R"({"id":"b","parents":["a"]}]},"execution":{"makespanInSeconds":5,"tasks":[)"
        R"({"id":"a","runtimeInSeconds":3},{"id":"b","runtimeInSeconds":2}]}}})",
        5}},
      {"swim", {"j0\t5\t5\t10\t20\t30\n", 0}},
      {"hawk", {"5 1 2 3\n", 0}},
      {"mix",
       {"job,submit_seconds,kind,input_bytes,maps,reduces,vcores,memory_mib,user,queue,"
        "input_path\na,5,grep,1000,2,1,,,,,\n",
        0}},
      {"synth",
       {R"({"num_jobs":1,"workloads":[{"job_classes":[{"mtasks_avg":1,"mtime_avg":3}],)"
        R"("time_distribution":[{"time":5,"weight":1}]}]})",
        0}},
  };
  return all;
}

TEST(RecordedSpans, OfEveryFormatsFixtureAreThoseOfTheReplayOrThereAreNone) {
  for (const TraceFormat& format : trace_formats()) {
    EXPECT_FALSE(format.span.empty()) << format.name;
    if (format.form == TraceFormat::Form::binary) continue;  // made of the others, without spans
    ASSERT_TRUE(fixtures().contains(format.name)) << format.name;
    const Fixture& fixture = fixtures().at(format.name);
    const TemporaryFolder folder;
    TraceOptions options;
    options.format = format.name;
    const std::string path = folder.write("fixture", fixture.text);
    const TraceInfo info = measure_trace(path, options);
    ASSERT_EQ(info.jobs, 1u) << format.name;
    const bool has_span = format.resolution > Duration{};
    ASSERT_EQ(info.spans.has_value(), has_span) << format.name;
    EXPECT_EQ(fixture.seconds > 0, has_span) << format.name;
    EXPECT_THAT(to_text(info), HasSubstr(std::string(format.span))) << format.name;
    if (!has_span) continue;
    EXPECT_EQ(info.spans->recorded_seconds, fixture.seconds) << format.name;
    EXPECT_EQ(info.spans->replayed_seconds, fixture.seconds) << format.name;
    EXPECT_EQ(info.spans->mean, 1) << format.name;
    EXPECT_EQ(to_json(info)["spans"]["ratio"]["p50"], 1) << format.name;
    EXPECT_EQ(validate_trace(path, options).spans->mean, 1) << format.name;
  }
}

// As in any order, where jobs go through a sorter.
TEST(RecordedSpans, StayWithTheirJobsWhenRowsAreSorted) {
  const TemporaryFolder folder;
  const std::string path = folder.write("a.swf",
                                        "1 7 0 9 4 -1 -1 4 9 -1 1 1 1 1 1 1 -1 -1\n"
                                        "2 5 0 50 2 -1 -1 2 9 -1 1 1 1 1 1 1 -1 -1\n"
                                        "3 6 0 0 2 -1 -1 2 9 -1 1 1 1 1 1 1 -1 -1\n");
  const TraceInfo info = measure_trace(path, {});
  EXPECT_EQ(info.spans->jobs, 3u);
  EXPECT_EQ(info.spans->mean, 1) << "0 s is within the clock's second";
}

TEST(RecordedSpans, AreNoneWhereThisFileHasNone) {
  const TemporaryFolder folder;
  const std::string path = folder.write(
      "a.json",
      R"({"job.start.ms":0,"job.queue.name":"q","job.tasks":[{"container.duration.ms":9}]})");
  const TraceInfo info = measure_trace(path, {});
  EXPECT_FALSE(info.spans.has_value());
  EXPECT_THAT(to_text(info), HasSubstr("none is recorded: no job has that, from the first "));
}

}  // namespace
}  // namespace tracebed::testing
