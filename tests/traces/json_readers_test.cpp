// Readers of JSON documents, each on small fixtures of its format's quirks.
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "traces/json/json_documents.h"
#include "traces/json/rumen_reader.h"
#include "traces/trace_texts.h"

namespace tracebed::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> documents_in(std::string_view text, std::size_t largest,
                                      BadRows& bad_rows) {
  JsonDocuments documents("t", bytes_in_memory(text), largest);
  std::vector<std::string> found;
  while (documents.next(bad_rows)) {
    found.push_back(std::to_string(documents.offset()) + ":" + std::string(documents.text()));
  }
  EXPECT_FALSE(documents.next(bad_rows)) << "the end stays the end";
  return found;
}

TEST(JsonDocuments, AreFoundByTheirBracketsAlone) {
  BadRows bad_rows("t", false);
  EXPECT_THAT(documents_in("\n {\"a\":\"}\\\"{\"}{\"b\":[{},[]]}\t{}", 100, bad_rows),
              ElementsAre("2:{\"a\":\"}\\\"{\"}", "14:{\"b\":[{},[]]}", "28:{}"));
  EXPECT_TRUE(documents_in(" \n", 100, bad_rows).empty());
}

TEST(JsonDocuments, LargerThanTheBufferAreReadWhole) {
  const std::string large = "{\"a\":\"" + std::string(300'000, 'x') + "\"}";
  BadRows bad_rows("t", false);
  const auto found = documents_in(large + "\n" + large, 400'000, bad_rows);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[1], "300009:" + large);
}

TEST(JsonDocuments, AboveTheLargestAreRefusedWithTheirPlaceAndPassedOver) {
  const std::string text = "{\"a\":1}\n{\"b\":\"" + std::string(200'000, 'x') + "\"} {\"c\":2}";
  BadRows strict("t", false);
  try {
    documents_in(text, 1000, strict);
    FAIL();
  } catch (const std::exception& error) {
    EXPECT_STREQ(error.what(),
                 "t:2: document at byte 8: expected at most 1000 bytes, got a larger one");
  }
  BadRows skipping("t", true);
  EXPECT_THAT(documents_in(text, 1000, skipping), ElementsAre("0:{\"a\":1}", "200017:{\"c\":2}"));
  EXPECT_EQ(skipping.total(), 1u);
}

TEST(JsonDocuments, CutOffOrOfAnotherLanguageEndTheFile) {
  BadRows bad_rows("t", true);
  EXPECT_EQ(documents_in("{\"a\":1}{\"b\":", 100, bad_rows).size(), 1u);
  EXPECT_EQ(documents_in("{\"a\":1} , {}", 100, bad_rows).size(), 1u);
  EXPECT_EQ(documents_in("{// a comment\n\"a\":1} {\"b\":2}", 100, bad_rows).size(), 1u);
  EXPECT_EQ(documents_in("{\"a\":\"\xff\"} {\"b\":2}", 100, bad_rows).size(), 1u);
  EXPECT_EQ(bad_rows.reason(BadRow::cut_off).rows, 1u);
  EXPECT_EQ(bad_rows.reason(BadRow::not_json).rows, 3u);
}

// Two maps with places, one without an attempt, a reduce that waited for the maps; host names as
// they come.
constexpr std::string_view rumen_job = R"({"jobID":"job_2","user":"u","queue":null,
  "priority":"HIGH","submitTime":5000,"outcome":"SUCCESS","jobMapMB":200,"jobReduceMB":-1,
  "mapTasks":[
    {"inputBytes":-1,"taskStatus":"SUCCESS","attempts":[
      {"result":"FAILED","hostName":"n9","startTime":6000,"finishTime":5900},
      {"result":"SUCCESS","hostName":"/10\\.0/n1\\.x","startTime":6000,"finishTime":10000,
       "hdfsBytesRead":77,"resourceUsageMetrics":{"cumulativeCpuUsage":1000,
       "physicalMemoryUsage":104857600}}],
     "preferredLocations":[{"layers":["10\\.0","n1\\.x"]},{"layers":["10\\.1","n2\\.x"]}]},
    {"inputBytes":5,"attempts":[
      {"result":"SUCCESS","hostName":"/10\\.1/n7\\.x","startTime":6000,"finishTime":8000}],
     "preferredLocations":[{"layers":["10\\.1","n2\\.x"]}]},
    {"inputBytes":-1,"taskStatus":null,"attempts":[],"preferredLocations":[]}],
  "reduceTasks":[{"attempts":[{"result":"SUCCESS","hostName":"/10\\.0/n1\\.x","startTime":7000,
    "finishTime":13000,"reduceShuffleBytes":40,"hdfsBytesWritten":9}]}],
  "otherTasks":[]})";

TEST(Rumen, MakesMapsAndReducesOfTheAttemptsThatTell) {
  const ReadTrace trace = read_trace(rumen_job);
  ASSERT_EQ(trace.jobs.size(), 1u);
  const Job& job = trace.jobs[0];
  EXPECT_EQ(job.name, "job_2");
  EXPECT_EQ(job.priority, 4);
  EXPECT_EQ(trace.names.queues.name(job.queue), "default");
  ASSERT_EQ(job.stages.size(), 2u);
  const Stage& maps = job.stages[0];
  EXPECT_EQ(maps.demand, Resources(1000, 200));
  ASSERT_EQ(task_count(maps), 3u);
  EXPECT_EQ(work_of(maps, 0).duration, seconds(4));
  EXPECT_EQ(work_of(maps, 0).input_bytes, 77);
  EXPECT_EQ(work_of(maps, 0).cpu_time, seconds(1));
  EXPECT_EQ(work_of(maps, 0).memory_mib, 100);
  EXPECT_EQ(work_of(maps, 1).input_bytes, 5);
  EXPECT_EQ(work_of(maps, 2).duration, seconds(3)) << "the mean of the others";
  EXPECT_THAT(maps.places.hosts, ElementsAre("n1.x", "n2.x"));
  EXPECT_THAT(maps.places.ends, ElementsAre(2, 3, 3));
  EXPECT_THAT(maps.places.entries, ElementsAre(0, 1, 1));
  const Stage& reduces = job.stages[1];
  EXPECT_EQ(reduces.kind, StageKind::reduce);
  EXPECT_EQ(reduces.demand, Resources(1000, 1024));
  EXPECT_EQ(work_of(reduces, 0).duration, seconds(3)) << "from the last map's end";
  EXPECT_EQ(work_of(reduces, 0).shuffle_bytes, 40);
  EXPECT_EQ(work_of(reduces, 0).output_bytes, 9);
}

TEST(Rumen, RulesChangeWhatIsNotRecorded) {
  EXPECT_EQ(
      task_count(read_trace(rumen_job, with_rule("rumen.no_attempt", "drop")).jobs[0].stages[0]),
      2u);
  EXPECT_EQ(
      work_of(read_trace(rumen_job, with_rule("rumen.reduce_start", "attempt")).jobs[0].stages[1],
              0)
          .duration,
      seconds(6));
}

TEST(Rumen, JobsComeInTheOrderOfTheirSubmission) {
  const std::string early = R"({"jobID":"job_1","submitTime":4000,"mapTasks":[{"attempts":[
    {"result":"KILLED","startTime":1,"finishTime":3}]}]})";
  const ReadTrace trace = read_trace(std::string(rumen_job) + early);
  ASSERT_EQ(trace.jobs.size(), 2u);
  EXPECT_EQ(trace.jobs[0].name, "job_1");
  EXPECT_EQ(trace.jobs[1].submit, TraceTime(seconds(1)));
  TraceOptions small;
  small.sort_bytes_max = 10;  // every document but the last goes through the file
  EXPECT_EQ(read_trace(std::string(rumen_job) + early, small).jobs, trace.jobs);
}

