// Reads what YARN's clients send to change a scheduler's configuration (SchedConfUpdateInfo and
// QueueConfigInfo): <sched-conf> as XML, or the same as JSON, as YARN's servers and clients of all
// releases write it. Both come from a network.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/configuration_update.h"

namespace tracebed {

enum class UpdateForm : std::uint8_t { xml, json };

// Of a text; what is longer is to be refused before it is read.
inline constexpr std::size_t configuration_update_bytes_max = std::size_t{256} << 10;

// Throws InputError, which names the place in the text, what was expected and what was found, for
// what is malformed or unknown, and for an update that changes nothing.
ConfigurationUpdate read_configuration_update(std::string_view text, UpdateForm form);

}  // namespace tracebed
