#include "growth/growing_traces.h"

#include <fmt/format.h>

#include "growth/repeated.h"

namespace tracebed::test {
namespace {

using Jobs = GrowingTrace::Jobs;

// A WfCommons document of `specification` and of the same number of tasks that were executed.
std::string workflow(int count, const std::string& specification) {
  return R"({"name":"w","schemaVersion":"1.5","workflow":{"specification":{"tasks":[)" +
         specification + R"(]},"execution":{"makespanInSeconds":9,"tasks":[)" +
         repeated(count, R"({{"id":"t{i}","runtimeInSeconds":3}})", ",") + "]}}}\n";
}

const GrowingTrace traces[] = {
    {"SwfJobs",
     [](int count) {
       return repeated(count, "{next} {i} 0 10 4 3 -1 4 20 -1 1 1 1 1 1 1 -1 -1", "\n");
     }},
    {"SwfUsersAndQueues",
     [](int count) {
       return repeated(count, "{next} {i} 0 10 4 3 -1 4 20 -1 1 {i} {i} 1 {i} 1 -1 -1", "\n");
     }},
    {"SwfJobsInOneChain",
     [](int count) {
       return repeated(count, "{next} {i} 0 10 4 3 -1 4 20 -1 1 1 1 1 1 1 {i} 5", "\n");
     }},
    {"SwfJobsAfterOne",
     [](int count) {
       return repeated(count, "{next} {i} 0 10 4 3 -1 4 20 -1 1 1 1 1 1 1 1 5", "\n");
     }},
    {"SwfBadRows",
     [](int count) {
       return "1 1 0 10 4 3 -1 4 20 -1 1 1 1 1 1 1 -1 -1\n" +
              repeated(count, "{next} x 0 10 4 3 -1 4 20 -1 1 1 1 1 1 1 -1 -1", "\n");
     },
     Jobs::one},
    {"SwimJobs",
     [](int count) { return repeated(count, "job{i}\t{i}\t1\t300000000\t20000\t30000", "\n"); }},
    {"SwimJobsWithFiles",
     [](int count) {
       return repeated(count, "job{i}\t{i}\t1\t300000000\t20000\t30000\t/in{i}\t/out{i}", "\n");
     }},
    {"HawkJobs", [](int count) { return repeated(count, "{i} 1 3 4", "\n"); }},
    {"HawkTasks",
     [](int count) { return fmt::format("5 {} 3 ", count) + repeated(count, "4", " "); },
     Jobs::one},
    {"GoogleJobs",
     [](int count) {
       return repeated(count, "600000000,,{next},0,,0,u,1,2,0.5,0.25,0.001,0", "\n") + "\n" +
              repeated(count, "601000000,,{next},0,77,1,u,1,2,0.5,0.25,0.001,0", "\n") + "\n" +
              repeated(count, "609000000,,{next},0,77,4,u,1,2,0.5,0.25,0.001,0", "\n");
     }},
    {"GoogleTasks",
     [](int count) {
       return repeated(count, "600000000,,6,{i},,0,u,1,2,0.5,0.25,0.001,0", "\n") + "\n" +
              repeated(count, "601000000,,6,{i},77,1,u,1,2,0.5,0.25,0.001,0", "\n") + "\n" +
              repeated(count, "609000000,,6,{i},77,4,u,1,2,0.5,0.25,0.001,0", "\n");
     },
     Jobs::one},
    {"GoogleAttempts",
     [](int count) {
       return "600000000,,6,0,,0,u,1,2,0.5,0.25,0.001,0\n" +
              repeated(count,
                       "60{next}000000,,6,0,77,1,u,1,2,0.5,0.25,0.001,0\n"
                       "60{next}500000,,6,0,77,2,u,1,2,0.5,0.25,0.001,0\n"
                       "60{next}600000,,6,0,,0,u,1,2,0.5,0.25,0.001,0",
                       "\n");
     },
     Jobs::one},
    {"Alibaba2017Jobs",
     [](int count) { return repeated(count, "5,25,{next},4,2,Terminated,50,0.5", "\n"); }},
    {"Alibaba2017Tasks",
     [](int count) { return repeated(count, "5,25,3,{i},2,Terminated,50,0.5", "\n"); }, Jobs::one},
    {"Alibaba2018Jobs",
     [](int count) { return repeated(count, "M1,2,j_{i},12,Terminated,5,25,100,0.5", "\n"); }},
    {"Alibaba2018TasksInAChain",
     [](int count) {
       std::string text = "M1,1,j_1,12,Terminated,5,25,100,0.5";
       for (int i = 2; i <= count; ++i) {
         text += fmt::format("\nR{}_{},1,j_1,12,Terminated,5,35,100,0.5", i, i - 1);
       }
       return text;
     },
     Jobs::one},
    {"Alibaba2018TasksAfterOne",
     [](int count) {
       return "M1,2,j_1,12,Terminated,5,25,100,0.5\n" +
              repeated(count, "R1{next}_1,1,j_1,12,Terminated,5,35,100,0.5", "\n");
     },
     Jobs::one},
    {"Alibaba2018Names",
     [](int count) { return repeated(count, "task_{i},1,j_1,12,Terminated,5,35,100,0.5", "\n"); },
     Jobs::one},
    {"PodsOfTheGpuTrace",
     [](int count) {
       return "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,"
              "deletion_time,scheduled_time\n" +
              repeated(count, "p{i},6000,12288,1,460,,LS,Running,{i},99999999,{i}", "\n");
     }},
    {"PhillyJobs",
     [](int count) {
       return "timestamp,duration,num_gpus,gpu_time,cluster\n" +
              repeated(count, "2017-10-09 07:01:55,66.5,4,266,c{i}", "\n");
     }},
    {"MixJobs",
     [](int count) {
       return "job,submit_seconds,kind,input_bytes,maps,reduces,vcores,memory_mib,user,queue,"
              "input_path\n" +
              repeated(count, "j{i},{i},grep,100000000,2,1,2,512,u{i},q{i},/d{i}", "\n");
     }},
    {"RumenJobs",
     [](int count) {
       return repeated(
           count,
           R"({{"jobID":"j{i}","user":"u{i}","queue":"q{i}","submitTime":1000,"mapTasks":)"
           R"([{{"attempts":[{{"result":"SUCCESS","startTime":6000,"finishTime":9000}}]}}]}})",
           "\n");
     }},
    {"RumenTasks",
     [](int count) {
       return R"({"jobID":"j","submitTime":1000,"mapTasks":[)" +
              repeated(count,
                       R"({{"preferredLocations":[{{"layers":["r{i}","h{i}"]}}],"attempts":[)"
                       R"({{"result":"SUCCESS","startTime":6000,"finishTime":9000}}]}})",
                       ",") +
              "]}\n";
     },
     Jobs::one},
    {"RumenAttempts",
     [](int count) {
       return R"({"jobID":"j","submitTime":1000,"mapTasks":[{"attempts":[)" +
              repeated(count, R"({{"result":"FAILED","startTime":5000,"finishTime":5500}})", ",") +
              R"(,{"result":"SUCCESS","startTime":6000,"finishTime":9000}]}]})"
              "\n";
     },
     Jobs::one},
    {"SlsJobs",
     [](int count) {
       return repeated(count,
                       R"({{"am.type":"mapreduce","job.start.ms":{i},"job.queue.name":"q{i}",)"
                       R"("job.id":"j{i}","job.user":"u{i}","job.tasks":[{{"container.type":"map",)"
                       R"("container.start.ms":6000,"container.end.ms":9000}}]}})",
                       "\n");
     }},
    {"SlsTasks",
     [](int count) {
       return R"({"am.type":"mapreduce","job.start.ms":0,"job.queue.name":"q","job.tasks":[)" +
              repeated(count,
                       R"({{"container.type":"map","container.host":"/r{i}/h{i}",)"
                       R"("container.start.ms":6000,"container.end.ms":9000}})",
                       ",") +
              "]}\n";
     },
     Jobs::one},
    {"SlsDemands",
     [](int count) {
       return R"({"am.type":"mapreduce","job.start.ms":0,"job.queue.name":"q","job.tasks":[)" +
              repeated(count,
                       R"({{"container.type":"map","container.memory-mb":{next},)"
                       R"("container.start.ms":6000,"container.end.ms":9000}})",
                       ",") +
              "]}\n";
     },
     Jobs::one},
    {"SlsDelays",
     [](int count) {
       return R"({"am.type":"dag","job.start.ms":0,"job.queue.name":"q","job.tasks":[)" +
              repeated(count, R"({{"container.request.delay":{next},"duration.ms":13}})", ",") +
              "]}\n";
     },
     Jobs::one},
    {"SlsDemandsOfMapsAndReduces",
     [](int count) {
       std::string tasks = repeated(count / 2,
                                    R"({{"container.type":"map","container.memory-mb":{next},)"
                                    R"("duration.ms":9}})",
                                    ",") +
                           "," +
                           repeated(count / 2,
                                    R"({{"container.type":"reduce","container.memory-mb":{next},)"
                                    R"("duration.ms":9}})",
                                    ",");
       return R"({"am.type":"mapreduce","job.start.ms":0,"job.queue.name":"q","job.tasks":[)" +
              tasks + "]}\n";
     },
     Jobs::one, 128},
    {"SynthWorkloads",
     [](int count) {
       return R"({"num_jobs":1,"rand_seed":5,"workloads":[)" +
              repeated(
                  count,
                  R"({{"workload_weight":1,"queue_name":"q{i}","job_classes":[{{"class_weight":1,)"
                  R"("mtasks_avg":3,"mtime_avg":7}}],"time_distribution":[{{"time":5,)"
                  R"("weight":1}}]}})",
                  ",") +
              "]}\n";
     },
     Jobs::one},
    {"SynthJobs",
     [](int count) {
       return fmt::format(
           R"({{"num_jobs":{},"rand_seed":5,"description":"{}","workloads":[{{"workload_weight":1,)"
           R"("job_classes":[{{"class_weight":1,"mtasks_avg":3,"mtime_avg":7}}],)"
           R"("time_distribution":[{{"time":5,"weight":1}}]}}]}})"
           "\n",
           count, std::string(static_cast<std::size_t>(count) * 50, 'd'));
     }},
    {"WorkflowTasksInAChain",
     [](int count) {
       std::string tasks;
       for (int i = 0; i < count; ++i) {
         tasks += fmt::format(R"({}{{"id":"t{}","parents":[{}],"children":[{}]}})",
                              i == 0 ? "" : ",", i, i == 0 ? "" : fmt::format("\"t{}\"", i - 1),
                              i + 1 == count ? "" : fmt::format("\"t{}\"", i + 1));
       }
       return workflow(count, tasks);
     },
     Jobs::one},
    {"WorkflowTasksAfterOne",
     [](int count) {
       return workflow(count + 1,
                       R"({"id":"t0","parents":[],"children":[)" +
                           repeated(count, "\"t{next}\"", ",") + "]}," +
                           repeated(count, R"({{"id":"t{next}","parents":["t0"]}})", ","));
     },
     Jobs::one},
    {"WorkflowParentsOfOne",
     [](int count) {
       return workflow(count + 1, repeated(count, R"({{"id":"t{i}","parents":[]}})", ",") +
                                      fmt::format(R"(,{{"id":"t{}","parents":[)", count) +
                                      repeated(count, "\"t{i}\"", ",") + "]}");
     },
     Jobs::one},
    {"WorkflowFiles",
     [](int count) {
       return R"({"name":"w","schemaVersion":"1.5","workflow":{"specification":{"tasks":[)"
              R"({"id":"a","parents":[],"inputFiles":[)" +
              repeated(count, "\"f{i}\"", ",") + R"(]}],"files":[)" +
              repeated(count, R"({{"id":"f{i}","sizeInBytes":70}})", ",") +
              R"(]},"execution":{"tasks":[{"id":"a","runtimeInSeconds":3}]}}})"
              "\n";
     },
     Jobs::one},
    {"WorkflowFieldsThatNobodyKnows",
     [](int count) {
       return R"({"name":"w","schemaVersion":"1.5",)" + repeated(count, R"("k{i}":{i})", ",") +
              R"(,"workflow":{"specification":{"tasks":[{"id":"a"}]},)"
              R"("execution":{"tasks":[{"id":"a","runtimeInSeconds":3}]}}})"
              "\n";
     },
     Jobs::one},
};

}  // namespace

std::span<const GrowingTrace> growing_traces() {
  return traces;
}

}  // namespace tracebed::test
