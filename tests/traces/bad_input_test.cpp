// What every format does with input that is not as it should be: a table of defects. Each is either
// reported with its line and reason, which ends the load or is counted where bad rows are skipped,
// or taken by a rule or a note of the load.
#include <array>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/input_error.h"
#include "traces/trace_texts.h"

namespace tracebed::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

struct Defect {
  const char* what;
  std::string text;
  // Part of the message that ends the load; empty: the text is taken.
  const char* message;
  std::size_t jobs;  // when bad rows are skipped
  // What the report says of a text that is taken: a note or a rule that leaves rows out.
  const char* told = "";
};

// What can be wrong with a row or document of a trace. Every format has it in its table, or says
// why it cannot.
constexpr std::array<std::string_view, 10> known_defects = {"malformed",
                                                            "missing columns",
                                                            "not UTF-8",
                                                            "a negative time",
                                                            "a sentinel for a time",
                                                            "an end before the start",
                                                            "no tasks",
                                                            "a cycle",
                                                            "unsorted",
                                                            "above 2^53"};

struct Impossible {
  std::string_view defect;
  const char* why;
};

struct BadInputs {
  const char* format;
  std::string good;  // of two jobs
  std::vector<Defect> defects;
  std::vector<Impossible> impossible;
};

void PrintTo(const BadInputs& inputs, std::ostream* out) {
  *out << inputs.format;
}

std::string pods(std::string_view rows) {
  return "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,"
         "deletion_time,scheduled_time\n" +
         std::string(rows);
}

std::string philly(std::string_view rows) {
  return "timestamp,duration,num_gpus,gpu_time,cluster\n" + std::string(rows);
}

// Documents of one job, of which a part is told.
std::string rumen(std::string_view parts, std::string_view attempt) {
  return R"({"jobID":"j",)" + std::string(parts) +
         R"(,"mapTasks":[{"attempts":[{"result":"SUCCESS",)" + std::string(attempt) +
         "}]}],\"reduceTasks\":[]}\n";
}
std::string sls(std::string_view parts, std::string_view task) {
  return "{" + std::string(parts) + R"("job.queue.name":"q","job.tasks":[{)" + std::string(task) +
         "}]}\n";
}
std::string synth(std::string_view jobs, std::string_view time, std::string_view tasks) {
  return R"({"num_jobs":)" + std::string(jobs) + R"(,"workloads":[{"job_classes":[{"mtasks_avg":)" +
         std::string(tasks) + R"(,"mtime_avg":3}],"time_distribution":[{"time":)" +
         std::string(time) + ",\"weight\":1}]}]}\n";
}
std::string workflow(std::string_view first_parent, std::string_view seconds,
                     std::string_view id = "b") {
  return R"({"workflow":{"specification":{"tasks":[{"id":"a","parents":[)" +
         std::string(first_parent) + R"(]},{"id":")" + std::string(id) +
         R"(","parents":["a"]}]},"execution":{"tasks":[{"id":"a","runtimeInSeconds":)" +
         std::string(seconds) + R"(},{"id":")" + std::string(id) +
         "\",\"runtimeInSeconds\":2}]}}}\n";
}

const std::string rumen_good = rumen(R"("submitTime":5)", R"("startTime":6,"finishTime":9)");
const std::string sls_good = sls(R"("job.start.ms":5,)", R"("duration.ms":9)");
const std::string workflow_good = workflow("", "1");

BadInputs swim_inputs() {
  const std::string first = "j0\t5\t5\t10\t20\t30\n";
  const std::string second = "j1\t7\t2\t10\t0\t1\n";
  return {"swim",
          first + second,
          {{"malformed", first + "j1\t7\t2\tx\t0\t1\n", ":2: column 4 (map input bytes): ", 1},
           {"missing columns", first + "j1\t7\t2\n", ":2: row: expected 6 columns", 1},
           {"not UTF-8", first + "j\xff\t7\t2\t1\t0\t1\n", ":2: column 1 (job id): ", 1},
           {"a negative time", first + "j1\t-7\t2\t1\t0\t1\n", ":2: column 2 (submit time): ", 1},
           {"a sentinel for a time", first + "j1\t9223372036854775807\t2\t1\t0\t1\n",
            ":2: column 2 (submit time): expected at most", 1},
           {"no tasks", first + "j1\t7\t2\t0\t0\t0\n", "", 2},
           {"unsorted", second + first, ":2: submit time: expected 7 s or later", 1},
           {"above 2^53", first + "j1\t7\t2\t1\t0\t9007199254740993\n", "", 2},
           {"above 2^63", first + "j1\t7\t2\t1\t0\t9223372036854775808\n",
            ":2: column 6 (output bytes): ", 1}},
          {{"an end before the start", "a row has no end"},
           {"a cycle", "jobs need nothing of each other"}}};
}

