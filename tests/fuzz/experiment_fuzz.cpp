// Experiments from anywhere: the control service takes them over the network.
#include <string>

#include "coordinator/config/load_experiment.h"
#include "core/check.h"
#include "core/input_error.h"
#include "fuzz/fuzz_target.h"

namespace tracebed::fuzz {

std::vector<std::string> seeds() {
  return {
      "name = \"small\"\nworld = \"virtual\"\nseed = 3\nrepetitions = 2\n"
      "[trace]\nfile = \"jobs.tsv\"\njobs = 50\nfrom = \"1h\"\nuntil = \"2h\"\n"
      "[trace.rules]\nswim.map_rate = 2.5\n"
      "[scale]\ntime = 10\nmemory = 4.5\n"
      "[cluster]\nnodes = 4\nvcores = 1.5\nmemory = \"512 MiB\"\nracks = 2\nextra = { gpu = 2 }\n"
      "heartbeat = \"500ms\"\n"
      "[[scheduler]]\nname = \"fifo\"\n[[scheduler]]\nname = \"spread\"\nlabel = \"wide\"\n",
      "name = 'x'\n[trace]\nfile = 'a'\n[cluster]\n[[cluster.machine]]\nname = \"a\"\n"
      "vcores = 1\nmemory = \"1 GiB\"\n[[scheduler]]\nname = \"random\"\n",
  };
}

}  // namespace tracebed::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const std::string text(data, data + size);
    const tracebed::Experiment experiment =
        tracebed::parse_experiment(text, "fuzz", {.folder = "/", .traces = {}, .confined = false});
    for (const tracebed::Machine& machine : experiment.cluster.machines) {
      TRACEBED_CHECK(!machine.capacity.has_negative(), "a machine's capacity is not negative");
    }
    TRACEBED_CHECK(!experiment.schedulers.empty(), "an experiment names a scheduler");
    TRACEBED_CHECK(experiment.repetitions > 0, "an experiment runs at least once");
  } catch (const tracebed::InputError&) {
    // The documented refusal.
  }
  return 0;
}
