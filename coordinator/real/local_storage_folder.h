// Where the machines of a local run keep what tasks read and write, and the rates of their disks
// and network (system/shared_links.h). Agents and datanodes are given their parts of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "coordinator/real/real_options.h"
#include "core/machines.h"
#include "system/locked_folder.h"

namespace tracebed {

class LocalStorageFolder {
 public:
  // `rack_rate` is in bytes per second of wall time; none: unlimited. Throws EnvironmentError.
  LocalStorageFolder(const std::vector<Machine>& machines, std::optional<std::uint64_t> rack_rate);

  const std::filesystem::path& path() const { return folder_.path(); }
  std::filesystem::path links_file() const { return path() / "links"; }
  // Of the datanode of the machine with this index; made by it.
  std::filesystem::path replicas_of(std::size_t machine) const;
  // Likewise, of its shuffle server.
  std::filesystem::path map_outputs_of(std::size_t machine) const;

  // Once nobody uses it. Reports to `warn` what could not be removed.
  void remove(const Warn& warn);

 private:
  LockedFolder folder_;
};

}  // namespace tracebed
