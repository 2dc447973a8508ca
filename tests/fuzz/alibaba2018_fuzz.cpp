// The batch table of 2018 from anywhere.
#include "fuzz/fuzz_target.h"
#include "fuzz/trace_reading.h"

namespace tracebed::fuzz {

std::vector<std::string> seeds() {
  return {
      "J2_1,3,j_1,,Terminated,5,9,100,0.5\nM1,1,j_1,,Terminated,7,9,50,0.2\nM1,,j_2,,Waiting,0,0,,"
      "\n",
      "J1_2,1,j_1,,Terminated,10,20,100,1\nJ2_1,1,j_1,,Terminated,10,20,100,1\nR3_2_Stg1,1,j_3,1,"
      "Terminated,10,9,100,1\ntask_x,2,j_1,9,Failed,1,1,,\n",
  };
}

}  // namespace tracebed::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  tracebed::fuzz::read_as("alibaba2018", data, size);
  return 0;
}