std::string swf_row(std::string_view submit, std::string_view run, std::string_view processors,
                    std::string_view user = "1") {
  return "1 " + std::string(submit) + " 0 " + std::string(run) + " " + std::string(processors) +
         " -1 -1 " + std::string(processors) + " 9 -1 1 " + std::string(user) + " 1 1 1 1 -1 -1\n";
}

BadInputs swf_inputs() {
  const std::string first = swf_row("5", "9", "4");
  return {
      "swf",
      first + swf_row("7", "9", "4"),
      {{"malformed", first + swf_row("7", "x", "4"), ":2: column 4 ", 1},
       {"missing columns", first + "1 7 0\n", ":2: row: expected 18 columns", 1},
       {"not UTF-8", first + swf_row("7", "\xff", "4"), ":2: column 4 ", 1},
       {"a negative time", first + swf_row("-7", "9", "4"), ":2: column 2 ", 1},
       {"a sentinel for a time", first + swf_row("7", "-1", "4"), "", 1, "swf.unknown_run_time"},
       {"no tasks", first + swf_row("7", "9", "-1"), "", 2},
       {"unsorted", swf_row("7", "9", "4") + first, ":2: submit time: expected 7 s", 1},
       {"above 2^53", first + swf_row("7", "9", "4", "9007199254740993"), ":2: column 12 ", 1}},
      {{"an end before the start", "a row has a run time, no end"},
       {"a cycle", "tasks of a gang start together"}}};
}

BadInputs hawk_inputs() {
  const std::string first = "5 1 2 3\n";
  return {"hawk",
          first + "7 2 2 3 4\n",
          {{"malformed", first + "7 1 2 x\n", ":2: line: expected a number", 1},
           {"missing columns", first + "7 2 2 3\n", ":2: column 2 (tasks): ", 1},
           {"not UTF-8", first + "7 1 2 \xff\n", ":2: line: expected a number", 1},
           {"a negative time", first + "-7 1 2 3\n", ":2: line: expected a number that is not", 1},
           {"a sentinel for a time", first + "9223372036854775807 1 2 3\n",
            ":2: line: expected at most", 1},
           {"no tasks", first + "7 0 2\n", ":2: column 2 (tasks): ", 1},
           {"unsorted", "7 2 2 3 4\n" + first, "", 2},
           {"above 2^53", first + "7 9007199254740993 2 3\n", ":2: ", 1}},
          {{"an end before the start", "a row has durations"},
           {"a cycle", "tasks need nothing of each other"}}};
}

std::string google_row(std::string_view time, std::string_view job, std::string_view event,
                       std::string_view user = "u") {
  return std::string(time) + ",," + std::string(job) + ",0,7," + std::string(event) + "," +
         std::string(user) + ",0,2,0.5,0.25,0.001,1\n";
}

BadInputs google_inputs() {
  const std::string first = google_row("600000000", "1", "0") + google_row("600000001", "1", "1") +
                            google_row("600000009", "1", "4");
  const std::string second = google_row("600000010", "2", "0") + google_row("600000011", "2", "1") +
                             google_row("600000012", "2", "4");
  return {
      "google2011",
      first + second,
      {{"malformed", first + google_row("600000010", "x", "0"), ":4: column 3 (job): ", 1},
       {"missing columns", first + "600000010,,1\n", ":4: row: expected 13 columns", 1},
       {"not UTF-8", first + google_row("600000010", "2", "0", "\xff"), ":4: column 7 (user): ", 1},
       {"a negative time", first + google_row("-1", "2", "0"), ":4: column 1 (time): ", 1},
       {"a sentinel for a time",
        google_row("0", "9", "1") + first + google_row("9223372036854775807", "1", "5"), "", 1,
        "google.initial"},
       {"an end before the start", google_row("600000000", "1", "4") + first, "", 1},
       {"unsorted", google_row("600000002", "1", "0") + first + second,
        ":2: column 1 (time): expected 600000002 or later", 1},
       {"above 2^53",
        first + google_row("600000010", "9007199254740993", "0") +
            google_row("600000011", "9007199254740993", "1"),
        "", 2}},
      {{"no tasks", "a job is what its tasks' rows say"},
       {"a cycle", "tasks need nothing of each other"}}};
}

