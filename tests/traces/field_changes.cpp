#include "traces/field_changes.h"

#include <algorithm>

namespace tracebed::testing {
namespace {

// The columns of a row with another value in one of them.
std::vector<FieldChange> changes_of_row(const std::string& row, char separator,
                                        const std::vector<std::string>& fields,
                                        const std::vector<std::string>& others,
                                        std::size_t file = 0) {
  std::vector<FieldChange> changes;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const std::size_t end = std::min(row.find(separator, begin), row.size());
    std::string changed = row;
    changed.replace(begin, end - begin, others.at(i));
    changes.push_back(FieldChange(fields[i], row, changed).in(file));
    begin = end + 1;
  }
  return changes;
}

void set_rule_of(std::vector<FieldChange>& changes, const std::string& field,
                 const std::string& rule, const std::string& value) {
  for (FieldChange& change : changes) {
    if (change.field == field) change = std::move(change).with(rule, value);
  }
}

FieldChanges swf() {
  const std::string row = "1 5 90 10 4 3 2048 5 20 4096 1 7 8 9 2 1 6 30";
  FieldChanges all{"swf", {{"trace", row + "\n"}}, {}};
  all.changes =
      changes_of_row(row, ' ',
                     {"job number", "submit time", "wait time", "run time", "allocated processors",
                      "average CPU time", "used memory", "requested processors", "requested time",
                      "requested memory", "status", "user", "group", "executable", "queue",
                      "partition", "preceding job", "think time"},
                     {"2", "6", "91", "11", "5", "4", "1024", "6", "21", "8192", "2", "8", "9",
                      "10", "3", "2", "7", "31"});
  set_rule_of(all.changes, "allocated processors", "swf.processors", "allocated");
  set_rule_of(all.changes, "group", "swf.user", "group");
  set_rule_of(all.changes, "partition", "swf.queue", "partition");
  return all;
}

FieldChanges swim() {
  const std::string row = "j0\t5\t5\t300000000\t20000\t30000\t/in\t/out";
  FieldChanges all{"swim", {{"trace", row + "\n"}}, {}};
  all.changes = changes_of_row(row, '\t',
                               {"job id", "submit time", "gap", "map input bytes", "shuffle bytes",
                                "output bytes", "input path", "output path"},
                               {"j1", "6", "6", "400000000", "30000", "40000", "/on", "/off"});
  return all;
}

FieldChanges hawk() {
  const std::string row = "5 1 3 4";
  FieldChanges all{"hawk", {{"trace", row + "\n"}}, {}};
  all.changes =
      changes_of_row(row, ' ', {"submit time", "tasks", "mean duration", "duration of a task"},
                     {"6", "2", "9", "5"});
  return all;
}

FieldChanges google2011() {
  const std::string scheduled = "601000000,1,6,0,77,1,u,1,2,0.5,0.25,0.001,1";
  const std::string ended = "609000000,,6,0,77,4,u,1,2,0.5,0.25,0.001,1";
  const std::string event = "620000000,1,8,4,v,2,name,logical";
  FieldChanges all{
      "google2011",
      {{"task_events/part-0", "600000000,,6,0,,0,u,1,2,0.5,0.25,0.001,1\n" + scheduled + "\n" +
                                  "602000000,,8,0,,0,u,1,2,0.5,0.25,0.001,1\n"
                                  "603000000,,8,0,77,1,u,1,2,0.5,0.25,0.001,1\n" +
                                  ended + "\n615000000,,9,0,,0,u,1,2,0.5,0.25,0.001,1\n"},
       {"job_events/part-0", event + "\n"}},
      {}};
  const std::vector<std::string> fields = {"time",
                                           "missing info",
                                           "job",
                                           "task index",
                                           "machine",
                                           "event",
                                           "user",
                                           "scheduling class",
                                           "priority",
                                           "CPU request",
                                           "memory request",
                                           "disk request",
                                           "different machines"};
  all.changes = changes_of_row(
      scheduled, ',', fields,
      {"600500000", "2", "7", "1", "78", "0", "u", "2", "9", "0.5", "0.25", "0.002", "0"});
  // What is taken of the last row of a task, or of the first.
  std::erase_if(all.changes, [](const FieldChange& change) {
    return change.field == "user" || change.field == "CPU request" ||
           change.field == "memory request";
  });
  all.changes.emplace_back("user", "600000000,,6,0,,0,u", "600000000,,6,0,,0,w");
  all.changes.emplace_back("CPU request", ended, "609000000,,6,0,77,4,u,1,2,0.75,0.25,0.001,1");
  all.changes.emplace_back("memory request", ended, "609000000,,6,0,77,4,u,1,2,0.5,0.75,0.001,1");
  for (FieldChange& change :
       changes_of_row(event, ',',
                      {"job_events.time", "job_events.missing info", "job_events.job",
                       "job_events.event", "job_events.user", "job_events.scheduling class",
                       "job_events.job name", "job_events.logical name"},
                      {"630000000", "2", "9", "0", "w", "3", "names", "logics"}, 1)) {
    all.changes.push_back(std::move(change));
  }
  return all;
}

FieldChanges alibaba2017() {
  const std::string task = "5,25,3,4,2,Terminated,50,0.5";
  const std::string instance = "6,20,3,4,77,Terminated,1,2,0.5,0.25,0.0625,0.125";
  FieldChanges all{"alibaba2017",
                   {{"batch_task.csv", task + "\n5,26,3,5,2,Terminated,50,0.5\n"},
                    {"batch_instance.csv", instance + "\n"}},
                   {}};
  all.changes = changes_of_row(task, ',',
                               {"task_create_time", "task_end_time", "job_id", "task_id",
                                "instances", "status", "cpu", "memory"},
                               {"4", "24", "2", "6", "3", "Running", "60", "0.25"});
  // Of the task without instances in their table.
  all.changes[1] = {"task_end_time", "5,26,3,5", "5,27,3,5"};
  for (FieldChange& change : changes_of_row(
           instance, ',',
           {"batch_instance.start_timestamp", "batch_instance.end_timestamp",
            "batch_instance.job_id", "batch_instance.task_id", "batch_instance.machineID",
            "batch_instance.status", "batch_instance.seq_no", "batch_instance.total_seq_no",
            "batch_instance.real_cpu_max", "batch_instance.real_cpu_avg",
            "batch_instance.real_mem_max", "batch_instance.real_mem_avg"},
           {"7", "21", "4", "5", "78", "Failed", "2", "3", "0.75", "0.125", "0.125", "0.25"}, 1)) {
    all.changes.push_back(std::move(change));
  }
  return all;
}

FieldChanges alibaba2018() {
  const std::string task = "R2_1,2,j_1,12,Terminated,5,35,100,0.5";
  const std::string instance = "i,R2_1,j_1,12,Terminated,26,34,m_1,1,2,50,80,0.25,0.375";
  FieldChanges all{"alibaba2018",
                   {{"batch_task.csv", "M1,2,j_1,12,Terminated,5,25,100,0.5\n" + task +
                                           "\nM3,2,j_1,12,Terminated,5,15,100,0.5\n"},
                    {"batch_instance.csv", instance + "\n"}},
                   {}};
  all.changes = changes_of_row(task, ',',
                               {"task_name", "instance_num", "job_name", "task_type", "status",
                                "start_time", "end_time", "plan_cpu", "plan_mem"},
                               {"R2_3", "3", "j_2", "11", "Waiting", "4", "36", "90", "0.25"});
  // Of the map, whose instances are in no table.
  all.changes[6] = {"end_time", "Terminated,5,25", "Terminated,5,24"};
  for (FieldChange& change : changes_of_row(
           instance, ',',
           {"batch_instance.instance_name", "batch_instance.task_name", "batch_instance.job_name",
            "batch_instance.task_type", "batch_instance.status", "batch_instance.start_time",
            "batch_instance.end_time", "batch_instance.machine_id", "batch_instance.seq_no",
            "batch_instance.total_seq_no", "batch_instance.cpu_avg", "batch_instance.cpu_max",
            "batch_instance.mem_avg", "batch_instance.mem_max"},
           {"k", "M1", "j_2", "11", "Failed", "27", "33", "m_2", "2", "3", "60", "90", "0.375",
            "0.25"},
           1)) {
    all.changes.push_back(std::move(change));
  }
  return all;
}

FieldChanges pods() {
  const std::string row = "a,6000,12288,1,460,T4,LS,Running,10,100,40";
  const std::vector<std::string> fields = {
      "name", "cpu_milli", "memory_mib",    "num_gpu",       "gpu_milli",     "gpu_spec",
      "qos",  "pod_phase", "creation_time", "deletion_time", "scheduled_time"};
  std::string header = fields.front();
  for (std::size_t i = 1; i < fields.size(); ++i) header += "," + fields[i];
  FieldChanges all{"alibaba_gpu", {{"trace", header + "\n" + row + "\n"}}, {}};
  all.changes =
      changes_of_row(row, ',', fields,
                     {"b", "7000", "12289", "2", "470", "V100", "BE", "Failed", "11", "101", "41"});
  set_rule_of(all.changes, "gpu_spec", "pods.gpu_models", "labels");
  return all;
}

FieldChanges philly() {
  const std::string row = "2017-10-09 07:01:55,66.5,4,266,a";
  FieldChanges all{
      "philly", {{"trace", "timestamp,duration,num_gpus,gpu_time,cluster\n" + row + "\n"}}, {}};
  all.changes =
      changes_of_row(row, ',', {"timestamp", "duration", "num_gpus", "gpu_time", "cluster"},
                     {"2017-10-09 07:01:56", "67", "5", "267", "b"});
  return all;
}

FieldChanges mix() {
  const std::string row = "a,5,grep,100000000,2,1,2,512,u,q,/d,900";
  const std::vector<std::string> fields = {
      "job",    "submit_seconds", "kind", "input_bytes", "maps",       "reduces",
      "vcores", "memory_mib",     "user", "queue",       "input_path", "deadline_seconds"};
  std::string header = fields.front();
  for (std::size_t i = 1; i < fields.size(); ++i) header += "," + fields[i];
  FieldChanges all{"mix", {{"trace", header + "\n" + row + "\n"}}, {}};
  all.changes =
      changes_of_row(row, ',', fields,
                     {"b", "6", "sort", "100000001", "3", "2", "1", "513", "v", "r", "/e", "901"});
  return all;
}

FieldChanges rumen() {
  return {
      "rumen",
      {{"trace",
        R"({"jobID":"j","user":"u","queue":"q","priority":"HIGH","submitTime":1000,)"
        R"("launchTime":2000,"jobMapMB":512,"jobReduceMB":768,"jobProperties":)"
        R"({"mapreduce.map.cpu.vcores":"2"},"mapTasks":[{"inputBytes":70,"preferredLocations":)"
        R"([{"layers":["r1","h1"]}],"attempts":[{"result":"FAILED","startTime":5000,)"
        R"("finishTime":5500},{"result":"SUCCESS","startTime":6000,"finishTime":9000,)"
        R"("hostName":"/r1/h1","hdfsBytesRead":80,"hdfsBytesWritten":90,)"
        R"("resourceUsageMetrics":{"cumulativeCpuUsage":1500,"physicalMemoryUsage":104857600}},)"
        R"({"result":"KILLED","startTime":6500,"finishTime":6900}]},)"
        R"({"attempts":[{"result":"SUCCESS","startTime":6000,"finishTime":8000,)"
        R"("hdfsBytesRead":81}]}],"reduceTasks":[{"attempts":[{"result":"SUCCESS",)"
        R"("startTime":7000,"finishTime":12000,"reduceShuffleBytes":60}]}],)"
        R"("otherTasks":[{"attempts":[{"result":"SUCCESS","startTime":1,"finishTime":3}]}],)"
        R"("relativeTime":4})"
        "\n"}},
      {{"jobID", "\"j\"", "\"k\""},
       {"user", "\"u\"", "\"v\""},
       {"queue", "\"q\"", "\"r\""},
       {"priority", "HIGH", "LOW"},
       {"submitTime", "1000", "1001"},
       {"launchTime", "\"submitTime\":1000,", ""},
       {"jobMapMB", "512", "513"},
       {"jobReduceMB", "768", "769"},
       {"jobProperties", "\"2\"", "\"3\""},
       {"mapTasks", "\"mapTasks\":[", "\"mapTasks\":[{\"attempts\":[]},"},
       {"reduceTasks", "\"reduceTasks\":[", "\"reduceTasks\":[{\"attempts\":[]},"},
       FieldChange("otherTasks", "\"startTime\":1,", "\"startTime\":2,"),
       {"inputBytes", "70", "71"},
       {"preferredLocations", "\"preferredLocations\"", "\"other\""},
       {"layers", "\"h1\"", "\"h2\""},
       {"attempts", "[{\"result\":\"SUCCESS\",\"startTime\":6000,\"finishTime\":8000",
        "[{\"result\":\"SUCCESS\",\"startTime\":6000,\"finishTime\":7900"},
       {"result", "KILLED", "SUCCESS"},
       {"startTime", "\"startTime\":6000", "\"startTime\":6001"},
       {"finishTime", "\"finishTime\":12000", "\"finishTime\":12001"},
       {"hostName", "/r1/h1", "/r1/h2"},
       {"hdfsBytesRead", "81", "82"},
       {"hdfsBytesWritten", "Written\":90", "Written\":91"},
       {"reduceShuffleBytes", "60}", "61}"},
       {"resourceUsageMetrics", "1500", "1501"}}};
}

FieldChanges sls() {
  return {
      "sls",
      {{"trace",
        R"({"am.type":"mapreduce","am.memory-mb":2048,"job.start.ms":1000,"job.end.ms":99000,)"
        R"("job.queue.name":"q","job.user":"u","job.id":"j","job.label.expression":"x",)"
        R"("job.tasks":[{"count":2,"container.type":"map","container.host":"/r1/h1",)"
        R"("container.vcores":2,"container.memory-mb":512,"container.fpga":3,)"
        R"("container.gate":5,"container.priority":20,"container.start.ms":6000,)"
        R"("container.end.ms":9000},{"container.type":"reduce","container.start.ms":7000,)"
        R"("container.end.ms":12000}]})"
        "\n"
        R"({"am.type":"dag","job.start.ms":2000,"job.queue.name":"q","job.count":2,)"
        R"("deadline":7,"job.tasks":[{"container.request.delay":70,"container.duration.ms":11},)"
        R"({"duration.ms":13}]})"
        "\n"}},
      {{"job.start.ms", "1000", "1001"},
       {"job.end.ms", "99000", "99001"},
       {"job.queue.name", "\"q\"", "\"r\""},
       {"job.user", "\"u\"", "\"v\""},
       {"job.id", "\"j\"", "\"k\""},
       {"job.count", "\"job.count\":2", "\"job.count\":3"},
       {"job.label.expression", "\"x\"", "\"y\""},
       {"am.type", "\"dag\"", "\"stream\""},
       FieldChange("am.<resource>", "2048", "4096").listed_as("am.memory-mb"),
       {"job.tasks", "{\"duration.ms\":13}", "{\"duration.ms\":13},{\"duration.ms\":17}"},
       {"container.type", "\"map\"", "\"reduce\""},
       {"container.host", "/r1/h1", "/r1/h2"},
       {"count", "\"count\":2", "\"count\":3"},
       {"container.request.delay", "delay\":70", "delay\":80"},
       {"container.vcores", "\"container.vcores\":2", "\"container.vcores\":3"},
       {"container.memory-mb", "512", "513"},
       {"container.<resource>", "\"container.fpga\":3", "\"container.fpga\":4"},
       {"container.duration.ms", "11", "12"},
       {"duration.ms", "13", "14"},
       {"container.start.ms", "6000", "6001"},
       {"container.end.ms", "12000", "12001"},
       {"container.priority", "20,", "21,"}}};
}

FieldChanges synth() {
  return {
      "synth",
      {{"trace",
        R"({"num_jobs":40,"rand_seed":5,"description":"d","workloads":[{"workload_weight":1,)"
        R"("queue_name":"q","job_classes":[{"class_weight":1,"user_name":"u","type":"mapreduce",)"
        R"("tasks":[{"type":"map",)"
        R"("time":{"val":60,"std":5},"count":{"val":2}}]},{"class_weight":1,"mtasks_avg":3,)"
        R"("dur_avg":50,"chance_of_reservation":0.5,"deadline_factor_avg":3,"mtime_avg":7}],)"
        R"("time_distribution":[{"time":5,"weight":1},{"time":25,"weight":2}]},)"
        R"({"workload_weight":1,"job_classes":[{"mtasks_avg":3,"mtime_avg":7}],)"
        R"("time_distribution":[{"time":5,"weight":1}]}]})"
        "\n"}},
      {{"num_jobs", "40", "50"},
       {"rand_seed", "\"rand_seed\":5", "\"rand_seed\":6"},
       {"workload_weight", "\"workload_weight\":1", "\"workload_weight\":0"},
       {"queue_name", "\"q\"", "\"r\""},
       {"class_weight", "\"class_weight\":1", "\"class_weight\":0"},
       {"user_name", "\"u\"", "\"v\""},
       {"type", "\"mapreduce\"", "\"stream\""},
       {"tasks", "\"val\":2", "\"val\":3"},
       {"mtasks_avg", "\"mtasks_avg\":3", "\"mtasks_avg\":9"},
       {"time_distribution", "\"time\":25", "\"time\":95"},
       {"deadline_factor_avg", "\"deadline_factor_avg\":3", "\"deadline_factor_avg\":4"},
       {"chance_of_reservation", "0.5", "0.9"}}};
}

FieldChanges wfcommons() {
  return {
      "wfcommons",
      {{"trace",
        R"({"name":"w","schemaVersion":"1.5","workflow":{"specification":{"tasks":[)"
        R"({"id":"a","parents":[],"children":["b"],"inputFiles":["x"],"outputFiles":["y"]},)"
        R"({"id":"b","parents":["a"],"children":[]},{"id":"c"}],)"
        R"("files":[{"id":"x","sizeInBytes":70},{"id":"y","sizeInBytes":80}]},)"
        R"("execution":{"makespanInSeconds":9,"machines":[{"nodeName":"n"}],"tasks":[)"
        R"({"id":"a","runtimeInSeconds":3,"coreCount":2,"avgCPU":50,"memoryInBytes":2147483648,)"
        R"("command":{"program":"p"}},{"id":"b","runtimeInSeconds":2},)"
        R"({"id":"c","runtimeInSeconds":4}]}}})"
        "\n"
        R"({"name":"old","workflow":{"tasks":[{"name":"a","children":["b"],"runtime":3},)"
        R"({"name":"b","runtime":2},{"name":"c","runtime":2}]}})"
        "\n"}},
      {{"name", "\"old\"", "\"older\""},
       {"schemaVersion", "1.5", "1.6"},
       {"makespanInSeconds", "\"makespanInSeconds\":9", "\"makespanInSeconds\":8"},
       {"id", "{\"id\":\"c\"}", "{\"id\":\"d\"}"},
       {"parents", "\"parents\":[\"a\"]", "\"parents\":[\"c\"]"},
       {"children", "[\"b\"],\"runtime\"", "[\"c\"],\"runtime\""},
       {"inputFiles", "\"inputFiles\":[\"x\"]", "\"inputFiles\":[\"y\"]"},
       {"outputFiles", "\"outputFiles\":[\"y\"]", "\"outputFiles\":[\"x\"]"},
       {"sizeInBytes", "70", "71"},
       {"runtimeInSeconds", "\"runtimeInSeconds\":3", "\"runtimeInSeconds\":4"},
       {"coreCount", "\"coreCount\":2", "\"coreCount\":3"},
       {"avgCPU", "50", "51"},
       {"memoryInBytes", "2147483648", "2147483649"},
       {"machines", "\"n\"", "\"m\""},
       {"command", "\"p\"", "\"q\""}}};
}

}  // namespace

std::vector<FieldChanges> field_changes() {
  return {swf(),    swim(), hawk(),  google2011(), alibaba2017(), alibaba2018(), pods(),
          philly(), mix(),  rumen(), sls(),        synth(),       wfcommons()};
}

}  // namespace tracebed::testing
