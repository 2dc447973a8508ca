// Writes small files so that no reader sees a partial one.
#pragma once

#include <filesystem>
#include <string_view>

namespace tracebed {

// Whether a file must survive a power cut. Syncing costs two waits for the disk: worth it for what
// is acknowledged to another process, not for what a program writes in large numbers.
enum class Durability { none, synced };

// Writes beside `path`, then renames. Throws EnvironmentError naming the file and the
// reason; then `path` is as it was. Synced: when this returns, a crash of the machine leaves the
// new contents, and one before leaves the old or the new.
void replace_file(const std::filesystem::path& path, std::string_view contents,
                  Durability durability = Durability::none);

// Waits until the names in a folder are on disk. Throws EnvironmentError.
void sync_folder(const std::filesystem::path& folder);

}  // namespace tracebed