BadInputs alibaba2017_inputs() {
  const std::string first = "5,9,1,1,2,Terminated,50,0.5\n";
  const std::string second = "7,9,2,1,2,Terminated,50,0.5\n";
  return {
      "alibaba2017",
      first + second,
      {{"malformed", first + "x,9,2,1,2,Terminated,50,0.5\n", ":2: column 1 ", 1},
       {"missing columns", first + "7,9,2\n", ":2: row: expected 8 columns", 1},
       {"not UTF-8", first + "7,9,\xff,1,2,Terminated,50,0.5\n", ":2: column 3 (job_id): ", 1},
       {"a negative time", "-5,9,1,1,2,Terminated,50,0.5\n" + second, "", 2},
       {"a sentinel for a time", first + "7,0,2,1,2,Running,50,0.5\n", "", 1, "alibaba.unfinished"},
       {"an end before the start", first + "7,6,2,1,2,Failed,50,0.5\n", "", 1,
        "alibaba.unfinished"},
       {"no tasks", first + "7,9,2,1,0,Terminated,50,0.5\n", ":2: column 5 (instances): ", 1},
       {"unsorted", second + first, "", 2},
       {"above 2^53", first + "9007199254740993,9,2,1,2,Terminated,50,0.5\n", ":2: column 1 ", 1}},
      {{"a cycle", "tasks of 2017 need nothing of each other"}}};
}

BadInputs alibaba2018_inputs() {
  const std::string first = "M1,2,j_1,1,Terminated,5,9,50,0.5\n";
  const std::string second = "M1,2,j_2,1,Terminated,7,9,50,0.5\n";
  return {
      "alibaba2018",
      first + second,
      {{"malformed", first + "M1,2,j_2,1,Terminated,x,9,50,0.5\n", ":2: column 6 ", 1},
       {"missing columns", first + "M1,2,j_2\n", ":2: row: expected 9 columns", 1},
       {"not UTF-8", first + "M1,2,j_\xff,1,Terminated,7,9,50,0.5\n",
        ":2: column 3 (job_name): ", 1},
       {"a negative time", first + "M1,2,j_2,1,Terminated,-7,9,50,0.5\n", ":2: column 6 ", 1},
       {"a sentinel for a time", first + "M1,,j_2,,Waiting,0,0,,\n", "", 1, "alibaba.unfinished"},
       {"an end before the start", first + "M1,2,j_2,1,Failed,7,6,50,0.5\n", "", 1,
        "alibaba.unfinished"},
       {"no tasks", first + "M1,0,j_2,1,Terminated,7,9,50,0.5\n", ":2: column 2 ", 1},
       {"a cycle",
        first + "J1_2,1,j_2,1,Terminated,7,9,50,0.5\nJ2_1,1,j_2,1,Terminated,7,9,50,0.5\n",
        ":2: job j_2: expected tasks that can run in some order", 1},
       {"unsorted", second + first, "", 2},
       {"above 2^53", first + "M9007199254740993,1,j_2,1,Terminated,7,9,50,0.5\n", "", 2}},
      {}};
}

BadInputs pod_inputs() {
  const std::string first = "a,1000,10,0,0,,LS,Running,5,9,6\n";
  const std::string second = "b,1000,10,0,0,,BE,Running,7,9,8\n";
  return {
      "alibaba_gpu",
      pods(first + second),
      {{"malformed", pods(first + "b,x,10,0,0,,BE,Running,7,9,8\n"), ":3: column 2 ", 1},
       {"missing columns", pods(first + "b,1000\n"), ":3: row: expected 11 columns", 1},
       {"not UTF-8", pods(first + "\xff,1000,10,0,0,,BE,Running,7,9,8\n"), ":3: column 1 ", 1},
       {"a negative time", pods(first + "b,1000,10,0,0,,BE,Running,-7,9,8\n"), ":3: column 9 ", 1},
       {"a sentinel for a time", pods(first + "b,1000,10,0,0,,BE,Pending,7,9,\n"), "", 1,
        "pods.pending"},
       {"an end before the start", pods(first + "b,1000,10,0,0,,BE,Running,7,6,\n"),
        ":3: column 10 ", 1},
       {"unsorted", pods(second + first), "", 2},
       {"above 2^53", pods(first + "b,9007199254740993,10,0,0,,BE,Running,7,9,8\n"),
        ":3: column 2 ", 1}},
      {{"no tasks", "a pod is one task"}, {"a cycle", "pods need nothing of each other"}}};
}

