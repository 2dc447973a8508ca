#include "coordinator/cli/run_folders.h"

#include <fmt/format.h>

#include "coordinator/runner/experiment_record.h"
#include "core/input_error.h"

namespace tracebed {

std::vector<std::filesystem::path> named_run_folders(const std::vector<std::string>& names) {
  std::vector<std::filesystem::path> folders;
  for (const std::string& name : names) {
    if (std::filesystem::exists(std::filesystem::path(name) / "run.json")) {
      folders.emplace_back(name);
      continue;
    }
    const auto recorded = recorded_run_folders(name);
    if (!recorded) {
      throw InputError(fmt::format(
          "{}: expected a run folder (with run.json) or an experiment's (with experiment.json)",
          name));
    }
    folders.insert(folders.end(), recorded->begin(), recorded->end());
  }
  return folders;
}

}  // namespace tracebed
