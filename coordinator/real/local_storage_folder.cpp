#include "coordinator/real/local_storage_folder.h"

#include <fmt/format.h>

#include "coordinator/real/local_cluster.h"
#include "system/shared_links.h"

namespace tracebed {
namespace {

constexpr std::string_view prefix = "tracebed-replicas-";

}  // namespace

LocalStorageFolder::LocalStorageFolder(const std::vector<Machine>& machines,
                                       std::optional<std::uint64_t> rack_rate)
    : folder_(prefix) {
  std::vector<SharedLinks::Place> places;
  for (std::size_t i = 0; i < machines.size(); ++i) {
    places.push_back({loopback_address(i), machines[i].rack});
  }
  SharedLinks::create(links_file(), places, rack_rate);
}

std::filesystem::path LocalStorageFolder::replicas_of(std::size_t machine) const {
  return path() / fmt::format("{}", machine);
}

std::filesystem::path LocalStorageFolder::map_outputs_of(std::size_t machine) const {
  return path() / fmt::format("{}.map-outputs", machine);
}

void LocalStorageFolder::remove(const Warn& warn) {
  std::error_code error;
  std::filesystem::remove_all(path(), error);
  if (!error) return;
  warn(fmt::format("what is in {} could not all be removed: {}", path().string(), error.message()));
}

}  // namespace tracebed
