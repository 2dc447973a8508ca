// Writes small files so that no reader sees half of one.
#pragma once

#include <filesystem>
#include <string_view>

namespace tracebed {

// Writes beside `path`, then renames. Throws EnvironmentError naming the file and the
// reason; then `path` is as it was.
void replace_file(const std::filesystem::path& path, std::string_view contents);

}  // namespace tracebed