TEST(Rumen, RefusesWhatIsMissingOrWrong) {
  EXPECT_EQ(read_error(R"({"jobID":"j","submitTime":-1})"),
            "t:1: document at byte 0, submitTime: expected a time, or one at which it was "
            "launched, got none");
  EXPECT_EQ(read_error(R"({"jobID":"j","submitTime":"x"})"),
            "t:1: document at byte 0, submitTime: expected a whole number, got '\"x\"'");
  EXPECT_EQ(
      read_error(R"({"jobID":"j","submitTime":1,"mapTasks":[{"attempts":[{"result":"?"}]}]})"),
      "t:1: document at byte 0, result: expected SUCCESS, FAILED or KILLED, got '?'");
  EXPECT_EQ(read_error(R"({"jobID":"j","submitTime":1,"mapTasks":7})"),
            "t:1: document at byte 0, mapTasks: expected an array, got '7'");
  EXPECT_EQ(unescaped_host("a\\.b\\"), "a.b\\");
}

TEST(Sls, MakesMapsThenReducesAndAsksForHosts) {
  const ReadTrace trace = read_trace(R"({"num.nodes":3}
    {"am.type":"mapreduce","job.start.ms":"2000","job.queue.name":"q","job.user":"u","job.id":"j",
     "job.tasks":[{"container.host":"/r/n1","container.start.ms":5,"container.end.ms":1005},
       {"container.type":"reduce","container.duration.ms":700,"container.memory-mb":2048,
        "container.vcores":2},
       {"container.host":"/r/n2","count":2,"duration.ms":3000}]})");
  ASSERT_EQ(trace.jobs.size(), 1u);
  const Job& job = trace.jobs[0];
  EXPECT_EQ(job.kind, JobKind::map_reduce);
  EXPECT_EQ(job.name, "j");
  ASSERT_EQ(job.stages.size(), 2u);
  EXPECT_EQ(task_count(job.stages[0]), 3u);
  EXPECT_EQ(work_of(job.stages[0], 0).duration, seconds(1));
  EXPECT_EQ(work_of(job.stages[0], 2).duration, seconds(3));
  EXPECT_THAT(job.stages[0].places.hosts, ElementsAre("n1", "n2"));
  EXPECT_THAT(job.stages[0].places.entries, ElementsAre(0, 1, 1));
  EXPECT_EQ(job.stages[1].demand, Resources(2000, 2048));
}

