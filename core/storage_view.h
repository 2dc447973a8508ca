// What modelled machines see of a run's namenode between two rounds. Real ones ask it over the
// network.
#pragma once

#include <cstdint>
#include <vector>

#include "core/ids.h"
#include "core/storage_reply.h"

namespace tracebed {

class StorageView {
 public:
  virtual ~StorageView() = default;
  // The blocks that have a byte of this part of a file, by its inode, each with its datanodes,
  // nearest to the reader first; none if there is no such file any more.
  virtual std::vector<LocatedBlock> locate(std::uint64_t file, std::int64_t offset,
                                           std::int64_t length, NodeId reader) const = 0;
  // Those to which the reply to the next heartbeat is more than an acknowledgement.
  virtual std::vector<NodeId> datanodes_with_orders() const = 0;
};

}  // namespace tracebed
