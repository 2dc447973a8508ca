// The names by which clients know a run's datanodes (DatanodeID.datanodeUuid, DatanodeStorage-
// Info.storageID): derived from the pool and the node, so that clients hand back what says which
// node they mean. Used by one thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ids.h"

namespace tracebed {

// "5c1e6c1a-0b7d-4f21-8000-00000000002a"
std::string datanode_uuid(std::string_view pool, NodeId node);
// None if it is no datanode's of this pool.
std::optional<NodeId> node_of_uuid(std::string_view pool, std::string_view uuid);

// Keeps what replies need most.
class DatanodeIds {
 public:
  struct Names {
    std::string uuid;
    std::string storage;  // "DS-…", of the only storage that a datanode has
  };
  // Valid until the next call.
  const Names& of(const std::string& pool, NodeId node);

 private:
  std::string pool_;
  std::vector<Names> names_;  // by node
};

}  // namespace tracebed
