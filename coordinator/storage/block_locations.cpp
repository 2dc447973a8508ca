#include "coordinator/storage/block_locations.h"

#include <algorithm>
#include <array>
#include <compare>

#include "coordinator/storage/block_lifecycle.h"
#include "coordinator/storage/file_lookup.h"

namespace tracebed {
namespace {

struct RankedNode {
  int service = 0;   // in service, stale, or out of service
  int distance = 0;  // as in NetworkTopology
  std::uint64_t tie = 0;
  NodeId node;
  auto operator<=>(const RankedNode&) const = default;
};

RankedNode rank(const NamenodeState& state, NodeId node, BlockIndex block, const Reader& reader,
                TraceTime now) {
  const Datanode& datanode = *state.datanodes.find(node);
  RankedNode ranked{.node = node};
  if (datanode.admin_state == AdminState::decommissioned) {
    ranked.service = 2;
  } else if (state.options.avoids_stale_for_reads &&
             state.datanodes.liveness(datanode, now) != Liveness::live) {
    ranked.service = 1;
  }
  const bool is_on_rack = reader.rack.is_valid() && reader.rack == datanode.rack;
  ranked.distance = node == reader.node ? 0 : is_on_rack ? 2 : 4;
  const std::uint64_t who = (std::uint64_t{reader.node.value()} << 32) | reader.rack.value();
  const std::uint64_t block_hash = mix(state.options.seed ^ block.value());
  ranked.tie = mix(mix(block_hash ^ who ^ reader.client) ^ node.value());
  return ranked;
}

}  // namespace

LocatedBlock locate_block(const NamenodeState& state, BlockIndex block, std::int64_t offset,
                          const Reader& reader, TraceTime now) {
  const Block& stored = state.blocks.block(block);
  LocatedBlock located{name_of(state, block), offset, {}};
  // Few replicas are ranked without another allocation.
  constexpr std::size_t few = 8;
  std::array<RankedNode, few> kept;
  std::vector<RankedNode> many;
  std::size_t count = 0;
  const auto add = [&](NodeId node) {
    if (!state.datanodes.find(node)->is_alive) return;
    const RankedNode ranked = rank(state, node, block, reader, now);
    if (count < few) kept[count] = ranked;
    if (count == few) many.assign(kept.begin(), kept.end());
    if (count >= few) many.push_back(ranked);
    ++count;
  };
  const auto add_stored = [&](ReplicaState wanted) {
    for (const StoredReplica& replica : stored.replicas) {
      if (replica.state == wanted) add(replica.node);
    }
  };
  if (stored.is_complete()) {
    add_stored(ReplicaState::finalized);
    if (count == 0) {
      add_stored(ReplicaState::corrupt);
      located.is_corrupt = count > 0;
    }
  } else {
    for (const auto& replica : state.constructions.find(block)->replicas) add(replica.node);
  }
  RankedNode* begin = count <= few ? kept.data() : many.data();
  std::sort(begin, begin + count);
  located.nodes.reserve(count);
  for (std::size_t i = 0; i < count; ++i) located.nodes.push_back(begin[i].node);
  return located;
}

StorageResult<LocatedFile> block_locations(const NamenodeState& state, const std::string& path,
                                           std::int64_t offset, std::int64_t length,
                                           const Reader& reader, TraceTime now) {
  if (offset < 0 || length < 0) {
    return storage_failure(StorageFailureKind::hadoop_illegal_argument,
                           "Negative " + std::string(offset < 0 ? "offset" : "length") +
                               " is not supported. File: " + path);
  }
  const auto id = existing_file(state, path);
  if (!id) return id.error();
  const FileContents& file = state.tree.inode(*id).file;
  LocatedFile located{.is_under_construction = file.is_under_construction()};
  Reader near = reader;
  if (const Datanode* own = state.datanodes.find(reader.node)) near.rack = own->rack;
  std::int64_t at = 0;
  for (const BlockIndex block : file.blocks) {
    const Block& stored = state.blocks.block(block);
    // Not past the end, and without a sum that could overflow.
    const bool is_wanted =
        at + stored.length > offset && (at <= offset || at - offset < length) && length > 0;
    if (is_wanted) located.blocks.push_back(locate_block(state, block, at, near, now));
    at += stored.length;
    if (stored.is_complete()) located.length = at;
  }
  if (const auto last = last_block_of(file)) {
    const Block& stored = state.blocks.block(*last);
    located.is_last_complete = stored.is_complete();
    const bool is_listed =
        !located.blocks.empty() && located.blocks.back().block.id == id_of(*last);
    located.last = is_listed ? located.blocks.back()
                             : locate_block(state, *last, at - stored.length, near, now);
  }
  return located;
}

}  // namespace tracebed
