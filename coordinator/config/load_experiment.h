// Reads an experiment from TOML. Anything unknown, out of range or contradictory throws InputError;
// the message begins with "file:line: key" and has the expected and the actual value.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "coordinator/config/experiment.h"
#include "coordinator/config/overrides.h"
#include "coordinator/config/trace_folders.h"

namespace tracebed {

// `label` is the file's name in messages.
Experiment parse_experiment(std::string text, const std::string& label, const TraceFolders& folders,
                            std::span<const Override> overrides = {});

// The same in two steps, for an experiment whose document was changed in between: of the text,
// which has at most 1 MiB, and of the document. `text` is what the experiment's record keeps of it,
// and `overrides` those that were applied.
toml::table parse_document(const std::string& text, const std::string& label);
Experiment read_document(const toml::table& root, std::string text, const std::string& label,
                         const TraceFolders& folders, std::span<const Override> overrides = {});

// The text of an experiment's file, at most 1 MiB.
std::string read_experiment_text(const std::filesystem::path& file);

// Reads the file, at most 1 MiB of it. Relative trace paths start at its folder; `traces` as in
// TraceFolders.
Experiment load_experiment(const std::filesystem::path& file,
                           const std::optional<std::filesystem::path>& traces,
                           std::span<const Override> overrides = {});

}  // namespace tracebed
