// The [storage] table: the run's HDFS.
#pragma once

#include "coordinator/config/experiment.h"
#include "coordinator/config/storage_choice.h"
#include "coordinator/config/trace_folders.h"
#include "system/toml_value.h"

namespace tracebed {

void read_storage(const TomlValue& value, StorageChoice& storage);
// A relative path starts at the experiment's folder. Of experiments received over the network no
// program is run.
void place_topology_script(TopologyChoice& topology, const TraceFolders& folders);
// An experiment without jobs has storage, and is open until it is cancelled, for clients of that;
// who would schedule jobs does not matter. `root` is the whole file.
void complete_without_trace(const toml::table& root, Experiment& experiment);
// What concerns the experiment's other tables, too. Throws InputError.
void check_storage(const Experiment& experiment);

}  // namespace tracebed
