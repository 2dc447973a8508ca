// Files below a folder, by paths that somebody else has chosen: no path leads out of the folder,
// not through a symbolic link either, and nothing but plain files is opened.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "system/file_descriptor.h"

namespace tracebed {

// Whether a path is one of words with a slash between them: relative, without empty words, "." or
// "..", without control characters, with at most 16 words of 255 bytes.
bool is_path_below(std::string_view path);

// To be opened once, and handed to the functions that follow. Fails if it is no folder.
Result<FileDescriptor> open_folder(const std::filesystem::path& folder);

// To read.
Result<FileDescriptor> open_below(const FileDescriptor& folder, std::string_view path);
// To write, made with the folders that lead to it. Fails if there is something of that name.
Result<FileDescriptor> create_below(const FileDescriptor& folder, std::string_view path);

struct FileBelow {
  std::string path;
  std::uint64_t bytes = 0;
};
// The first `files_max` files whose paths come after `after`, ascending by path. Files whose paths
// are none for is_path_below() are left out.
std::vector<FileBelow> files_below(const std::filesystem::path& folder, const std::string& after,
                                   std::size_t files_max);

}  // namespace tracebed
