#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/input_error.h"
#include "traces/histories/import_histories.h"
#include "traces/histories/job_history.h"
#include "traces/trace_texts.h"

namespace tracebed {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr std::string_view records = "org.apache.hadoop.mapreduce.jobhistory.";

// A history's first two lines; the schema is cut to what names it.
std::string head() {
  return R"(Avro-Json
{"type":"record","name":"Event","namespace":"org.apache.hadoop.mapreduce.jobhistory","fields":[]}
)";
}

// Lines of old histories begin with a space.
std::string event(std::string_view type, std::string_view record, std::string_view fields) {
  return fmt::format(" {{\"type\":\"{}\",\"event\":{{\"{}{}\":{{{}}}}}}}\n", type, records, record,
                     fields);
}

std::string submitted(std::string_view job, std::int64_t submit) {
  return event("JOB_SUBMITTED", "JobSubmitted",
               fmt::format(R"("jobid":"{}","jobName":"sort","userName":"ann","submitTime":{},)"
                           R"("jobConfPath":"hdfs://x/job.xml","acls":{{}},"jobQueueName":"etl",)"
                           R"("workflowId":{{"string":"w"}},"workflowName":null)",
                           job, submit));
}

std::string finished(std::string_view job, std::int64_t finish) {
  return event("JOB_FINISHED", "JobFinished",
               fmt::format(R"("jobid":"{}","finishTime":{},"finishedMaps":1)", job, finish));
}

std::string counter(std::string_view name, std::int64_t value) {
  return fmt::format(R"({{"name":"{}","displayName":"","value":{}}})", name, value);
}

std::string counters(const std::string& counts) {
  return fmt::format(
      R"({{"name":"COUNTERS","groups":[{{"name":"g","displayName":"","counts":[{}]}}]}})", counts);
}

std::string task_started(std::string_view task, std::string_view type, std::int64_t start,
                         std::string_view hosts) {
  return event("TASK_STARTED", "TaskStarted",
               fmt::format(R"("taskid":"{}","taskType":"{}","startTime":{},"splitLocations":"{}")",
                           task, type, start, hosts));
}

std::string attempt_started(std::string_view kind, std::string_view task, int attempt,
                            std::int64_t start, std::string_view host) {
  return event(fmt::format("{}_ATTEMPT_STARTED", kind), "TaskAttemptStarted",
               fmt::format(R"("taskid":"{}","taskType":"{}","attemptId":"{}_{}","startTime":{},)"
                           R"("trackerName":"{}","httpPort":8042)",
                           task, kind, task, attempt, start, host));
}

// One map, whose first attempt failed, and one reduce.
std::string sort_job() {
  return head() + submitted("job_7_0001", 1'000'000) +
         event("JOB_INITED", "JobInited", R"("jobid":"job_7_0001","launchTime":1002000)") +
         event("JOB_PRIORITY_CHANGED", "JobPriorityChange",
               R"("jobid":"job_7_0001","priority":"HIGH")") +
         event("NORMALIZED_RESOURCE", "NormalizedResource", R"("memory":1024)") +
         task_started("m0", "MAP", 1'003'000, "h1,h2,h1,h9") +
         task_started("r0", "REDUCE", 1'003'000, "") +
         attempt_started("MAP", "m0", 0, 1'004'000, "h2") +
         event("MAP_ATTEMPT_FAILED", "TaskAttemptUnsuccessfulCompletion",
               R"("taskid":"m0","taskType":"MAP","attemptId":"m0_0","finishTime":1005000,)"
               R"("hostname":"h2","port":8041,"rackname":{"string":"/dc/r2"},"status":"FAILED",)"
               R"("error":"no","counters":null)") +
         attempt_started("MAP", "m0", 1, 1'006'000, "h1") +
         event("MAP_ATTEMPT_FINISHED", "MapAttemptFinished",
               R"("taskid":"m0","attemptId":"m0_1","taskType":"MAP","taskStatus":"SUCCEEDED",)"
               R"("mapFinishTime":1009000,"finishTime":1010000,"hostname":"h1","port":8041,)"
               R"("rackname":"/dc/r1","state":"","counters":)" +
                   counters(counter("HDFS_BYTES_READ", 5120) + "," + counter("BYTES_READ", 5000) +
                            "," + counter("FILE_BYTES_WRITTEN", 640) + "," +
                            counter("CPU_MILLISECONDS", 2500) + "," +
                            counter("PHYSICAL_MEMORY_BYTES", 209'715'200))) +
         event("TASK_FINISHED", "TaskFinished",
               R"("taskid":"m0","taskType":"MAP","finishTime":1010100,"status":"SUCCEEDED")") +
         attempt_started("REDUCE", "r0", 0, 1'008'000, "h1") +
         event("REDUCE_ATTEMPT_FINISHED", "ReduceAttemptFinished",
               R"("taskid":"r0","attemptId":"r0_0","taskType":"REDUCE","taskStatus":"SUCCEEDED",)"
               R"("shuffleFinishTime":1011000,"sortFinishTime":1012000,"finishTime":1017000,)"
               R"("hostname":"h1","port":8041,"rackname":"/dc/r1","state":"","counters":{")" +
                   std::string(records) + R"(JhCounters":)" +
                   counters(counter("REDUCE_SHUFFLE_BYTES", 600) + "," +
                            counter("S3A_BYTES_WRITTEN", 70) + "," +
                            counter("HDFS_BYTES_WRITTEN", 7)) +
                   "}") +
         event("TASK_FINISHED", "TaskFinished",
               R"("taskid":"r0","taskType":"REDUCE","finishTime":1017100,"status":"SUCCEEDED")") +
         finished("job_7_0001", 1'018'000);
}

