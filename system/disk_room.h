// Whether a disk has room for what is about to be written to it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace tracebed {

// Bytes that this process may still write below the folder; no limit if that cannot be found out.
std::uint64_t free_bytes(const std::filesystem::path& folder);

// The room that is kept free on the disk of the folder, for state files of what goes on: 16 MiB, on
// a small disk an eighth of it.
std::uint64_t kept_free_bytes(const std::filesystem::path& folder);

// Empty if the disk of the folder has at least `bytes` free, else a sentence that says so, the same
// one for as long as that lasts.
std::string full_disk(const std::filesystem::path& folder, std::uint64_t bytes);

}  // namespace tracebed
