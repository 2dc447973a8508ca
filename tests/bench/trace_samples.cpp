#include "bench/trace_samples.h"

#include <array>
#include <fmt/format.h>
#include <iterator>

#include "core/random.h"

namespace tracebed::test {
namespace {

// Row after row, or document after document, until the text is long enough.
template <class Row>
std::string repeated(std::size_t bytes, std::string text, Row row) {
  Random random(11);
  text.reserve(bytes + bytes / 8);
  for (std::int64_t number = 0; text.size() < bytes; ++number) row(text, number, random);
  return text;
}

template <class... Values>
void append(std::string& text, fmt::format_string<Values...> form, Values&&... values) {
  fmt::format_to(std::back_inserter(text), form, std::forward<Values>(values)...);
}

std::string swf(std::size_t bytes) {
  return repeated(bytes, "; MaxProcs: 1024\n", [](std::string& text, std::int64_t i, Random& r) {
    append(text, "{} {} {} {} {} -1 -1 {} {} -1 1 {} {} {} {} 1 -1 -1\n", i + 1, i * 37,
           r.below(9000), r.below(90'000), 1 + r.below(128), 1 + r.below(128), 3600 * r.below(48),
           r.below(200), r.below(20), r.below(900), 1 + r.below(3));
  });
}

std::string swim(std::size_t bytes) {
  return repeated(bytes, {}, [](std::string& text, std::int64_t i, Random& r) {
    append(text, "job{}\t{}\t13\t{}\t{}\t{}\n", i, i * 13, r.below(1'000'000'000),
           r.below(2) * r.below(1'000'000), r.below(10'000'000));
  });
}

std::string hawk(std::size_t bytes) {
  return repeated(bytes, {}, [](std::string& text, std::int64_t i, Random& r) {
    const std::uint64_t tasks = 1 + r.below(60);
    append(text, "{} {} 4490.92270965 ", 128'248 + i * 9, tasks);
    for (std::uint64_t task = 0; task < tasks; ++task) {
      append(text, " {:.8f}", 4000 + r.unit() * 900);
    }
    text += '\n';
  });
}

std::string google(std::size_t bytes) {
  return repeated(bytes, {}, [](std::string& text, std::int64_t i, Random& r) {
    // Three rows of one task, as it is submitted, begins and ends.
    const std::uint64_t machine = 317'000'000 + r.below(12'500);
    const std::uint64_t user = r.below(500);
    const auto row = [&](std::int64_t at, int event) {
      append(text, "{},,{},{},{},{},{:044d},2,{},0.0{},0.0{},0.0002155,1\n",
             600'000'000 + i * 900 + at, 6'251'000'000 + i / 40, i % 40, machine, event, user,
             user % 10, 1 + user % 12, 1 + user % 17);
    };
    row(1, 0);
    row(2, 1);
    row(800, 4);
  });
}

std::string alibaba2017(std::size_t bytes) {
  return repeated(bytes, {}, [](std::string& text, std::int64_t i, Random& r) {
    const std::int64_t start = i / 2;
    append(text, "{},{},{},{},{},Terminated,50,0.0{}\n", start, start + r.between(1, 900), i / 6, i,
           1 + r.below(400), 1'000'000 + r.below(8'000'000));
  });
}

std::string alibaba2018(std::size_t bytes) {
  return repeated(bytes, {}, [](std::string& text, std::int64_t i, Random& r) {
    const std::int64_t start = 80'000 + i / 4;
    const std::int64_t task = i % 4 + 1;
    append(text, "{}{}{},{},j_{},{},Terminated,{},{},100.00,0.{:02}\n", task == 1 ? 'M' : 'R', task,
           task == 1 ? "" : fmt::format("_{}", task - 1), 1 + r.below(200), 1'000'000 + i / 4,
           1 + r.below(12), start, start + r.between(1, 500), 10 + r.below(80));
  });
}

std::string alibaba_gpu(std::size_t bytes) {
  return repeated(bytes,
                  "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,"
                  "creation_time,deletion_time,scheduled_time\n",
                  [](std::string& text, std::int64_t i, Random& r) {
                    constexpr std::array qualities{"LS", "BE", "Burstable"};
                    append(text, "openb-pod-{:04},{},{},1,{},,{},Running,{},{},{}\n", i,
                           1000 * (1 + r.below(32)), 1024 * (1 + r.below(64)), 10 * r.below(100),
                           qualities[r.below(3)], 400'000 + i * 30, 12'900'000 + i * 30,
                           400'010 + i * 30);
                  });
}

std::string mix(std::size_t bytes) {
  return repeated(bytes,
                  "job,submit_seconds,kind,input_bytes,maps,reduces,vcores,memory_mib,user,queue,"
                  "input_path\n",
                  [](std::string& text, std::int64_t i, Random& r) {
                    constexpr std::array kinds{"grep", "sort", "terasort", "wordcount"};
                    append(text, "job{},{},{},{},{},1,1,{},u,q,/data/job{}\n", i, i * 3,
                           kinds[r.below(4)], 1'000'000 * (60 + r.below(440)), 1 + r.below(10),
                           500 + r.below(1'500), i);
                  });
}

std::string philly(std::size_t bytes) {
  return repeated(bytes, "timestamp,duration,num_gpus,gpu_time,cluster\n",
                  [](std::string& text, std::int64_t i, Random& r) {
                    const std::uint64_t seconds = r.below(99'999);
                    append(text, "2017-10-{:02} {:02}:{:02}:{:02},{}.0,1,{}.0,{:06x}\n",
                           1 + i / 86'400 % 28, i / 3600 % 24, i / 60 % 60, i % 60, seconds,
                           seconds, 0x11cb48 + r.below(15));
                  });
}

// As in Mumak's trace.
void append_attempt(std::string& text, Random& r, std::int64_t start) {
  append(text,
         R"({{"location":null,"hostName":"/192\\.30\\.126\\.{}/node{}\\.megatron\\.com",)"
         R"("startTime":{},"finishTime":{},"result":"SUCCESS","shuffleFinished":-1,)"
         R"("sortFinished":-1,"attemptID":"attempt_200904211745_0002_m_{:06}_0",)"
         R"("hdfsBytesRead":{},"hdfsBytesWritten":-1,"fileBytesRead":-1,"fileBytesWritten":37170,)"
         R"("mapInputRecords":3601,"mapOutputBytes":247925,"mapOutputRecords":26425,)"
         R"("combineInputRecords":26425,"reduceInputGroups":-1,"reduceInputRecords":-1,)"
         R"("reduceShuffleBytes":-1,"reduceOutputRecords":-1,"spilledRecords":5315}})",
         r.below(255), r.below(2000), start, start + r.between(2000, 90'000), r.below(1000),
         r.below(1'000'000));
}

std::string rumen(std::size_t bytes) {
  return repeated(bytes, {}, [](std::string& text, std::int64_t i, Random& r) {
    const std::int64_t submit = 1'240'335'962'848 + i * 1000;
    append(text,
           R"( {{"priority":"NORMAL","jobID":"job_200904211745_{:04}","user":"geek{}",)"
           R"("submitTime":{},"launchTime":{},"finishTime":{},"heapMegabytes":640,)"
           R"("totalMaps":20,"totalReduces":1,"outcome":"SUCCESS","jobtype":"JAVA","mapTasks":[)",
           i, r.below(5), submit, submit + 500, submit + 900'000);
    for (int task = 0; task < 20; ++task) {
      append(text,
             R"({}{{"startTime":{},"numberMaps":-1,"numberReduces":-1,"finishTime":{},)"
             R"("inputBytes":-1,"inputRecords":-1,"outputBytes":-1,"outputRecords":-1,)"
             R"("taskID":"task_200904211745_0002_m_{:06}","attempts":[)",
             task == 0 ? "" : ",", submit, submit + 60'000, task);
      append_attempt(text, r, submit);
      text += R"(],"preferredLocations":[)";
      for (int place = 0; place < 3; ++place) {
        append(text, R"({}{{"layers":["192\\.30\\.126\\.{}","node{}\\.megatron\\.com"]}})",
               place == 0 ? "" : ",", r.below(255), r.below(2000));
      }
      text += R"(],"taskStatus":"SUCCESS","taskType":"MAP"})";
    }
    text += R"(],"reduceTasks":[],"otherTasks":[]})";
  });
}

std::string sls(std::size_t bytes) {
  return repeated(bytes, {}, [](std::string& text, std::int64_t i, Random& r) {
    append(text,
           "{{\n  \"am.type\": \"mapreduce\",\n  \"job.start.ms\": {},\n  \"job.end.ms\": {},\n"
           "  \"job.queue.name\": \"sls_queue_1\",\n  \"job.id\": \"job_{}\",\n"
           "  \"job.user\": \"default\",\n  \"job.tasks\": [\n",
           i * 500, i * 500 + 95'375, i);
    for (int task = 0; task < 10; ++task) {
      const std::int64_t start = i * 500 + r.between(0, 9999);
      append(text,
             "    {}{{\n      \"container.host\": \"/default-rack/node{}\",\n"
             "      \"container.start.ms\": {},\n      \"container.end.ms\": {},\n"
             "      \"container.priority\": 20,\n      \"container.type\": \"map\",\n"
             "      \"container.execution.type\": \"GUARANTEED\"\n    }}\n",
             task == 0 ? "" : ",", r.below(40), start, start + r.between(1, 30'000));
    }
    text += "  ]\n}\n";
  });
}

std::string wfcommons(std::size_t bytes) {
  return repeated(bytes, {}, [](std::string& text, std::int64_t i, Random& r) {
    constexpr std::uint64_t tasks = 100;
    append(text,
           R"({{"name": "genome-dax-{}", "schemaVersion": "1.5", "workflow": {{)"
           R"("specification": {{"tasks": [)",
           i);
    for (std::uint64_t task = 0; task < tasks; ++task) {
      append(text,
             R"({}{{"name": "chr21_chr21_ID{:07}", "id": "chr21_chr21_ID{:07}", "children": [], )"
             R"("inputFiles": ["maq{}", "HEP2_MSP1_Digests.nocontam.map"], )"
             R"("outputFiles": ["maq{}"], "parents": [)",
             task == 0 ? "" : ", ", task, task, task, task + 1);
      if (task > 0) append(text, R"("chr21_chr21_ID{:07}")", r.below(task));
      text += "]}";
    }
    text += R"(], "files": [{"id": "HEP2_MSP1_Digests.nocontam.map", "sizeInBytes": 99})";
    for (std::uint64_t task = 0; task <= tasks; ++task) {
      append(text, R"(, {{"id": "maq{}", "sizeInBytes": {}}})", task, r.below(100'000'000));
    }
    text += R"(]}, "execution": {"makespanInSeconds": 1362, "tasks": [)";
    for (std::uint64_t task = 0; task < tasks; ++task) {
      append(text,
             R"({}{{"id": "chr21_chr21_ID{:07}", "runtimeInSeconds": {}.{:03}, "coreCount": 1, )"
             R"("avgCPU": 98.5, "readBytes": 1024, "memoryInBytes": {}}})",
             task == 0 ? "" : ", ", task, r.below(900), r.below(1000), r.below(1 << 30));
    }
    text += "]}}}\n";
  });
}

}  // namespace

std::span<const TraceSample> trace_samples() {
  static constexpr std::array<TraceSample, 12> samples{{
      {"swf", false, swf},
      {"swim", false, swim},
      {"hawk", false, hawk},
      {"google2011", false, google},
      {"alibaba2017", false, alibaba2017},
      {"alibaba2018", false, alibaba2018},
      {"alibaba_gpu", false, alibaba_gpu},
      {"philly", false, philly},
      {"mix", false, mix},
      {"rumen", true, rumen},
      {"sls", true, sls},
      {"wfcommons", true, wfcommons},
  }};
  return samples;
}

}  // namespace tracebed::test
