// Where temporary files go.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace tracebed {

// The folder that TMPDIR names, or /tmp, as an absolute path. Throws EnvironmentError, naming
// TMPDIR, if that is no folder.
std::filesystem::path temporary_folder();

// What make_temporary_folder() replaces the last six characters of.
std::string temporary_folder_pattern(std::string_view prefix);
// A new folder there, whose name begins with `prefix`. Throws EnvironmentError.
std::filesystem::path make_temporary_folder(std::string_view prefix);

// Removes the folders there whose names begin with `prefix` and that are not in use, except for
// those younger than a minute: their owners may not have begun to use them.
void remove_abandoned_folders(std::string_view prefix,
                              const std::function<bool(const std::filesystem::path&)>& is_in_use);

}  // namespace tracebed
