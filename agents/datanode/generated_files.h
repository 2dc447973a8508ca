// Files of generated content, and damage to files.
#pragma once

#include <cstdint>
#include <vector>

#include "agents/datanode/generated_rows.h"
#include "agents/datanode/replica_files.h"

namespace tracebed {

struct GeneratedContent {
  std::uint64_t block_id = 0;
  std::uint64_t length = 0;
  std::vector<DamagedRange> damages = {};
  BlockDataset dataset = {};
};

// The bytes with their damages, and the checksums of the right ones; into files without bytes.
StoreStatus write_generated(const GeneratedContent& content, const ReplicaFiles& files);

// Inverts the bytes in the range, which the file has.
StoreStatus damage_file(const FileDescriptor& data, const DamagedRange& range);

}  // namespace tracebed
