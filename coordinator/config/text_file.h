// Whole configuration files, which are small.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace tracebed {

// Throws InputError, naming the file, if it cannot be read or is larger than `bytes_max`.
std::string read_text_file(const std::filesystem::path& file, std::size_t bytes_max);

}  // namespace tracebed
