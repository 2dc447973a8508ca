#include "system/disk_room.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <system_error>

namespace tracebed {
namespace {

constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();

}  // namespace

std::uint64_t free_bytes(const std::filesystem::path& folder) {
  std::error_code error;
  const std::filesystem::space_info space = std::filesystem::space(folder, error);
  return error ? no_limit : space.available;
}

std::uint64_t kept_free_bytes(const std::filesystem::path& folder) {
  constexpr std::uint64_t of_a_large_disk = std::uint64_t{16} << 20;
  std::error_code error;
  const std::filesystem::space_info space = std::filesystem::space(folder, error);
  return error ? 0 : std::min(of_a_large_disk, space.capacity / 8);
}

std::string full_disk(const std::filesystem::path& folder, std::uint64_t bytes) {
  if (free_bytes(folder) >= bytes) return {};
  return fmt::format("the disk of {} is full: less than {} KiB are free", folder.string(),
                     bytes >> 10);
}

}  // namespace tracebed
