#include "traces/bad_inputs.h"

namespace tracebed::testing {
namespace {

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

BadInputs mix_inputs() {
  const std::string header =
      "job,submit_seconds,kind,input_bytes,maps,reduces,vcores,memory_mib,user,queue,input_path\n";
  const std::string first = header + "a,5,grep,1000,2,1,,,,,\n";
  const auto second = [&](const std::string& row) { return first + row + "\n"; };
  return {
      "mix",
      second("b,7,sort,1000,,0,0.5,512,u,q,/d"),
      {{"malformed", second("b,7,sort,x,,0,,,,,"), ":3: column 4 (input_bytes): ", 1},
       {"missing columns", second("b,7,sort,1000"), ":3: row: expected 11 columns", 1},
       {"an unknown kind", second("b,7,pi,1000,,0,,,,,"),
        ":3: column 3 (kind): expected grep, kmeans, pagerank, sort, terasort, wordcount", 1},
       {"not UTF-8", second("b,7,sort,1000,,0,,,\xff,,"), ":3: column 9 (user): ", 1},
       {"a negative time", second("b,-7,sort,1000,,0,,,,,"), ":3: column 2 (submit_seconds): ", 1},
       {"a sentinel for a time", second("b,9223372036854775807,sort,1000,,0,,,,,"),
        ":3: column 2 (submit_seconds): ", 1},
       {"no tasks", second("b,7,sort,1000,0,0,,,,,"), ":3: column 5 (maps): ", 1},
       {"too many tasks", second("b,7,sort,9007199254740992,,0,,,,,"),
        ":3: column 4 (input_bytes): expected bytes for at most 10000000 maps", 1},
       {"finer than a thousandth", second("b,7,sort,1000,,0,0.0015,,,,"),
        ":3: column 7 (vcores): expected vcores in steps of 0.001", 1},
       {"unsorted", second("b,3,sort,1000,,0,,,,,"), "", 2},
       {"above 2^53", second("b,7,sort,9007199254740993,,0,,,,,"),
        ":3: column 4 (input_bytes): ", 1}},
      {{"an end before the start", "a row has neither"},
       {"a cycle", "reduces need maps, and nothing else needs anything"}}};
}

std::string google_line(std::string_view time, std::string_view job, std::string_view event,
                        std::string_view user = "u") {
  return std::string(time) + ",," + std::string(job) + ",0,7," + std::string(event) + "," +
         std::string(user) + ",0,2,0.5,0.25,0.001,1\n";
}

BadInputs google_inputs() {
  const std::string first = google_line("600000000", "1", "0") +
                            google_line("600000001", "1", "1") + google_line("600000009", "1", "4");
  const std::string second = google_line("600000010", "2", "0") +
                             google_line("600000011", "2", "1") +
                             google_line("600000012", "2", "4");
  return {"google2011",
          first + second,
          {{"malformed", first + google_line("600000010", "x", "0"), ":4: column 3 (job): ", 1},
           {"missing columns", first + "600000010,,1\n", ":4: row: expected 13 columns", 1},
           {"not UTF-8", first + google_line("600000010", "2", "0", "\xff"),
            ":4: column 7 (user): ", 1},
           {"a negative time", first + google_line("-1", "2", "0"), ":4: column 1 (time): ", 1},
           {"a sentinel for a time",
            google_line("0", "9", "1") + first + google_line("9223372036854775807", "1", "5"), "",
            1, "google.initial"},
           {"an end before the start", google_line("600000000", "1", "4") + first, "", 1},
           {"unsorted", google_line("600000002", "1", "0") + first + second,
            ":2: column 1 (time): expected 600000002 or later", 1},
           {"above 2^53",
            first + google_line("600000010", "9007199254740993", "0") +
                google_line("600000011", "9007199254740993", "1"),
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
       {"parts of several devices", pods(first + "b,1000,10,2,500,,BE,Running,7,9,8\n"),
        ":3: column 5 (gpu_milli): expected 1000, since num_gpu is above 1", 1},
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

}  // namespace

std::vector<BadInputs> bad_inputs() {
  return {swim_inputs(),        swf_inputs(),         hawk_inputs(), google_inputs(),
          alibaba2017_inputs(), alibaba2018_inputs(), pod_inputs(),  philly_inputs(),
          mix_inputs(),         rumen_inputs(),       sls_inputs(),  synth_inputs(),
          workflow_inputs()};
}

}  // namespace tracebed::testing
