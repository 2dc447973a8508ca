// Mixes of jobs from anywhere.
#include "fuzz/fuzz_target.h"
#include "fuzz/trace_reading.h"

namespace tracebed::fuzz {

std::vector<std::string> seeds() {
  return {
      "job,submit_seconds,kind,input_bytes,maps,reduces,vcores,memory_mib,user,queue,input_path\n"
      "sort0,0,sort,100000000,5,1,1,1024,u,q,/data/sort0\n"
      "grep1,2.5,grep,9007199254740992,,0,0.25,,,,\n",
  };
}

}  // namespace tracebed::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  tracebed::fuzz::read_as("mix", data, size);
  return 0;
}
