// Reads an experiment from TOML. Anything unknown, out of range or contradictory throws InputError;
// the message begins with "file:line: key" and has the expected and the actual value.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "coordinator/config/experiment.h"
#include "coordinator/config/trace_folders.h"

namespace tracebed {

// A value given in addition to the file, on the command line. It replaces the file's and is checked
// like it.
struct Override {
  std::string flag;   // for messages, e.g. "--set scale.time"
  std::string key;    // with its tables: "scale.time"
  std::string value;  // TOML; text if it does not parse as TOML
};

// `label` is the file's name in messages.
Experiment parse_experiment(std::string text, const std::string& label, const TraceFolders& folders,
                            std::span<const Override> overrides = {});

// Reads the file, at most 1 MiB of it. Relative trace paths start at its folder; `traces` as in
// TraceFolders.
Experiment load_experiment(const std::filesystem::path& file,
                           const std::optional<std::filesystem::path>& traces,
                           std::span<const Override> overrides = {});

}  // namespace tracebed
