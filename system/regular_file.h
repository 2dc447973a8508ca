// The project's own files (configurations, records of runs), which must be regular ones: a FIFO of
// that name must not block the reader.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include "core/result.h"
#include "system/file_descriptor.h"

namespace tracebed {

// For reading. The error is the reason alone: "No such file or directory", "not a regular file".
Result<FileDescriptor> open_regular_file(const std::filesystem::path& file);

// Its bytes. Throws InputError, naming the file, if it cannot be read or has more than `bytes_max`.
std::string read_regular_file(const std::filesystem::path& file, std::size_t bytes_max);

}  // namespace tracebed
