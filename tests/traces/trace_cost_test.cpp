// What a trace costs: however its rows, the tasks of a job, their edges or its bad rows grow, to
// read it costs in proportion to its text.
#include <algorithm>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>

#include "core/input_error.h"
#include "support/cpu_time.h"
#include "traces/trace_texts.h"

namespace tracebed::testing {
namespace {

struct GrowingTrace {
  const char* name;
  std::string (*text)(int count);
  // Jobs that are read of it, for each of `count` or in all.
  enum class Jobs { each, one, none } jobs = Jobs::each;
};
using Jobs = GrowingTrace::Jobs;

// `form` with each number, and what comes before and after it in turn.
std::string rows(int count, const char* form, const char* separator = "\n") {
  std::string text;
  for (int i = 0; i < count; ++i) {
    if (i > 0) text += separator;
    text += fmt::format(fmt::runtime(form), fmt::arg("i", i), fmt::arg("next", i + 1));
  }
  return text;
}

// A WfCommons document of `specification` and of the same number of tasks that were executed.
std::string workflow(int count, const std::string& specification) {
  return R"({"name":"w","schemaVersion":"1.5","workflow":{"specification":{"tasks":[)" +
         specification + R"(]},"execution":{"makespanInSeconds":9,"tasks":[)" +
         rows(count, R"({{"id":"t{i}","runtimeInSeconds":3}})", ",") + "]}}}\n";
}

const GrowingTrace growing_traces[] = {
    {"SwfJobs",
     [](int count) { return rows(count, "{next} {i} 0 10 4 3 -1 4 20 -1 1 1 1 1 1 1 -1 -1"); }},
    {"SwfUsersAndQueues",
     [](int count) {
       return rows(count, "{next} {i} 0 10 4 3 -1 4 20 -1 1 {i} {i} 1 {i} 1 -1 -1");
     }},
    {"SwfJobsInOneChain",
     [](int count) { return rows(count, "{next} {i} 0 10 4 3 -1 4 20 -1 1 1 1 1 1 1 {i} 5"); }},
    {"SwfJobsAfterOne",
     [](int count) { return rows(count, "{next} {i} 0 10 4 3 -1 4 20 -1 1 1 1 1 1 1 1 5"); }},
    {"SwfBadRows",
     [](int count) {
       return "1 1 0 10 4 3 -1 4 20 -1 1 1 1 1 1 1 -1 -1\n" +
              rows(count, "{next} x 0 10 4 3 -1 4 20 -1 1 1 1 1 1 1 -1 -1");
     },
     Jobs::one},
    {"SwimJobs", [](int count) { return rows(count, "job{i}\t{i}\t1\t300000000\t20000\t30000"); }},
    {"SwimJobsWithFiles",
     [](int count) {
       return rows(count, "job{i}\t{i}\t1\t300000000\t20000\t30000\t/in{i}\t/out{i}");
     }},
    {"HawkJobs", [](int count) { return rows(count, "{i} 1 3 4"); }},
    {"HawkTasks", [](int count) { return fmt::format("5 {} 3 ", count) + rows(count, "4", " "); },
     Jobs::one},
    {"GoogleJobs",
     [](int count) {
       return rows(count, "600000000,,{next},0,,0,u,1,2,0.5,0.25,0.001,0") + "\n" +
              rows(count, "601000000,,{next},0,77,1,u,1,2,0.5,0.25,0.001,0") + "\n" +
              rows(count, "609000000,,{next},0,77,4,u,1,2,0.5,0.25,0.001,0");
     }},
    {"GoogleTasks",
     [](int count) {
       return rows(count, "600000000,,6,{i},,0,u,1,2,0.5,0.25,0.001,0") + "\n" +
              rows(count, "601000000,,6,{i},77,1,u,1,2,0.5,0.25,0.001,0") + "\n" +
              rows(count, "609000000,,6,{i},77,4,u,1,2,0.5,0.25,0.001,0");
     },
     Jobs::one},
    {"GoogleAttempts",
     [](int count) {
       return "600000000,,6,0,,0,u,1,2,0.5,0.25,0.001,0\n" +
              rows(count,
                   "60{next}000000,,6,0,77,1,u,1,2,0.5,0.25,0.001,0\n"
                   "60{next}500000,,6,0,77,2,u,1,2,0.5,0.25,0.001,0\n"
                   "60{next}600000,,6,0,,0,u,1,2,0.5,0.25,0.001,0");
     },
     Jobs::one},
    {"Alibaba2017Jobs", [](int count) { return rows(count, "5,25,{next},4,2,Terminated,50,0.5"); }},
    {"Alibaba2017Tasks", [](int count) { return rows(count, "5,25,3,{i},2,Terminated,50,0.5"); },
     Jobs::one},
    {"Alibaba2018Jobs",
     [](int count) { return rows(count, "M1,2,j_{i},12,Terminated,5,25,100,0.5"); }},
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
              rows(count, "R1{next}_1,1,j_1,12,Terminated,5,35,100,0.5");
     },
     Jobs::one},
    {"Alibaba2018Names",
     [](int count) { return rows(count, "task_{i},1,j_1,12,Terminated,5,35,100,0.5"); }, Jobs::one},
    {"PodsOfTheGpuTrace",
     [](int count) {
       return "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,"
              "deletion_time,scheduled_time\n" +
              rows(count, "p{i},6000,12288,1,460,,LS,Running,{i},99999999,{i}");
     }},
    {"PhillyJobs",
     [](int count) {
       return "timestamp,duration,num_gpus,gpu_time,cluster\n" +
              rows(count, "2017-10-09 07:01:55,66.5,4,266,c{i}");
     }},
    {"MixJobs",
     [](int count) {
       return "job,submit_seconds,kind,input_bytes,maps,reduces,vcores,memory_mib,user,queue,"
              "input_path\n" +
              rows(count, "j{i},{i},grep,100000000,2,1,2,512,u{i},q{i},/d{i}");
     }},
    {"RumenJobs",
     [](int count) {
       return rows(
           count,
           R"({{"jobID":"j{i}","user":"u{i}","queue":"q{i}","submitTime":1000,"mapTasks":)"
           R"([{{"attempts":[{{"result":"SUCCESS","startTime":6000,"finishTime":9000}}]}}]}})");
     }},
    {"RumenTasks",
     [](int count) {
       return R"({"jobID":"j","submitTime":1000,"mapTasks":[)" +
              rows(count,
                   R"({{"preferredLocations":[{{"layers":["r{i}","h{i}"]}}],"attempts":[)"
                   R"({{"result":"SUCCESS","startTime":6000,"finishTime":9000}}]}})",
                   ",") +
              "]}\n";
     },
     Jobs::one},
    {"RumenAttempts",
     [](int count) {
       return R"({"jobID":"j","submitTime":1000,"mapTasks":[{"attempts":[)" +
              rows(count, R"({{"result":"FAILED","startTime":5000,"finishTime":5500}})", ",") +
              R"(,{"result":"SUCCESS","startTime":6000,"finishTime":9000}]}]})"
              "\n";
     },
     Jobs::one},
    {"SlsJobs",
     [](int count) {
       return rows(count,
                   R"({{"am.type":"mapreduce","job.start.ms":{i},"job.queue.name":"q{i}",)"
                   R"("job.id":"j{i}","job.user":"u{i}","job.tasks":[{{"container.type":"map",)"
                   R"("container.start.ms":6000,"container.end.ms":9000}}]}})");
     }},
    {"SlsTasks",
     [](int count) {
       return R"({"am.type":"mapreduce","job.start.ms":0,"job.queue.name":"q","job.tasks":[)" +
              rows(count,
                   R"({{"container.type":"map","container.host":"/r{i}/h{i}",)"
                   R"("container.start.ms":6000,"container.end.ms":9000}})",
                   ",") +
              "]}\n";
     },
     Jobs::one},
    {"SlsDemands",
     [](int count) {
       return R"({"am.type":"mapreduce","job.start.ms":0,"job.queue.name":"q","job.tasks":[)" +
              rows(count,
                   R"({{"container.type":"map","container.memory-mb":{next},)"
                   R"("container.start.ms":6000,"container.end.ms":9000}})",
                   ",") +
              "]}\n";
     },
     Jobs::one},
    {"SlsDelays",
     [](int count) {
       return R"({"am.type":"dag","job.start.ms":0,"job.queue.name":"q","job.tasks":[)" +
              rows(count, R"({{"container.request.delay":{next},"duration.ms":13}})", ",") + "]}\n";
     },
     Jobs::one},
    {"SlsDemandsOfMapsAndReduces",
     [](int count) {
       std::string tasks = rows(count / 2,
                                R"({{"container.type":"map","container.memory-mb":{next},)"
                                R"("duration.ms":9}})",
                                ",") +
                           "," +
                           rows(count / 2,
                                R"({{"container.type":"reduce","container.memory-mb":{next},)"
                                R"("duration.ms":9}})",
                                ",");
       return R"({"am.type":"mapreduce","job.start.ms":0,"job.queue.name":"q","job.tasks":[)" +
              tasks + "]}\n";
     },
     Jobs::one},
    {"SynthWorkloads",
     [](int count) {
       return R"({"num_jobs":1,"rand_seed":5,"workloads":[)" +
              rows(count,
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
       return workflow(count + 1, R"({"id":"t0","parents":[],"children":[)" +
                                      rows(count, "\"t{next}\"", ",") + "]}," +
                                      rows(count, R"({{"id":"t{next}","parents":["t0"]}})", ","));
     },
     Jobs::one},
    {"WorkflowParentsOfOne",
     [](int count) {
       return workflow(count + 1, rows(count, R"({{"id":"t{i}","parents":[]}})", ",") +
                                      fmt::format(R"(,{{"id":"t{}","parents":[)", count) +
                                      rows(count, "\"t{i}\"", ",") + "]}");
     },
     Jobs::one},
    {"WorkflowFiles",
     [](int count) {
       return R"({"name":"w","schemaVersion":"1.5","workflow":{"specification":{"tasks":[)"
              R"({"id":"a","parents":[],"inputFiles":[)" +
              rows(count, "\"f{i}\"", ",") + R"(]}],"files":[)" +
              rows(count, R"({{"id":"f{i}","sizeInBytes":70}})", ",") +
              R"(]},"execution":{"tasks":[{"id":"a","runtimeInSeconds":3}]}}})"
              "\n";
     },
     Jobs::one},
    {"WorkflowFieldsThatNobodyKnows",
     [](int count) {
       return R"({"name":"w","schemaVersion":"1.5",)" + rows(count, R"("k{i}":{i})", ",") +
              R"(,"workflow":{"specification":{"tasks":[{"id":"a"}]},)"
              R"("execution":{"tasks":[{"id":"a","runtimeInSeconds":3}]}}})"
              "\n";
     },
     Jobs::one},
};

class TraceCost : public ::testing::TestWithParam<GrowingTrace> {};
class TraceCostGrowth : public TraceCost {};

// As FileCostGrowth (tests/coordinator/config/file_cost_test.cpp).
TEST_P(TraceCostGrowth, IsInProportionToTheText) {
  constexpr int few = 2'000;
  constexpr int times = 8;
  const std::string small = GetParam().text(few);
  const std::string large = GetParam().text(few * times);
  double least_of_few = 1e9;
  double least_of_many = 1e9;
  const auto cost = [](const std::string& text) {
    const double begin = process_cpu_seconds();
    (void)read_trace(text, skipping());
    return process_cpu_seconds() - begin;
  };
  for (int i = 0; i < 5; ++i) {
    least_of_few = std::min(least_of_few, cost(small));
    least_of_many = std::min(least_of_many, cost(large));
  }
  const double growth = static_cast<double>(large.size()) / static_cast<double>(small.size());
  EXPECT_LT(least_of_many, least_of_few * growth * 3)
      << least_of_few * 1e3 << " ms and " << least_of_many * 1e3 << " ms";
}

TEST_P(TraceCost, IsPaidForJobsThatAreRead) {
  constexpr int count = 500;
  const ReadTrace read = read_trace(GetParam().text(count), skipping());
  EXPECT_EQ(read.jobs.size(), GetParam().jobs == Jobs::each ? std::size_t{count} : 1u);
}

// Each stage of reduces needs each of maps.
TEST(Sls, LeavesOutJobsWhoseMapsAndReducesAskForTooManyDifferentAmounts) {
  const auto job_of = [](int maps, int reduces) {
    std::string tasks;
    for (int i = 0; i < maps + reduces; ++i) {
      tasks +=
          fmt::format(R"({}{{"container.type":"{}","container.memory-mb":{},"duration.ms":9}})",
                      i == 0 ? "" : ",", i < maps ? "map" : "reduce", i + 1);
    }
    return R"({"am.type":"mapreduce","job.start.ms":0,"job.queue.name":"q","job.tasks":[)" + tasks +
           "]}\n";
  };
  EXPECT_EQ(read_trace(job_of(1000, 1000)).jobs.at(0).stages.size(), 2000u);
  EXPECT_THAT(read_error(job_of(1001, 1000)),
              ::testing::HasSubstr(
                  "expected tasks of at most 65535 different demands and delays, those of "
                  "maps times those of reduces at most 1000000, got 1001 of maps and 1000 of "
                  "reduces"));
  EXPECT_EQ(read_trace(job_of(1001, 1000) + job_of(1, 1), skipping()).jobs.size(), 1u);
  EXPECT_EQ(read_error(job_of(65'535, 0)), "no error");
  EXPECT_THAT(read_error(job_of(65'536, 0)),
              ::testing::HasSubstr("got 65536 of maps and 0 of reduces"));
}

std::string name_of_growing(const ::testing::TestParamInfo<GrowingTrace>& info) {
  return info.param.name;
}
INSTANTIATE_TEST_SUITE_P(Texts, TraceCost, ::testing::ValuesIn(growing_traces), name_of_growing);
INSTANTIATE_TEST_SUITE_P(Texts, TraceCostGrowth, ::testing::ValuesIn(growing_traces),
                         name_of_growing);

}  // namespace
}  // namespace tracebed::testing
