#include "report/machine_load.h"

#include <algorithm>
#include <fmt/format.h>
#include <vector>

namespace tracebed {

std::optional<std::string> machine_load_note(std::span<const RunFolder> runs,
                                             std::string_view world) {
  std::vector<ProcessorLoad> loads;
  for (const RunFolder& run : runs) {
    if (run.description.world == world && run.end.machine_load) {
      loads.push_back(*run.end.machine_load);
    }
  }
  if (loads.empty()) return std::nullopt;
  const auto mean = [&](double ProcessorLoad::*part) {
    double sum = 0;
    for (const ProcessorLoad& load : loads) sum += 100 * (load.*part);
    return sum / static_cast<double>(loads.size());
  };
  double most = 0;
  for (const ProcessorLoad& load : loads) most = std::max(most, 100 * (load.others + load.stolen));
  return fmt::format(
      "during the runs the machine's processors were busy for {:.1f} % of their time, {:.1f} % "
      "with "
      "processes that are not the runs'; a hypervisor gave {:.1f} % to others; both together took "
      "at most {:.1f} % of a run",
      mean(&ProcessorLoad::busy), mean(&ProcessorLoad::others), mean(&ProcessorLoad::stolen), most);
}

}  // namespace tracebed
