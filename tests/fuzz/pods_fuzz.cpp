// Alibaba's pods from anywhere.
#include "fuzz/fuzz_target.h"
#include "fuzz/trace_reading.h"

namespace tracebed::fuzz {

std::vector<std::string> seeds() {
  return {
      "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_"
      "time,scheduled_time\na,6000,128,1,460,T4|P100,LS,Running,10,100,40\n",
      "c,1000,1,0,0,,BE,Pending,7,90,\nb,1000,0,2,1000,V100,Burstable,Failed,5,5,5\n",
  };
}

}  // namespace tracebed::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  tracebed::fuzz::read_as("alibaba_gpu", data, size);
  return 0;
}
