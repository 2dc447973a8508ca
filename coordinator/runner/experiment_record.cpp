#include "coordinator/runner/experiment_record.h"

#include <array>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>

#include "coordinator/runner/run_world.h"
#include "core/input_error.h"
#include "system/replace_file.h"

namespace tracebed {
namespace {

constexpr const char* record_file = "experiment.json";

}  // namespace

std::string_view name(ReplayOutcome outcome) {
  constexpr std::array<std::string_view, 4> names{"complete", "cancelled", "stalled", "failed"};
  return names[static_cast<std::size_t>(outcome)];
}

nlohmann::ordered_json to_json(const Experiment& experiment, const FinishedExperiment& finished) {
  nlohmann::ordered_json json{
      {"experiment", experiment.name},
      {"world", name(experiment.world)},
      {"output", experiment.output.string()},
      {"cancelled", finished.is_cancelled},
      {"replays", nlohmann::ordered_json::array()},
  };
  for (const FinishedReplay& replay : finished.replays) {
    json["replays"].push_back({
        {"scheduler", replay.label},
        {"repetition", replay.repetition},
        {"seed", replay.seed},
        {"folder", replay.folder.lexically_relative(experiment.output).string()},
        {"outcome", name(replay.outcome)},
        {"digest", replay.digest},
        {"jobs_ended", replay.jobs_ended},
        {"wall_seconds", replay.wall_seconds},
    });
  }
  return json;
}

void write_experiment_record(const Experiment& experiment, const FinishedExperiment& finished) {
  replace_file(experiment.output / record_file, to_json(experiment, finished).dump(2) + '\n');
}

std::optional<std::vector<std::filesystem::path>> recorded_run_folders(
    const std::filesystem::path& output) {
  const std::filesystem::path file = output / record_file;
  std::ifstream stream(file);
  if (!stream) return std::nullopt;
  std::vector<std::filesystem::path> folders;
  try {
    const nlohmann::json json = nlohmann::json::parse(stream);
    for (const nlohmann::json& replay : json.at("replays")) {
      folders.push_back(output / replay.at("folder").get<std::string>());
    }
  } catch (const nlohmann::json::exception& error) {
    throw InputError(
        fmt::format("{}: not an experiment's record: {}", file.string(), error.what()));
  }
  return folders;
}

}  // namespace tracebed
