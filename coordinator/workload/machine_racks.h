// The racks of an experiment's machines, by a table or by a program as Hadoop runs it (org.apache.
// hadoop.net.ScriptBasedMapping: net.topology.script.file.name).
#pragma once

#include <vector>

#include "coordinator/config/storage_choice.h"
#include "core/machines.h"

namespace tracebed {

// Sets the machines' racks as `topology` states. A script is run for at most `script_args` machines
// at a time, one call after the other, and prints as many words, which are their racks. Throws
// InputError, which begins with the place of its key, for one that cannot be started, fails, prints
// something else or does not end in time.
void set_racks(const TopologyChoice& topology, std::vector<Machine>& machines);

}  // namespace tracebed