std::string empty_job(std::string_view job, std::int64_t submit) {
  return head() + submitted(job, submit) + task_started("m0", "MAP", submit + 1, "") +
         attempt_started("MAP", "m0", 0, submit + 1, "h3") +
         event("MAP_ATTEMPT_KILLED", "TaskAttemptUnsuccessfulCompletion",
               fmt::format(R"("taskid":"m0","taskType":"MAP","attemptId":"m0_0","finishTime":{},)"
                           R"("hostname":"h3","rackname":"/dc/r2","status":"KILLED")",
                           submit + 2001)) +
         event("JOB_KILLED", "JobUnsuccessfulCompletion",
               fmt::format(R"("jobid":"{}","finishTime":{},"jobStatus":"KILLED")", job,
                           submit + 2002));
}

TEST(JobHistory, TellsAttemptsTimesPlacesAndCounters) {
  const TemporaryFolder folder;
  const auto history = read_job_history(folder.write("a.jhist", sort_job()).string());
  ASSERT_TRUE(history) << history.error().message;
  EXPECT_EQ(history->id, "job_7_0001");
  EXPECT_EQ(history->user, "ann");
  EXPECT_EQ(history->queue, "etl");
  EXPECT_EQ(history->priority, "HIGH");
  EXPECT_EQ(history->outcome, "SUCCESS");
  EXPECT_EQ(history->submit, 1'000'000);
  EXPECT_EQ(history->launch, 1'002'000);
  EXPECT_EQ(history->finish, 1'018'000);
  EXPECT_EQ(history->other_events, 1u);
  ASSERT_EQ(history->tasks.size(), 2u);
  const HistoryTask& map = history->tasks.at("m0");
  EXPECT_THAT(map.split_hosts, ElementsAre("h1", "h2", "h9"));
  EXPECT_EQ(map.attempts.at("m0_0").result, "FAILED");
  EXPECT_EQ(map.attempts.at("m0_0").rack, "dc/r2");
  const HistoryAttempt& attempt = map.attempts.at("m0_1");
  EXPECT_EQ(attempt.result, "SUCCESS");
  EXPECT_EQ(attempt.host, "h1");
  EXPECT_EQ(attempt.start, 1'006'000);
  EXPECT_EQ(attempt.finish, 1'010'000);
  EXPECT_EQ(attempt.split_bytes_read, 5000);
  EXPECT_EQ(attempt.stored_bytes_read, 5120);
  EXPECT_EQ(attempt.local_bytes_written, 640);
  EXPECT_EQ(attempt.cpu_ms, 2500);
  EXPECT_EQ(attempt.shuffle_bytes, -1);
  const HistoryAttempt& reduce = history->tasks.at("r0").attempts.at("r0_0");
  EXPECT_EQ(reduce.shuffle_finish, 1'011'000);
  EXPECT_EQ(reduce.shuffle_bytes, 600);
  EXPECT_EQ(reduce.stored_bytes_written, 77);  // of both file systems
}