TEST(Sls, TakesNumbersForNames) {
  const ReadTrace trace =
      read_trace(R"({"job.start.ms":0,"job.queue.name":1,"job.user":2,"job.id":3,
     "job.tasks":[{"container.host":44,"duration.ms":1},{"container.host":5,"duration.ms":1}]})");
  ASSERT_EQ(trace.jobs.size(), 1u);
  const Job& job = trace.jobs[0];
  EXPECT_EQ(job.name, "3");
  EXPECT_EQ(trace.names.users.name(job.user), "2");
  EXPECT_EQ(trace.names.queues.name(job.queue), "1");
  EXPECT_THAT(job.stages[0].places.hosts, ElementsAre("44", "5"));
}

TEST(Sls, DelaysOfADagAreStagesAndCountMakesJobs) {
  const ReadTrace trace = read_trace(R"({"yarn.sls.am.type":"dag","job.start.ms":0,
    "job.queue.name":"q","job.count":2,"job.tasks":[
      {"container.request.delay":1500,"duration.ms":10},{"duration.ms":20}]})");
  ASSERT_EQ(trace.jobs.size(), 2u);
  EXPECT_EQ(trace.jobs[1].name, "job_1");
  EXPECT_EQ(trace.jobs[0].kind, JobKind::dag);
  ASSERT_EQ(trace.jobs[0].stages.size(), 2u);
  EXPECT_EQ(trace.jobs[0].stages[0].delay, milliseconds(1500));
  EXPECT_EQ(trace.jobs[0].stages[1].delay, Duration{});
}

TEST(Sls, MapsThatAskForDifferentAmountsMakeADag) {
  const ReadTrace trace = read_trace(R"({"job.start.ms":0,"job.queue.name":"q","job.tasks":[
      {"duration.ms":10},{"duration.ms":10,"container.memory-mb":9},
      {"duration.ms":20,"container.type":"reduce"}]})");
  EXPECT_EQ(trace.jobs.at(0).kind, JobKind::dag);
  EXPECT_THAT(trace.jobs[0].stages.at(2).needs, ElementsAre(0, 1));
}

