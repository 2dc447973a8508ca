#include "coordinator/engine/namenode_view.h"

#include "coordinator/storage/block_locations.h"
#include "coordinator/storage/datanode_service.h"

namespace tracebed {

std::vector<LocatedBlock> NamenodeView::locate(std::uint64_t file, std::int64_t offset,
                                               std::int64_t length, NodeId reader) const {
  std::vector<LocatedBlock> located;
  const NamenodeState& state = engine_.namenode()->state();
  const auto inode = state.tree.find_by_file_id(file);
  if (!inode) return located;
  Reader near{reader, {}};
  if (const Datanode* own = state.datanodes.find(reader)) near.rack = own->rack;
  std::int64_t at = 0;
  for (const BlockIndex block : state.tree.inode(*inode).file.blocks) {
    if (at >= offset && at - offset >= length) break;
    const std::int64_t end = at + state.blocks.block(block).length;
    if (end > offset) located.push_back(locate_block(state, block, at, near, engine_.now()));
    at = end;
  }
  return located;
}

std::vector<NodeId> NamenodeView::datanodes_with_orders() const {
  return tracebed::datanodes_with_orders(engine_.namenode()->state());
}

}  // namespace tracebed
