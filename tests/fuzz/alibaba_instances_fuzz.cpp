// The batch table of 2018 and that of its instances from anywhere: what stands before the first
// line of "--" is the one, and what stands behind it the other.
#include "fuzz/fuzz_target.h"
#include "fuzz/trace_reading.h"
#include "traces/csv/alibaba_reader.h"

namespace tracebed::fuzz {
namespace {

constexpr std::string_view mark = "\n--\n";

LineReader lines_of(std::string name, std::string_view text, const TraceOptions& options) {
  return {std::move(name), decompressed(bytes_in_memory(text)), options.line_bytes_max()};
}

}  // namespace

std::vector<std::string> seeds() {
  return {
      "J2_1,3,j_1,,Terminated,5,9,100,0.5\nM1,2,j_1,,Terminated,5,7,50,0.2\n--\n"
      "i,M1,j_1,1,Terminated,5,6,m,1,1,25,50,0.1,0.2\ni,M1,j_1,1,Failed,5,6,m,1,1,,,,\n"
      "i,J2_1,j_1,1,Terminated,5,9,m,1,1,,,,\ni,M1,j_9,1,Terminated,5,6,m,1,1,,,,\n",
      "M1,9,j_1,,Terminated,5,9,100,0.5\n--\ninstance_name,task_name,job_name,task_type,status,"
      "start_time,end_time,machine_id,seq_no,total_seq_no,cpu_avg,cpu_max,mem_avg,mem_max\n"
      "i,M1,j_1,1,Terminated,7,6,m,1,1,x,,,\n",
  };
}

}  // namespace tracebed::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tracebed;
  const std::string bytes(data, data + size);
  const std::string_view text = bytes;
  const std::size_t at = std::min(text.find(fuzz::mark), text.size());
  const std::string_view tasks = text.substr(0, at);
  const std::string_view instances = text.substr(std::min(at + fuzz::mark.size(), text.size()));
  fuzz::read_with("alibaba2018", [&](const TraceOptions& options, Names& names) {
    return std::make_unique<AlibabaReader>(
        AlibabaYear::y2018, fuzz::lines_of("tasks", tasks, options),
        fuzz::lines_of("instances", instances, options), options, names);
  });
  return 0;
}
