// Rumen's documents from anywhere.
#include "fuzz/fuzz_target.h"
#include "fuzz/trace_reading.h"

namespace tracebed::fuzz {

std::vector<std::string> seeds() {
  return {
      R"({"jobID":"j","submitTime":5,"mapTasks":[{"attempts":[{"result":"SUCCESS",
"hostName":"/r\\.1/n\\.x","startTime":1,"finishTime":9,"hdfsBytesRead":7}],
"preferredLocations":[{"layers":["r\\.1","n\\.x"]}]},{"attempts":[]}],
"reduceTasks":[{"attempts":[]}]})",
      R"({"jobID":"k","submitTime":-1,"launchTime":7,"user":"u","queue":null,"priority":"HIGH",
"jobMapMB":200,"mapTasks":[{"inputBytes":9,"attempts":[{"result":"KILLED","startTime":0,
"finishTime":9},{"result":"FAILED","startTime":3,"finishTime":1}]}],
"otherTasks":[{}]} {"jobID":1,"submitTime":"3"})",
  };
}

}  // namespace tracebed::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  tracebed::fuzz::read_as("rumen", data, size);
  return 0;
}
