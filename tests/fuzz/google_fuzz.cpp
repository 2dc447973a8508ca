// Google's task_events from anywhere.
#include "fuzz/fuzz_target.h"
#include "fuzz/trace_reading.h"

namespace tracebed::fuzz {

std::vector<std::string> seeds() {
  return {
      "0,2,3418309,0,4155527081,0,ab/"
      "+=,3,9,,,,\n600000000,,6,0,,0,u,0,2,0.5,0.25,0.001,1\n600000001,,6,0,7,1,u,0,2,0.5,0.25,0."
      "001,1\n600000009,,6,0,7,4,u,0,2,0.5,0.25,0.001,1\n",
      "600000000,,6,1,,0,u,0,9,0.5,0.25,0.001,1\n600000005,,6,1,8,1,u,0,9,0.5,0.25,,0\n600000007,,"
      "6,1,8,2,u,0,9,0.5,0.25,,0\n600000008,,6,1,,0,u,0,9,0.5,0.25,,0\n9223372036854775807,,6,1,8,"
      "5,u,0,9,0.5,0.25,,0\n",
  };
}

}  // namespace tracebed::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  tracebed::fuzz::read_as("google2011", data, size);
  return 0;
}