// As RumenToSLSConverter writes them, and Rumen's reader takes them from its own format.
TEST(Sls, AReduceIsCountedFromTheLastMapsEnd) {
  const auto job_with = [](std::string_view reduce, const TraceOptions& options = {}) {
    return read_trace(R"({"job.start.ms":0,"job.queue.name":"q","job.tasks":[)"
                      R"({"container.start.ms":100,"container.end.ms":400},)"
                      R"({"container.start.ms":100,"container.end.ms":900},)"
                      R"({"container.type":"reduce",)" +
                          std::string(reduce) + "}]}",
                      options)
        .jobs.at(0);
  };
  const auto reduce_time = [&](std::string_view reduce, const TraceOptions& options = {}) {
    return job_with(reduce, options).stages.at(1).runs.at(0).work.duration;
  };
  const char* const early = R"("container.start.ms":300,"container.end.ms":1000)";
  EXPECT_EQ(reduce_time(early), milliseconds(100));
  EXPECT_EQ(ideal_duration(job_with(early)), milliseconds(900)) << "as recorded";
  EXPECT_EQ(reduce_time(early, with_rule("sls.reduce_start", "attempt")), milliseconds(700));
  EXPECT_EQ(reduce_time(R"("container.start.ms":950,"container.end.ms":1000)"), milliseconds(50));
  EXPECT_EQ(reduce_time(R"("container.start.ms":300,"container.end.ms":800)"), milliseconds(1));
  EXPECT_EQ(reduce_time(R"("container.start.ms":300,"container.end.ms":1000,"duration.ms":700)"),
            milliseconds(700))
      << "the file says how long";
}

// Tasks of a DAG all run at once, whatever their type.
TEST(Sls, AReduceOfADagIsNotShortened) {
  const Job job = read_trace(R"({"am.type":"dag","job.start.ms":0,"job.queue.name":"q",)"
                             R"("job.tasks":[{"container.start.ms":100,"container.end.ms":900},)"
                             R"({"container.type":"reduce","container.start.ms":300,)"
                             R"("container.end.ms":1000}]})")
                      .jobs.at(0);
  EXPECT_EQ(ideal_duration(job), milliseconds(800));
}

TEST(Sls, AsksForEveryResourceThatTheRunHasAndForTheLabel) {
  TraceOptions options;
  options.dimensions = ResourceDimensions({"gpu_milli", "fpga"});
  const std::string_view text = R"({"job.start.ms":0,"job.queue.name":"q",
      "job.label.expression":"x","job.tasks":[{"duration.ms":10,"container.fpga":3,
      "container.yarn.io/gpu":2}]})";
  const Stage stage = read_trace(text, options).jobs.at(0).stages.at(0);
  EXPECT_EQ(stage.demand[2], 2000);
  EXPECT_EQ(stage.demand[3], 3);
  EXPECT_THAT(stage.node_labels, ElementsAre("x"));
  const Stage without = read_trace(text).jobs.at(0).stages.at(0);
  EXPECT_EQ(without.demand, Resources(1000, 1024));
  EXPECT_THAT(read_error(R"({"job.start.ms":0,"job.queue.name":"q","job.tasks":[{"duration.ms":10,
      "container.fpga":-3}]})",
                         options),
              HasSubstr("container.fpga: expected a whole number from 0"));
}

TEST(Sls, RefusesWhatItsSimulatorRefuses) {
  EXPECT_EQ(read_error(R"({"job.start.ms":0,"job.queue.name":"q","job.tasks":[{}]})"),
            "t:1: document at byte 0, container.duration.ms: expected a duration above 0, got 0");
  EXPECT_EQ(read_error(R"({"job.start.ms":0,"job.tasks":[{"duration.ms":1}]})"),
            "t:1: document at byte 0, job.queue.name: expected text, got nothing");
  EXPECT_EQ(read_error(R"({"job.start.ms":0,"job.queue.name":"q","job.tasks":[]})"),
            "t:1: document at byte 0, job.tasks: expected a task, got none");
}

