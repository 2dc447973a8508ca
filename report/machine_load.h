// The load of machines apart from the work of tasks on them, in words.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "report/run_folder.h"

namespace tracebed {

// Of the runs of this world that recorded it: how busy processors were, and what part of their time
// other processes and the hypervisor took, on average over runs and machines, and where it was
// largest. None if no run recorded it.
std::optional<std::string> machine_load_note(std::span<const RunFolder> runs,
                                             std::string_view world);
// The same of these, an entry for each machine of each run.
std::optional<std::string> machine_load_note(std::span<const MachineLoad> loads);

// Of the runs of this world: by how much their tasks used more CPU time than their work has, if
// that is over a tenth.
std::optional<std::string> task_cpu_note(std::span<const RunFolder> runs, std::string_view world);

}  // namespace tracebed
