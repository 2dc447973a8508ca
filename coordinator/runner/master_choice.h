// Where job masters run, from an experiment, into a run record, and back.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "applications/hosting/master_faults.h"
#include "coordinator/config/experiment.h"
#include "coordinator/runner/choices.h"
#include "core/master_calls.h"

namespace tracebed {

// How masters run in containers, at the scaled size; empty if they do not.
std::optional<MasterContainerOptions> container_masters(const Experiment& experiment);

// Their faults; with the entries for a run record and their processes.
MasterFaults master_faults(const Experiment& experiment, std::uint64_t seed);

// The entries in a run record, among the masters' settings; none for unmanaged ones.
NamedTexts to_record(const std::optional<MasterContainerOptions>& containers);
// Removes them from a run record's settings again. Throws InputError; `place` begins the message.
std::optional<MasterContainerOptions> take_container_masters(NamedTexts& recorded,
                                                             const std::string& place);

}  // namespace tracebed
