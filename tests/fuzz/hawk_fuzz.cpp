// Hawk's rows from anywhere.
#include "fuzz/fuzz_target.h"
#include "fuzz/trace_reading.h"

namespace tracebed::fuzz {

std::vector<std::string> seeds() {
  return {
      "1.5 2 3 2.5 3.5\n0.5 1 4 4\n",
      "128248 3 4490.92270965  4575.4026487  4440.54180005 1e3\r\n\n7 1 0 0\n",
  };
}

}  // namespace tracebed::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  tracebed::fuzz::read_as("hawk", data, size);
  return 0;
}
