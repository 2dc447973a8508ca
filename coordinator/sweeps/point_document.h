// The document of a sweep's point: an experiment's with the point's values in it, which `tracebed
// run` takes wherever it is stored.
#pragma once

#include <filesystem>
#include <string>
#include <toml++/toml.h>
#include <vector>

#include "coordinator/config/trace_folders.h"
#include "schedulers/registry.h"

namespace tracebed {

// Leaves one scheduler: that with this label, or else the one of this name without settings. What
// concerns the others ([[refresh]], [[controller]], compare.baseline) is removed with them.
void choose_scheduler(const std::string& label, toml::table& root);

// Makes the path of every file that the document names absolute: trace, machines, calibration, XML
// files, the topology script. Returns them, in an order that depends on the document alone.
std::vector<std::filesystem::path> place_files(const SchedulerRegistry& schedulers,
                                               const TraceFolders& folders, toml::table& root);

// The trace's binary form in place of the trace: the rules that made its jobs are in it.
void use_binary_trace(const std::filesystem::path& file, toml::table& root);

std::string document_text(const toml::table& root);

}  // namespace tracebed
