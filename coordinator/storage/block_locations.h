// Where the blocks of a file are, nearest first (FSDirStatAndListingOp.getBlockLocations,
// BlockManager.createLocatedBlock, DatanodeManager.sortLocatedBlocks). Changes nothing, access
// times included (dfs.namenode.accesstime.precision = 0); ties are broken by a hash of the seed,
// the block and the reader, where HDFS draws. So a task reads the same replica in every world.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "coordinator/storage/namenode_state.h"
#include "core/storage_reply.h"

namespace tracebed {

struct Reader {
  NodeId node;  // invalid if it is on no datanode
  RackId rack;  // invalid if that is not known, either
  // Of one that is on no datanode: differs among clients, which would all read the same replica.
  std::uint64_t client = 0;

  bool operator==(const Reader&) const = default;
};

// LocatedBlocks.
struct LocatedFile {
  std::int64_t length = 0;  // without a last block that is being written
  bool is_under_construction = false;
  std::vector<LocatedBlock> blocks;  // that have a byte of the range
  std::optional<LocatedBlock> last;
  bool is_last_complete = false;

  bool operator==(const LocatedFile&) const = default;
};

StorageResult<LocatedFile> block_locations(const NamenodeState& state, const std::string& path,
                                           std::int64_t offset, std::int64_t length,
                                           const Reader& reader, TraceTime now);

// A block of any state for a reader.
LocatedBlock locate_block(const NamenodeState& state, BlockIndex block, std::int64_t offset,
                          const Reader& reader, TraceTime now);

}  // namespace tracebed
