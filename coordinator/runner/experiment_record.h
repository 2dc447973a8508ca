// The record of an experiment: experiment.json in its output folder, which lists the replays in the
// order in which they ran.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string_view>
#include <vector>

#include "coordinator/config/experiment.h"
#include "coordinator/runner/experiment_run.h"

namespace tracebed {

std::string_view name(ReplayOutcome outcome);

nlohmann::ordered_json to_json(const Experiment& experiment, const FinishedExperiment& finished);

// Writes experiment.json. Throws EnvironmentError.
void write_experiment_record(const Experiment& experiment, const FinishedExperiment& finished);

// The run folders below an experiment's output folder, in the order in which they ran; none if the
// folder has no experiment.json. Throws InputError if it is malformed.
std::optional<std::vector<std::filesystem::path>> recorded_run_folders(
    const std::filesystem::path& output);

}  // namespace tracebed
