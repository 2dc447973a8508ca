// WfCommons' documents from anywhere.
#include "fuzz/fuzz_target.h"
#include "fuzz/trace_reading.h"

namespace tracebed::fuzz {

std::vector<std::string> seeds() {
  return {
      R"({"workflow":{"specification":{"tasks":[{"id":"a","inputFiles":["f"]},{"id":"b",
"parents":["a"]}],"files":[{"id":"f","sizeInBytes":9}]},"execution":{"tasks":[{"id":"a",
"runtimeInSeconds":1,"coreCount":2},{"id":"b","runtimeInSeconds":2,"avgCPU":50,
"memoryInBytes":99}]}}})",
  };
}

}  // namespace tracebed::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  tracebed::fuzz::read_as("wfcommons", data, size);
  return 0;
}
