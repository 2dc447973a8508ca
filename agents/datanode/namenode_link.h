// A datanode's connection to the namenode of its run, as far as the datanode itself uses it. What
// comes from the namenode is passed to DatanodeService (service/datanode_service.h) by whoever
// implements this.
#pragma once

#include <cstdint>
#include <variant>

#include "core/datanode_messages.h"
#include "core/result.h"
#include "core/storage_call.h"

namespace tracebed {

// Any thread may call these. None waits for the namenode, nor calls the datanode.
class NamenodeLink {
 public:
  virtual ~NamenodeLink() = default;

  // For the next incremental report, which is due at once (blockReceivedAndDeleted). The namenode
  // sees changes in the order of these calls.
  virtual void report(const ReplicaChange& change) = 0;

  // Repeated until the namenode has answered; what it answered changes nothing for the datanode.
  using Call = std::variant<ReportBadBlocks, CommitBlockSynchronization>;
  virtual void call(const Call& call) = 0;

  // Of DatanodeService::store(), with the number of that order.
  virtual void stored(std::uint64_t order, const Status& result) = 0;
};

}  // namespace tracebed
