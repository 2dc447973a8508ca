// SLS' descriptions of workloads from anywhere.
#include "fuzz/fuzz_target.h"
#include "fuzz/trace_reading.h"

namespace tracebed::fuzz {

std::vector<std::string> seeds() {
  return {
      R"({"num_jobs":3,"workloads":[{"job_classes":[{"mtasks_avg":2,"mtime_avg":3}],
"time_distribution":[{"time":1,"weight":1},{"time":9,"weight":0}]}]})",
      R"({"num_jobs":4,"rand_seed":9,"workloads":[{"queue_name":"q","workload_weight":2,
"job_classes":[{"type":"mapreduce","class_weight":1,"tasks":[{"type":"map","priority":20,
"count":{"val":3,"std":1},"time":{"val":9},"max_memory":{"val":512},"max_vcores":{"val":1}}]}],
"time_distribution":[{"time":1,"weight":1}]}]})",
  };
}

}  // namespace tracebed::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  tracebed::fuzz::read_as("synth", data, size);
  return 0;
}
