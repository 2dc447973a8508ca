// What `tracebed log show` tells about what arrived at a run's namenode.
#pragma once

#include <nlohmann/json.hpp>

#include "core/storage_inputs.h"

namespace tracebed {

const char* storage_kind(const StorageInput& input);
// The node whose datanode it is about; invalid if it is about none.
NodeId storage_node(const StorageInput& input);
// Everything else: figures, counts of lists, and of calls who called what.
void add_storage_facts(nlohmann::ordered_json& fact, const StorageInput& input);

}  // namespace tracebed
