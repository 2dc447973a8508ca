// Settings that give weights to names: "alice=2,bob=0.5".
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "core/result.h"
#include "core/scheduler_parameters.h"

namespace tracebed {

// In thousandths, from 1 to a million.
using NamedWeights = std::map<std::string, std::int64_t, std::less<>>;

// The value of the setting `weights`; no weights if it is not given. `example` is for the message.
Result<NamedWeights> read_named_weights(const SchedulerParameters& parameters,
                                        std::string_view scheduler, std::string_view example);

}  // namespace tracebed
