// Files that are there before a run begins: whole, with their blocks placed as if one writer had
// written them, or as a trace states.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "coordinator/storage/namenode_state.h"
#include "core/storage_inputs.h"
#include "core/storage_reply.h"

namespace tracebed {

// What is to be where. Fails, and changes nothing, if the path is taken, a node is not registered,
// or there is no datanode for a block.
StorageResult<std::vector<LocatedBlock>> preload_file(NamenodeState& state,
                                                      const PreloadedFile& file, TraceTime now);

}  // namespace tracebed
