// Job histories from anywhere, in both of Avro's encodings.
#include <string>
#include <string_view>

#include "fuzz/fuzz_target.h"
#include "traces/histories/job_history.h"

namespace tracebed::fuzz {

std::vector<std::string> seeds() {
  constexpr std::string_view fields =
      R"({"type":"record","name":"Event","fields":[{"name":"type","type":"string"},)"
      R"({"name":"event","type":[{"type":"record","name":"JobFinished","fields":[)"
      R"({"name":"jobid","type":["null","string"]},{"name":"finishTime","type":"long"},)"
      R"({"name":"counters","type":{"type":"array","items":"int"}}]}]}]})";
  return {
      "Avro-Json\n" + std::string(fields) + "\n" +
          R"({"type":"JOB_SUBMITTED","event":{"x":{"jobid":"j","submitTime":5}}})" + "\n" +
          R"({"type":"TASK_STARTED","event":{"x":{"taskid":"t","taskType":"MAP",)" +
          R"("splitLocations":"a,b","startTime":6}}})" + "\n" +
          R"({"type":"JOB_FINISHED","event":{"x":{"jobid":"j","finishTime":7}}})" + "\n",
      "Avro-Binary\n" + std::string(fields) + "\n" +
          std::string("\x18JOB_FINISHED\x00\x02\x02j\x0e\x02\x02\x00", 21),
  };
}

}  // namespace tracebed::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  // Small, since room for the longest event is made for every history. An error is the documented
  // refusal.
  constexpr std::size_t event_bytes_max = 4096;
  static_cast<void>(
      tracebed::read_job_history("fuzz", tracebed::bytes_in_memory(bytes), event_bytes_max));
  return 0;
}
