#include "report/machine_load.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <vector>

namespace tracebed {

std::optional<std::string> machine_load_note(std::span<const RunFolder> runs,
                                             std::string_view world) {
  std::vector<MachineLoad> loads;
  for (const RunFolder& run : runs) {
    if (run.description.world != world) continue;
    loads.insert(loads.end(), run.end.machine_loads.begin(), run.end.machine_loads.end());
  }
  return machine_load_note(loads);
}

std::optional<std::string> machine_load_note(std::span<const MachineLoad> loads) {
  if (loads.empty()) return std::nullopt;
  std::set<std::string> machines;
  for (const MachineLoad& load : loads) machines.insert(load.machine);
  const auto mean = [&](double ProcessorLoad::*part) {
    double sum = 0;
    for (const MachineLoad& one : loads) sum += 100 * (one.load.*part);
    return sum / static_cast<double>(loads.size());
  };
  const auto foreign = [](const MachineLoad& one) { return one.load.others + one.load.stolen; };
  const auto most = std::max_element(
      loads.begin(), loads.end(),
      [&](const MachineLoad& a, const MachineLoad& b) { return foreign(a) < foreign(b); });
  const bool is_one = machines.size() == 1;
  return fmt::format(
      "during the runs the {} processors were busy for {:.1f} % of their time, {:.1f} % with "
      "processes of others; steal time was {:.1f} %; both together took at most {:.1f} % of a "
      "run{}",
      is_one ? "machine's" : fmt::format("{} machines'", machines.size()),
      mean(&ProcessorLoad::busy), mean(&ProcessorLoad::others), mean(&ProcessorLoad::stolen),
      100 * foreign(*most), is_one ? "" : ", on " + most->machine);
}

std::optional<std::string> task_cpu_note(std::span<const RunFolder> runs, std::string_view world) {
  double used = 0;
  double work = 0;
  for (const RunFolder& run : runs) {
    if (run.description.world != world) continue;
    for (const auto& [name, count] : run.end.counters) {
      if (name == task_cpu_counter) used += static_cast<double>(count);
      if (name == task_cpu_work_counter) work += static_cast<double>(count);
    }
  }
  if (used <= 1.1 * work || work <= 0) return std::nullopt;
  return fmt::format(
      "tasks used {:.0f} % more CPU time than their work has: starting up and touching memory "
      "takes "
      "more than small tasks have, and slows down what runs beside them, which modelled machines "
      "do "
      "not know; divide memory by more (scale.memory) or time by less (scale.time)",
      100 * (used / work - 1));
}

}  // namespace tracebed
