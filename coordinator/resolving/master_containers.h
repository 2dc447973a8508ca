// Masters in containers: from an experiment, into a run record, and back.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "coordinator/config/experiment.h"
#include "coordinator/resolving/given_settings.h"
#include "core/master_calls.h"

namespace tracebed {

// How masters run in containers, divided by [scale]; empty if they do not.
std::optional<MasterContainerOptions> container_masters(const MasterChoice& choice,
                                                        const ScaleChoice& scale);

// What dividing made of their containers' sizes, a sentence for each that it changes much.
std::vector<std::string> rounding_of_masters(const MasterChoice& choice,
                                             const MasterContainerOptions& scaled,
                                             const ScaleChoice& scale);

// The entries in a run record, among the masters' settings; none for unmanaged ones.
NamedTexts to_record(const std::optional<MasterContainerOptions>& containers);
// Removes them from a run record's settings again. Throws InputError; `place` begins the message.
std::optional<MasterContainerOptions> take_container_masters(NamedTexts& recorded,
                                                             const std::string& place);

}  // namespace tracebed
