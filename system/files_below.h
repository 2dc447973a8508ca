// Files below a folder, by untrusted paths: no path leads out of the folder, not even through a
// symbolic link, and only regular files are opened.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "system/file_descriptor.h"

namespace tracebed {

// Whether a path consists of words separated by slashes: relative, without empty words, "." or
// "..", without control characters, with at most 16 words of 255 bytes.
bool is_path_below(std::string_view path);

// To be opened once, and passed to the functions below. Fails if it is no folder.
Result<FileDescriptor> open_folder(const std::filesystem::path& folder);

// For reading.
Result<FileDescriptor> open_below(const FileDescriptor& folder, std::string_view path);
// For writing; missing folders on the path are created. Fails if the name exists.
Result<FileDescriptor> create_below(const FileDescriptor& folder, std::string_view path);

struct FileBelow {
  std::string path;
  std::uint64_t bytes = 0;
};
// The first `files_max` files whose paths come after `after`, ascending by path. Files whose paths
// is_path_below() rejects are left out.
std::vector<FileBelow> files_below(const std::filesystem::path& folder, const std::string& after,
                                   std::size_t files_max);

}  // namespace tracebed