TEST(Histories, OfAFolderAreOneTraceInTheOrderOfSubmitTimes) {
  const TemporaryFolder folder;
  folder.write("done/2026/11/b.jhist", sort_job());
  folder.write("done/2026/11/a_conf.xml", "<configuration/>");
  folder.write("done/2026/12/c.jhist.gz", testing::gzip(empty_job("job_7_0000", 990'000)));
  HistoriesOptions options;
  options.topology = folder.file("topology.json");
  const HistoriesResult result =
      import_histories(folder.file("done"), folder.file("trace.json"), options);
  EXPECT_TRUE(result.is_written);
  EXPECT_EQ(result.files, 2u);
  EXPECT_EQ(result.maps, 2u);
  EXPECT_EQ(result.reduces, 1u);
  EXPECT_EQ(result.attempts, 4u);
  EXPECT_EQ(result.hosts, 4u);
  EXPECT_EQ(result.hosts_without_rack, 1u);  // h9
  EXPECT_EQ(testing::file_text(folder.file("topology.json")),
            R"({"name":"<root>","children":[{"name":"dc/r1","children":[{"name":"h1",)"
            R"("children":null}]},{"name":"dc/r2","children":[{"name":"h2","children":null},)"
            R"({"name":"h3","children":null}]},{"name":"default-rack","children":[{"name":"h9",)"
            R"("children":null}]}]})"
            "\n");

  const auto trace = testing::read_trace(testing::file_text(folder.file("trace.json")));
  ASSERT_EQ(trace.jobs.size(), 2u);
  EXPECT_EQ(trace.jobs[0].name, "job_7_0000");
  EXPECT_EQ(trace.jobs[0].stages.at(0).runs.at(0).work.duration, seconds(2));
  const Job& sort = trace.jobs[1];
  EXPECT_EQ(sort.submit, TraceTime(seconds(10)));
  EXPECT_EQ(trace.names.users.name(sort.user), "ann");
  EXPECT_EQ(trace.names.queues.name(sort.queue), "etl");
  EXPECT_EQ(sort.priority, 4);
  ASSERT_EQ(sort.stages.size(), 2u);
  const Work& map = sort.stages[0].runs.at(0).work;
  EXPECT_EQ(map.duration, seconds(4));
  EXPECT_EQ(map.cpu_time, milliseconds(2500));
  EXPECT_EQ(map.memory_mib, 200);
  EXPECT_EQ(map.input_bytes, 5000);
  EXPECT_THAT(sort.stages[0].places.hosts, ElementsAre("h1", "h2", "h9"));
  const Work& reduce = sort.stages[1].runs.at(0).work;
  EXPECT_EQ(reduce.duration, seconds(7));  // from the last map's end on
  EXPECT_EQ(reduce.shuffle_bytes, 600);
  EXPECT_EQ(reduce.output_bytes, 77);
}

std::string configuration(const std::string& properties) {
  return "<?xml version=\"1.0\"?><configuration>" + properties + "</configuration>";
}
std::string property(const std::string& name, const std::string& value) {
  return fmt::format(
      "<property><name>{}</name><value>{}</value><source>job.xml</source></property>", name, value);
}

TEST(Histories, ReadTheJobsConfigurationWhereItLiesBesideThem) {
  const TemporaryFolder folder;
  folder.write("in/b.jhist", sort_job());
  folder.write("in/job_7_0001_conf.xml",
               configuration(property("mapreduce.map.memory.mb", "3072") +
                             property("mapreduce.reduce.memory.mb", "-1") +
                             property("mapreduce.map.cpu.vcores", " 2 ") +
                             property("mapreduce.reduce.cpu.vcores", "4") +
                             property("mapreduce.job.queuename", "other") +
                             property("mapreduce.job.reduce.slowstart.completedmaps", "0.8")));
  folder.write("in/c.jhist", empty_job("job_7_0000", 990'000));  // has none
  const HistoriesResult result = import_histories(folder.file("in"), folder.file("trace.json"), {});
  EXPECT_EQ(result.configured, 1u);
  EXPECT_THAT(result.slow_starts, ElementsAre(std::pair("0.8", 1u)));
  const auto trace = testing::read_trace(testing::file_text(folder.file("trace.json")));
  ASSERT_EQ(trace.jobs.size(), 2u);
  EXPECT_EQ(trace.jobs[0].stages.at(0).demand, Resources(1000, 1024)) << "by rule";
  const Job& sort = trace.jobs[1];
  EXPECT_EQ(sort.stages.at(0).demand, Resources(2000, 3072));
  EXPECT_EQ(sort.stages.at(1).demand, Resources(4000, 1024)) << "-1: Hadoop decides";
  EXPECT_EQ(trace.names.queues.name(sort.queue), "etl") << "what the history itself says";
}

TEST(Histories, RefuseAConfigurationThatIsNone) {
  const std::vector<std::pair<std::string, const char*>> bad = {
      {"<configuration><prop", "byte 19: expected a job's configuration in XML"},
      {"<a/>", "expected the element configuration, got 'a'"},
      {configuration(property("mapreduce.map.memory.mb", "1g")),
       "mapreduce.map.memory.mb: expected a whole number, got '1g'"},
      {configuration(property("mapreduce.job.reduce.slowstart.completedmaps", "1.5")),
       "slowstart.completedmaps: expected a number from 0 to 1, got '1.5'"}};
  for (const auto& [text, expected] : bad) {
    const TemporaryFolder folder;
    folder.write("in/b.jhist", sort_job());
    folder.write("in/job_7_0001_conf.xml", text);
    const HistoriesResult result =
        import_histories(folder.file("in"), folder.file("trace.json"), {});
    EXPECT_FALSE(result.is_written);
    EXPECT_THAT(result.bad_files, ElementsAre(HasSubstr(expected)));
  }
}

struct BadFile {
  const char* what;
  std::string text;
  const char* expected;
};

TEST(Histories, SayWhyAFileCannotBeUsed) {
  const std::string whole = sort_job();
  const std::vector<BadFile> files = {
      {"empty", "", "expected Avro-Json, got an empty file"},
      {"old", "Meta VERSION=\"1\" .\n", "expected Avro-Json or Avro-Binary, as MapReduce's"},
      {"no schema", "Avro-Json\n[1]\n", "expected the schema of an Event"},
      {"cut in an event", whole.substr(0, whole.size() - 30),
       ": line: expected an event as a JSON"},
      {"cut after an event", whole.substr(0, whole.rfind(" {\"type\"")),
       "expected an event with the end of the job"},
      {"no job", head() + finished("job_1", 5), "the submission of the job"},
      {"no record", head() + "{\"type\":\"JOB_SUBMITTED\",\"event\":{}}\n", "one record"},
      {"time as text", head() + submitted("j", 1) + task_started("m", "MAP", -7, ""),
       "TASK_STARTED, startTime: expected"},
      {"status",
       head() + submitted("j", 1) +
           event("MAP_ATTEMPT_FINISHED", "MapAttemptFinished",
                 R"("taskid":"m","attemptId":"a","taskStatus":"DONE")"),
       "expected SUCCEEDED, FAILED or KILLED, got 'DONE'"},
      {"gzip", testing::gzip(whole).substr(0, 200), "gzip"},
  };
  const TemporaryFolder folder;
  for (const BadFile& file : files) {
    const std::string path = folder.write("x.jhist", file.text).string();
    const auto history = read_job_history(path);
    ASSERT_FALSE(history) << file.what;
    EXPECT_THAT(history.error().message, StartsWith(path + ":")) << file.what;
    EXPECT_THAT(history.error().message, HasSubstr(file.expected)) << file.what;
  }
}

TEST(Histories, StopAtBadFilesUnlessTheyAreSkipped) {
  const TemporaryFolder folder;
  folder.write("in/a.jhist", sort_job());
  folder.write("in/b.jhist", "Avro-Binary\n");
  folder.write("in/c.jhist", sort_job());
  const std::string output = folder.file("trace.json");
  const HistoriesResult stopped = import_histories(folder.file("in"), output, {});
  EXPECT_FALSE(stopped.is_written);
  EXPECT_FALSE(std::filesystem::exists(output));
  ASSERT_EQ(stopped.bad_files.size(), 2u);
  EXPECT_THAT(stopped.bad_files[0], HasSubstr("b.jhist:1"));
  EXPECT_THAT(stopped.bad_files[1], HasSubstr("c.jhist: expected another job, got job_7_0001"));

  const HistoriesResult skipped = import_histories(folder.file("in"), output, {.skip_bad = true});
  EXPECT_TRUE(skipped.is_written);
  EXPECT_EQ(testing::read_trace(testing::file_text(output)).jobs.size(), 1u);

  std::filesystem::create_directory(folder.file("none"));
  EXPECT_THROW(import_histories(folder.file("none"), output, {}), InputError);
}

}  // namespace
}  // namespace tracebed
