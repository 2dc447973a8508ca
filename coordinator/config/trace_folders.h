// Where an experiment's files are searched for.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

#include "core/result.h"
#include "system/toml_value.h"

namespace tracebed {

// `trace.file`, and the files that schedulers' settings name, may begin with "${TRACEBED_TRACES}/",
// which means `traces`; nothing else is expanded. Any other relative path starts at `folder`.
struct TraceFolders {
  std::filesystem::path folder;
  std::optional<std::filesystem::path> traces;
  // Experiments received over the network: the file, with links resolved, must lie below `traces`.
  bool confined = false;
};

bool begins_with_traces(std::string_view text);
// The absolute path of a text that begins with it. Fails if `traces` is not known.
Result<std::filesystem::path> below_traces(std::string_view text, const TraceFolders& folders);
// The path that the value names: of a trace, or of what belongs to one.
std::filesystem::path path_of_trace(const TomlValue& value, const TraceFolders& folders);

}  // namespace tracebed