TEST(Synth, DrawsTheSameJobsFromASeed) {
  const std::string text = R"({"num_jobs":40,"rand_seed":7,"workloads":[{"queue_name":"q",
    "job_classes":[{"user_name":"u","tasks":[
      {"type":"map","count":{"val":5},"time":{"val":10,"std":2},"max_memory":{"val":2048},
       "max_vcores":{"val":2}},
      {"type":"reduce","count":{"val":3},"time":{"val":20}}]}],
    "time_distribution":[{"time":1,"weight":1},{"time":60,"weight":0}]}]})";
  const ReadTrace trace = read_trace(text);
  ASSERT_EQ(trace.jobs.size(), 40u);
  EXPECT_EQ(read_trace(text).jobs, trace.jobs);
  double sum = 0;
  for (const Job& job : trace.jobs) {
    EXPECT_EQ(job.kind, JobKind::map_reduce);
    EXPECT_LT(job.submit, TraceTime(seconds(59)));
    EXPECT_EQ(job.stages.at(0).demand, Resources(2000, 2048));
    EXPECT_EQ(task_count(job.stages[0]), 5u);
    EXPECT_EQ(job.stages.at(1).runs.size(), 1u);
    for (std::uint32_t i = 0; i < 5; ++i) sum += to_seconds(work_of(job.stages[0], i).duration);
  }
  EXPECT_NEAR(sum / 200, 10, 0.5);  // the mean of 200 draws deviates by 0.14
}

// What SynthTraceJobProducer's Sample makes of the forms of a value; times in whole seconds.
TEST(Synth, DrawsValuesInTheFormsThatSlsKnows) {
  const auto jobs_of = [](std::string_view time) {
    return read_trace(R"({"num_jobs":400,"workloads":[{"job_classes":[{"tasks":[{"type":"map",
      "count":{"val":1},"time":)" +
                      std::string(time) + R"(}]}],
      "time_distribution":[{"time":5,"weight":1},{"time":20,"weight":1}]}]})")
        .jobs;
  };
  struct Moments {
    double mean = 0;
    double deviation = 0;
  };
  const auto moments_of = [](const std::vector<Job>& jobs) {
    double sum = 0;
    double squares = 0;
    for (const Job& job : jobs) {
      EXPECT_EQ(job.submit.time_since_epoch().count() % 1'000'000, 0);
      const double value = to_seconds(work_of(job.stages.at(0), 0).duration);
      sum += value;
      squares += value * value;
    }
    const double mean = sum / static_cast<double>(jobs.size());
    return Moments{mean, std::sqrt(squares / static_cast<double>(jobs.size()) - mean * mean)};
  };
  EXPECT_EQ(moments_of(jobs_of(R"({"val":60})")).deviation, 0);
  // A deviation of 0 is a sixth; a mean of 400 draws deviates by a twentieth of that.
  const Moments sixth = moments_of(jobs_of(R"({"val":60,"std":0})"));
  EXPECT_NEAR(sixth.mean, 60, 2);
  EXPECT_NEAR(sixth.deviation, 10, 1.5);
  const Moments normal = moments_of(jobs_of(R"({"val":600,"std":20,"dist":"NORM"})"));
  EXPECT_NEAR(normal.mean, 600, 4);
  EXPECT_NEAR(normal.deviation, 20, 3);
  // 10 × 1/4 + 50 × 3/4.
  const Moments one_of = moments_of(jobs_of(R"({"discrete":["10","50"],"weights":[1,3]})"));
  EXPECT_NEAR(one_of.mean, 40, 3);
  EXPECT_NEAR(one_of.deviation, std::sqrt(300), 3);
}

TEST(Synth, DrawsDeadlinesInBothStyles) {
  const auto mean_of = [](const std::string& of_class) {
    const std::string text = R"({"num_jobs":400,"workloads":[{"job_classes":[{)" + of_class;
    const char* const end = R"(}],"time_distribution":[{"time":5,"weight":1}]}]})";
    double sum = 0;
    for (const Job& job : read_trace(text + end).jobs) sum += to_seconds(job.deadline);
    return sum / 400;
  };
  EXPECT_NEAR(mean_of(R"("deadline_factor":{"val":3},"duration":{"val":50},)"
                      R"("tasks":[{"time":{"val":60}}],"reservation":{"val":0.25})"),
              37.5, 11);
  const std::string older = R"("mtasks_avg":3,"mtime_avg":6,"dur_avg":50,"deadline_factor_avg":3)";
  EXPECT_NEAR(mean_of(older + R"(,"chance_of_reservation":1)"), 150, 8);
}

