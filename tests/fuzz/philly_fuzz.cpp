// Philly's jobs from anywhere.
#include "fuzz/fuzz_target.h"
#include "fuzz/trace_reading.h"

namespace tracebed::fuzz {

std::vector<std::string> seeds() {
  return {
      "timestamp,duration,num_gpus,gpu_time,cluster\n2017-10-09 "
      "07:01:55,66.0,4,264,11cb48\n2017-10-09 06:13:03,2951.0,1,2951.0,6214e9\n",
  };
}

}  // namespace tracebed::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  tracebed::fuzz::read_as("philly", data, size);
  return 0;
}
