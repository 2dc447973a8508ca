// The namenode's values as the administrator's service shows them.
#pragma once

#include <string>

#include "Storage.h"
#include "coordinator/real/storage_gate.h"
#include "coordinator/storage/namenode_queries.h"

namespace tracebed {

// "127.0.1.1:9866"
std::string storage_name(const DatanodePlace& place);

storage::DatanodeInfo to_thrift(const StorageGate::View& view, const DatanodeReport& report,
                                const DatanodePlace& place);
// With all of its replicas. `offset` is its first byte's in the file.
storage::LocatedBlock to_thrift(const StorageGate::View& view, BlockIndex block,
                                std::int64_t offset);

}  // namespace tracebed
