// The [cluster] table: machines in equal groups, racks, and when machines leave and return.
#pragma once

#include <optional>

#include "coordinator/config/experiment.h"
#include "coordinator/config/trace_folders.h"
#include "system/toml_value.h"

namespace tracebed {

// Machines are named node1, node2, … in the order of the groups; racks /rack1, /rack2, … (of a
// group with a single rack and no other group, /default-rack). A group's machines are dealt to its
// racks in equal blocks.
// Instead of groups, `machines` may name a file, found as the trace's is.
ClusterChoice read_cluster(const TomlValue& value, const TraceFolders& folders);
// `cluster.devices`: how much of each of these resources is one device. Without a value for it, a
// thousand of gpu_milli is.
DeviceSizes device_sizes(const std::optional<TomlValue>& given,
                         const ResourceDimensions& dimensions);
// A number of vcores, in thousandths.
std::int64_t milli_vcores(const TomlValue& value);

}  // namespace tracebed
