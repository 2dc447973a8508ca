// The agents that an administrator has drained, kept over restarts of the coordinator: a name on
// each line, as in the include and exclude files of Hadoop's HostsFileReader.
#pragma once

#include <filesystem>
#include <set>
#include <string>

namespace tracebed {

// None if there is no such file. Throws InputError if it is malformed, EnvironmentError if it
// cannot be read.
std::set<std::string> read_drained(const std::filesystem::path& file);
// Throws EnvironmentError; then the file is unchanged.
void write_drained(const std::filesystem::path& file, const std::set<std::string>& names);

}  // namespace tracebed
