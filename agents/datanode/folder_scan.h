// What the folders of a datanode hold after a crash, and which of it is a replica.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "agents/datanode/replica_folder.h"

namespace tracebed {

struct ScannedChecksums {
  std::uint64_t generation_stamp = 0;
  bool is_finalized = false;  // by the folder in which the file is
  auto operator<=>(const ScannedChecksums&) const = default;
};

struct ScannedBlock {
  std::uint64_t block_id = 0;
  bool has_data_being_written = false;
  bool has_finalized_data = false;
  std::vector<ScannedChecksums> checksums;
};

class FolderScan {
 public:
  // Regular files with names of replicas, in the folder that they belong to.
  void add(const FileDescriptor& folder, bool is_finalized);
  // Ascending by id.
  std::vector<ScannedBlock> blocks() const;

 private:
  std::map<std::uint64_t, ScannedBlock> blocks_;
};

// What is left of the block: its data file, in finalized/ if it is in both, and the checksum file
// of the latest generation stamp, which is moved to where the data is. Other files are removed.
// None if either is missing.
std::optional<FoundReplica> repair(const ScannedBlock& block, const FileDescriptor& being_written,
                                   const FileDescriptor& finalized);

}  // namespace tracebed
