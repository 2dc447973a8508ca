// The schedulers that are selected in addition to an experiment.
#pragma once

#include <string>
#include <vector>

#include "coordinator/config/experiment.h"

namespace tracebed {

// Keeps of the experiment's own those with these labels, in this order; other names become
// schedulers without settings. No names keep all. Throws InputError for a name given twice,
// and for more than schedulers_max.
void choose_schedulers(const std::vector<std::string>& names, Experiment& experiment);

}  // namespace tracebed
