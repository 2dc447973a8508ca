// SWIM's rows from anywhere.
#include "fuzz/fuzz_target.h"
#include "fuzz/trace_reading.h"

namespace tracebed::fuzz {

std::vector<std::string> seeds() {
  return {
      "job0\t0\t0\t10000\t2000\t300\njob1\t7\t7\t50000000\t0\t1\njob2\t7\t0\t0\t9\t0\n",
      "job0\t0.5\t0\t10000\t2000\t300\t/in/a\t/tmp\t/out/b\r\n\nj\t1e3\t9\t1\t1\t1\n",
  };
}

}  // namespace tracebed::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  tracebed::fuzz::read_as("swim", data, size);
  return 0;
}