BadInputs philly_inputs() {
  const std::string first = "2017-10-09 07:01:55,66,4,264,a\n";
  const std::string second = "2017-10-09 07:02:55,66,4,264,b\n";
  return {"philly",
          philly(first + second),
          {{"malformed", philly(first + "2017-10-09 07:02:55,x,4,264,b\n"), ":3: column 2 ", 1},
           {"missing columns", philly(first + "2017-10-09 07:02:55,66\n"), ":3: row: ", 1},
           {"not UTF-8", philly(first + "2017-10-09 07:02:55,66,4,264,\xff\n"), ":3: column 5 ", 1},
           {"a negative time", philly(first + "2017-10-09 07:02:55,-66,4,264,b\n"),
            ":3: column 2 (duration): ", 1},
           {"a sentinel for a time", philly(first + "0000-00-00 00:00:00,66,4,264,b\n"),
            ":3: column 1 (timestamp): ", 1},
           {"no tasks", philly(first + "2017-10-09 07:02:55,66,0,264,b\n"), ":3: column 3 ", 1},
           {"unsorted", philly(second + first), "", 2},
           {"above 2^53", philly(first + "2017-10-09 07:02:55,66,9007199254740993,264,b\n"),
            ":3: column 3 ", 1}},
          {{"an end before the start", "a row has a duration"},
           {"a cycle", "tasks of a gang start together"}}};
}

BadInputs rumen_inputs() {
  const std::string good_times = R"("startTime":6,"finishTime":9)";
  const std::string later = rumen(R"("submitTime":7)", good_times);
  return {"rumen",
          rumen_good + later,
          {{"malformed", rumen_good + rumen(R"("submitTime":"x")", good_times),
            ":2: document at byte 124, submitTime: expected a whole number", 1},
           {"not JSON", rumen_good + "{\"jobID\":}" + later, ":2: document at byte 124: ", 2},
           {"missing columns", rumen_good + "{\"submitTime\":7}\n", ", jobID: expected text", 1},
           {"not UTF-8", rumen_good + "{\"jobID\":\"\xff\"}\n" + later,
            ":2: document at byte 124: ", 2},
           {"a negative time", rumen_good + rumen(R"("submitTime":-7)", good_times),
            ", submitTime: ", 1},
           {"a sentinel for a time",
            rumen_good + rumen(R"("submitTime":-1,"launchTime":7)", good_times), "", 2},
           {"an end before the start",
            rumen_good + rumen(R"("submitTime":7)", R"("startTime":6,"finishTime":5)"), "", 1,
            "rumen.no_attempt"},
           {"no tasks", rumen_good + "{\"jobID\":\"k\",\"submitTime\":7}\n", "", 1,
            "jobs of which no task is left"},
           {"unsorted", later + rumen_good, "", 2},
           {"above 2^53", rumen_good + rumen(R"("submitTime":9007199254740993)", good_times),
            ", submitTime: expected a whole number from", 1}},
          {{"a cycle", "reduces need maps, and nothing else needs anything"}}};
}

