// Modelled machines as a calibration file describes them.
#pragma once

#include "coordinator/resolving/resolved_experiment.h"

namespace tracebed {

// Replaces the latencies of `resolved.simulated` by those of the file that virtual.calibration
// names, if it names one; wall time of that machine becomes trace time by `scale.time`. Remarks on
// a file of another machine than this. Throws InputError, which begins with the setting's place.
void resolve_calibration(const Experiment& experiment, ResolvedExperiment& resolved);

}  // namespace tracebed
