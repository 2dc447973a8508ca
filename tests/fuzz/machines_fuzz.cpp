// Files of machines of any format from anywhere, compressed ones too.
#include <string>
#include <string_view>

#include "core/check.h"
#include "core/input_error.h"
#include "fuzz/fuzz_target.h"
#include "traces/machines/machine_trace.h"

namespace tracebed::fuzz {
namespace {

void read_all(std::string_view bytes, bool skip_bad) {
  MachineOptions options;
  options.trace.skip_bad = skip_bad;
  options.trace.rules.common.line_bytes_max = 4096;
  options.trace.rules.common.document_bytes_max = 4096;
  try {
    const MachineTrace trace = read_machines("fuzz", bytes_in_memory(bytes), options);
    for (const Machine& machine : trace.machines) {
      TRACEBED_CHECK(!machine.capacity.has_negative(), "a capacity is not negative");
    }
    TraceTime last{};
    for (const MachineChange& change : trace.changes) {
      TRACEBED_CHECK(change.at >= last && change.node.index() < trace.machines.size(),
                     "changes are of machines, in the order of time");
      last = change.at;
    }
  } catch (const InputError&) {
    // The documented refusal.
  }
}

}  // namespace

std::vector<std::string> seeds() {
  return {
      "0,5,0,p,0.5,0.25\n700,5,1,p,,\n800,5,2,p,0.5,1\n900,5,0,p,1,1\n",
      "0,1,add,,64,0.69,1\n60,1,softerror,a,0,0,0\n70,1,harderror,b,0,0,0\n",
      "sn,cpu_milli,memory_mib,gpu,model\na,96000,1024,2,T4\nb,8000,64,0,\n",
      "{\"name\":\"<root>\",\"children\":[{\"name\":\"r\",\"children\":"
      "[{\"name\":\"n\\\\.a\",\"children\":null}]}]}",
      "{\"rack\":\"r\",\"nodes\":[{\"node\":\"a\",\"vcores\":6,\"memory-mb\":9,"
      "\"labels\":\"x, y(exclusive=false)\"},{}]}",
  };
}

}  // namespace tracebed::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(data, data + size);
  tracebed::fuzz::read_all(bytes, true);
  tracebed::fuzz::read_all(bytes, false);
  return 0;
}