TEST(Synth, RefusesValuesInOtherForms) {
  const auto error_of = [](std::string_view time) {
    return read_error(R"({"num_jobs":1,"workloads":[{"job_classes":[{"tasks":[{"time":)" +
                      std::string(time) + R"(}]}],"time_distribution":[{"time":5,"weight":1}]}]})");
  };
  EXPECT_EQ(error_of(R"({"val":6})"), "no error");
  EXPECT_THAT(error_of(R"({"std":6})"), HasSubstr("val: expected a number, got nothing"));
  EXPECT_THAT(error_of(R"({"val":6,"dist":"GAMMA"})"), HasSubstr("dist: expected LOGNORM or NORM"));
  EXPECT_THAT(error_of(R"({"discrete":[1,2],"weights":[1]})"),
              HasSubstr("discrete: expected a weight for every value"));
  EXPECT_THAT(error_of(R"({"discrete":["x"]})"), HasSubstr("discrete: expected numbers from 0"));
  EXPECT_THAT(error_of(R"({"discrete":[]})"), HasSubstr("discrete: expected a weight"));
}

TEST(Wfcommons, EveryTaskIsAStageBehindItsParents) {
  const ReadTrace trace = read_trace(R"({"name":"w","workflow":{"specification":{"tasks":[
      {"id":"c","parents":["a","b"],"inputFiles":["x","y"]},{"id":"a","parents":[]},
      {"id":"b","parents":["a"],"outputFiles":["y"]}],
      "files":[{"id":"x","sizeInBytes":10},{"id":"y","sizeInBytes":5}]},
    "execution":{"makespanInSeconds":9,"tasks":[
      {"id":"a","runtimeInSeconds":1.5,"coreCount":2,"avgCPU":300},
      {"id":"b","runtimeInSeconds":0,"memoryInBytes":3221225472},
      {"id":"c","runtimeInSeconds":2,"avgCPU":50}]}}})");
  ASSERT_EQ(trace.jobs.size(), 1u);
  const Job& job = trace.jobs[0];
  ASSERT_EQ(job.stages.size(), 3u);
  EXPECT_EQ(work_of(job.stages[0], 0).duration, milliseconds(1500));
  EXPECT_EQ(work_of(job.stages[0], 0).cpu_time, seconds(3)) << "no more than its cores";
  EXPECT_EQ(job.stages[0].demand, Resources(2000, 1024));
  EXPECT_THAT(job.stages[1].needs, ElementsAre(0));
  EXPECT_EQ(job.stages[1].demand, Resources(1000, 3072));
  EXPECT_EQ(work_of(job.stages[1], 0).output_bytes, 5);
  EXPECT_THAT(job.stages[2].needs, ElementsAre(0, 1));
  EXPECT_EQ(work_of(job.stages[2], 0).input_bytes, 15);
  EXPECT_EQ(work_of(job.stages[2], 0).cpu_time, seconds(1));
}

