// The record of an experiment: experiment.json in its output folder, which lists the replays in the
// order in which they ran.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "coordinator/config/experiment.h"
#include "coordinator/config/load_experiment.h"
#include "coordinator/runner/experiment_run.h"

namespace tracebed {

std::string_view name(ReplayOutcome outcome);

nlohmann::ordered_json to_json(const ExperimentTables& experiment,
                               const FinishedExperiment& finished);

// Writes experiment.json, with the checksums of the runs' run.json and its own. `has_ended` is
// false while replays are to come, so that an experiment whose program was killed can be
// distinguished from one that ended. `failure` is why it ended without the next replay, in words.
// Throws EnvironmentError.
void write_experiment_record(const ExperimentTables& experiment, const FinishedExperiment& finished,
                             bool has_ended, const std::string& failure = {});

// How the experiment whose record is in this folder compares its schedulers; the defaults if there
// is no record. Throws InputError as recorded_run_folders does for the record itself.
CompareChoice recorded_compare_choice(const std::filesystem::path& output);

// The run folders below an experiment's output folder, in the order in which they ran, those of the
// baseline against itself last; none if the folder has no experiment.json. Throws InputError if
// that is malformed, of another format version, changed or of an experiment that has not ended, and
// if a run.json or the report beside it was changed.
std::optional<std::vector<std::filesystem::path>> recorded_run_folders(
    const std::filesystem::path& output);

// The overrides of the experiment's file when it ran. For a folder whose record was found valid.
std::vector<Override> recorded_overrides(const std::filesystem::path& output);

}  // namespace tracebed
