// Where temporary files go.
#pragma once

#include <filesystem>

namespace tracebed {

// The folder that TMPDIR names, or /tmp, as an absolute path. Throws EnvironmentError, naming
// TMPDIR, if that is no folder.
std::filesystem::path temporary_folder();

}  // namespace tracebed
