// The kind of store that a datanode keeps its replicas in.
#pragma once

#include <cstdint>

namespace tracebed {

// Where replicas that clients did not write are.
enum class ReplicaStoreKind : std::uint8_t {
  generated,  // nowhere: their bytes are a function of block and offset (core/block_content.h)
  disk,       // the same bytes, in files
};

}  // namespace tracebed