BadInputs sls_inputs() {
  const std::string later = sls(R"("job.start.ms":7,)", R"("duration.ms":9)");
  return {
      "sls",
      sls_good + later,
      {{"malformed", sls_good + sls(R"("job.start.ms":"x",)", R"("duration.ms":9)"),
        ":2: document at byte 72, job.start.ms: ", 1},
       {"not JSON", sls_good + "{\"job.start.ms\":}" + later, ":2: document at byte 72: ", 2},
       {"missing columns", sls_good + sls("", R"("duration.ms":9)"), ", job.start.ms: ", 1},
       {"not UTF-8", sls_good + "{\"job.user\":\"\xff\"}" + later, ":2: document at byte 72: ", 2},
       {"a negative time", sls_good + sls(R"("job.start.ms":-7,)", R"("duration.ms":9)"),
        ", job.start.ms: ", 1},
       {"a sentinel for a time", sls_good + sls(R"("job.start.ms":7,)", R"("duration.ms":-1)"),
        ", container.duration.ms: expected a duration above 0", 1},
       {"an end before the start",
        sls_good + sls(R"("job.start.ms":7,)", R"("container.start.ms":9,"container.end.ms":8)"),
        ", container.duration.ms: expected a duration above 0", 1},
       {"no tasks", sls_good + "{\"job.start.ms\":7,\"job.queue.name\":\"q\",\"job.tasks\":[]}\n",
        ", job.tasks: expected a task", 1},
       {"unsorted", later + sls_good, "", 2},
       {"above 2^53", sls_good + sls(R"("job.start.ms":9007199254740993,)", R"("duration.ms":9)"),
        ", job.start.ms: expected a whole number from", 1}},
      {{"a cycle", "reduces need maps, and nothing else needs anything"}}};
}

BadInputs synth_inputs() {
  return {"synth",
          synth("2", "5", "1"),
          {{"malformed", synth("\"x\"", "5", "1"), ":1: document at byte 0, num_jobs: ", 0},
           {"not JSON", "{\"num_jobs\":}", ":1: document at byte 0: ", 0},
           {"missing columns", "{\"num_jobs\":2}", ", workloads: ", 0},
           {"not UTF-8", "{\"num_jobs\":2,\"x\":\"\xff\"}", ":1: document at byte 0: ", 0},
           {"a negative time", synth("2", "-5", "1"), ", time: ", 0},
           {"no jobs", synth("0", "5", "1"), ", num_jobs: ", 0},
           {"no tasks", synth("2", "5", "0"), ", mtasks_avg: expected tasks of a job", 0},
           {"above 2^53", synth("9007199254740993", "5", "1"), ", num_jobs: ", 0}},
          {{"a sentinel for a time", "a time is one to draw from, and each is meant"},
           {"an end before the start", "classes have mean durations"},
           {"a cycle", "reduces need maps, and nothing else needs anything"},
           {"unsorted", "jobs are drawn"}}};
}

BadInputs workflow_inputs() {
  return {
      "wfcommons",
      workflow_good + workflow_good,
      {{"malformed", workflow_good + workflow("", "\"x\""), ", runtimeInSeconds: ", 1},
       {"not JSON", workflow_good + "{\"workflow\":}" + workflow_good, ":2: document at ", 2},
       {"missing columns", workflow_good + "{\"workflow\":{}}\n", ", specification: ", 1},
       {"not UTF-8", workflow_good + "{\"name\":\"\xff\"}" + workflow_good, ":2: document at ", 2},
       {"a negative time", workflow_good + workflow("", "-1"), ", runtimeInSeconds: ", 1},
       {"no tasks",
        workflow_good + "{\"workflow\":{\"specification\":{\"tasks\":[]},\"execution\":{}}}\n",
        ", tasks: expected 1 to", 1},
       {"a cycle", workflow_good + workflow("\"b\"", "1"),
        ", parents: expected tasks that can run in some order", 1},
       {"two of one name", workflow_good + workflow("", "1", "a"), ", id: expected an id", 1},
       {"above 2^53", workflow_good + workflow("", "9007199254740993"), ", runtimeInSeconds: ", 1}},
      {{"a sentinel for a time", "a task has a run time, and no others are read"},
       {"an end before the start", "a task has a run time"},
       {"unsorted", "all workflows are submitted at 0"}}};
}

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

INSTANTIATE_TEST_SUITE_P(Formats, BadInput,
                         ::testing::Values(swim_inputs(), swf_inputs(), hawk_inputs(),
                                           google_inputs(), alibaba2017_inputs(),
                                           alibaba2018_inputs(), pod_inputs(), philly_inputs(),
                                           rumen_inputs(), sls_inputs(), synth_inputs(),
                                           workflow_inputs()),
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
  const std::string swf = swf_row("7", "9", "4") + swf_row("5", "9", "2");
  EXPECT_EQ(read_trace(swf, any).jobs.at(0).stages[0].runs[0].count, 2u);
}

}  // namespace
}  // namespace tracebed::testing
