// Small kernel files (/proc, cgroup controllers) read and written whole, relative to an open
// directory so that no path is walked twice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tracebed {

// The directory of relative paths; AT_FDCWD is the process's own.
using DirectoryNumber = int;

// 0, or the errno of the failure. `path` must be zero-terminated.
int write_kernel_file(DirectoryNumber directory, const char* path, std::string_view text);

// At most `text_bytes_max` bytes; nullopt with errno set if the file cannot be read.
std::optional<std::string> read_kernel_file(DirectoryNumber directory, const char* path,
                                            std::size_t text_bytes_max = std::size_t{1} << 20);

// A non-negative decimal number at the start of `text`; nullopt if there is none or it does not
// fit.
std::optional<std::int64_t> parse_number(std::string_view text);

// The number after `key` and one blank on a line of its own, as in cpu.stat and memory.events.
std::optional<std::int64_t> find_number(std::string_view text, std::string_view key);

}  // namespace tracebed
