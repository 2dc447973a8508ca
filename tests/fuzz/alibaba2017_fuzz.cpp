// The batch table of 2017 from anywhere.
#include "fuzz/fuzz_target.h"
#include "fuzz/trace_reading.h"

namespace tracebed::fuzz {

std::vector<std::string> seeds() {
  return {
      "task_create_time, task_end_time, job_id, task_id,n, status, "
      "cpu,mem\n-10,50,3,4,15740,Terminated,50,0.5\n5,0,3,5,1,Running,50,0.1\n",
      "6459,6524,3,4,15,Terminated,50,0.007\n-3,0,3,5,1,Waiting,,\n6459,6458,4,4,,Failed,50,0."
      "007\n",
  };
}

}  // namespace tracebed::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  tracebed::fuzz::read_as("alibaba2017", data, size);
  return 0;
}
