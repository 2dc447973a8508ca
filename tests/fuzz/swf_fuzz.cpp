// Rows of the standard workload format from anywhere.
#include "fuzz/fuzz_target.h"
#include "fuzz/trace_reading.h"

namespace tracebed::fuzz {

std::vector<std::string> seeds() {
  return {
      "; Version: 2.2\n; MaxProcs: 100\n; MaxNodes: 50\n1 0 10 300 4 -1 -1 4 600 -1 1 3 2 -1 1 -1 "
      "-1 -1\n2 30 -1 100 1 90.5 2048 1 100 4096 1 4 2 7 2 1 1 5\n",
      "1 0 -1 -1 -1 -1 -1 -1 -1 -1 5 -1 -1 -1 -1 -1 -1 -1\r\n2\t1 0 7 0 -1 -1 2 9 -1 1 1 1 1 1 1 1 "
      "1\n",
  };
}

}  // namespace tracebed::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  tracebed::fuzz::read_as("swf", data, size);
  return 0;
}
