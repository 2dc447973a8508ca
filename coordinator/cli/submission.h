// An experiment's file as it is submitted to a coordinator on another machine.
#pragma once

#include <filesystem>

#include "Control.h"
#include "schedulers/registry.h"

namespace tracebed {

// With the XML files that its schedulers' settings name, relative to the experiment's folder; those
// that begin with ${TRACEBED_TRACES}/ are the coordinator's own. Nothing else is checked: the
// coordinator decides whether the experiment can be run. Throws InputError.
control::Submission read_submission(const std::filesystem::path& file,
                                    const SchedulerRegistry& schedulers);

}  // namespace tracebed
