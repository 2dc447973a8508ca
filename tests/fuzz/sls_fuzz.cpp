// SLS' documents from anywhere.
#include "fuzz/fuzz_target.h"
#include "fuzz/trace_reading.h"

namespace tracebed::fuzz {

std::vector<std::string> seeds() {
  return {
      R"({"num.nodes":3}{"job.start.ms":0,"job.queue.name":"q","am.type":"dag",
"job.tasks":[{"count":2,"duration.ms":9,"container.request.delay":5,"container.host":"/r/n"}]})",
      R"({"job.start.ms":7,"job.queue.name":"q","job.count":3,
"job.tasks":[{"container.start.ms":1,"container.end.ms":9,"container.type":"reduce",
"container.vcores":2,"container.memory-mb":512}]})",
  };
}

}  // namespace tracebed::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  tracebed::fuzz::read_as("sls", data, size);
  return 0;
}