// Up to 1.4 tasks are named by their names; up to 1.3 they are called jobs before 1.3, and keys
// have no units.
TEST(Wfcommons, ReadsTheLayoutOfOlderSchemas) {
  const ReadTrace trace = read_trace(R"({"name":"w","schemaVersion":"1.4","workflow":{
      "makespanInSeconds":9,"machines":[{"nodeName":"n"}],"tasks":[
      {"name":"b","id":"ID2","parents":["a"],"children":[],"runtimeInSeconds":2.5,"cores":2,
       "avgCPU":50,"memoryInBytes":3221225472,"files":[{"link":"input","name":"x","sizeInBytes":70},
       {"link":"output","name":"y","sizeInBytes":80}]},
      {"name":"a","id":"ID1","parents":[],"children":["b"],"runtimeInSeconds":4}]}})");
  const Job& job = trace.jobs.at(0);
  ASSERT_EQ(job.stages.size(), 2u);
  EXPECT_EQ(job.stages[0].runs[0].work.duration, seconds(4));
  EXPECT_THAT(job.stages[1].needs, ElementsAre(0));
  EXPECT_EQ(job.stages[1].demand, Resources(2000, 3072));
  const Work& work = job.stages[1].runs[0].work;
  EXPECT_EQ(work.duration, milliseconds(2500));
  EXPECT_EQ(work.cpu_time, milliseconds(1250));
  EXPECT_EQ(work.input_bytes, 70);
  EXPECT_EQ(work.output_bytes, 80);
  const std::string old = R"({"name":"w","workflow":{"makespan":9,"jobs":[
      {"name":"a","runtime":4,"memory":3145728,"files":[{"link":"input","name":"x","size":3}]},
      {"name":"b","parents":["a"],"runtime":2}]}})";
  const Job older = read_trace(old).jobs.at(0);
  EXPECT_EQ(older.stages.at(0).demand.memory_mib(), 3072) << "KB";
  EXPECT_EQ(older.stages[0].runs[0].work.input_bytes, 3072) << "KB, too";
  EXPECT_THAT(older.stages.at(1).needs, ElementsAre(0));
  EXPECT_EQ(read_trace(old, with_rule("wfcommons.size_unit", "bytes"))
                .jobs.at(0)
                .stages[0]
                .runs[0]
                .work.input_bytes,
            3);
}

TEST(Wfcommons, EdgesMayStandInChildrenAloneAndTwoListsMustAgree) {
  const auto workflow = [](std::string_view a, std::string_view b) {
    return R"({"workflow":{"specification":{"tasks":[{"id":"a",)" + std::string(a) +
           R"(},{"id":"b",)" + std::string(b) +
           R"(},{"id":"c"}]},"execution":{"tasks":[)"
           R"({"id":"a","runtimeInSeconds":1},{"id":"b","runtimeInSeconds":1},)"
           R"({"id":"c","runtimeInSeconds":1}]}}})";
  };
  const Job job = read_trace(workflow(R"("children":["b"])", R"("children":[])")).jobs.at(0);
  EXPECT_THAT(job.stages.at(1).needs, ElementsAre(0));
  EXPECT_EQ(read_error(workflow(R"("children":["b"])", R"("parents":["a"])")), "no error");
  EXPECT_THAT(read_error(workflow(R"("children":["b","c"])", R"("parents":["a"])")),
              HasSubstr("parents: expected lists that agree with children, got one of 'c' without "
                        "'a', which names it as a child"));
  EXPECT_THAT(read_error(workflow(R"("children":["c"])", R"("parents":["a"])")),
              HasSubstr("children: expected lists that agree with parents, got one of 'a' without "
                        "'b', which names it as a parent"));
  EXPECT_THAT(read_error(workflow(R"("children":["x"])", R"("parents":["a"])")),
              HasSubstr("children: expected ids of tasks, got 'x'"));
  EXPECT_THAT(read_error(R"({"workflow":{"jobs":[{"name":"a","runtime":1,"files":[
                  {"link":"inout","name":"x","size":1}]}]}})"),
              HasSubstr("link: expected input or output, got 'inout'"));
}

TEST(Wfcommons, RefusesTasksThatNeedEachOtherOrNobodyKnows) {
  const auto workflow = [](std::string_view tasks) {
    return R"({"workflow":{"specification":{"tasks":[)" + std::string(tasks) +
           R"(]},"execution":{"tasks":[]}}})";
  };
  EXPECT_THAT(read_error(workflow(R"({"id":"a","parents":["b"]},{"id":"b","parents":["a"]})")),
              HasSubstr("tasks that need each other"));
  EXPECT_THAT(read_error(workflow(R"({"id":"a","parents":["z"]})")),
              HasSubstr("parents: expected ids of tasks, got 'z'"));
  EXPECT_THAT(read_error(R"({"workflow":{}})"),
              HasSubstr("specification: expected an object, got none"));
}

}  // namespace
}  // namespace tracebed::testing
