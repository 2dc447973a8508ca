// Settings that give weights to names: "alice=2,bob=0.5".
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "core/result.h"
#include "core/scheduler_parameters.h"

namespace tracebed {

// In thousandths.
using NamedWeights = std::map<std::string, std::int64_t, std::less<>>;

// A setting of this kind. `example` is for the message.
struct NamedWeightsSetting {
  std::string_view name = "weights";
  std::string_view example;
  std::int64_t most = 1'000;  // of one weight; the least is 0.001
};

// The value of the setting `weights`, from 0.001 to 1000; no weights if it is not given.
Result<NamedWeights> read_named_weights(const SchedulerParameters& parameters,
                                        std::string_view scheduler, std::string_view example);
// Likewise of another setting.
Result<NamedWeights> read_named_weights(const SchedulerParameters& parameters,
                                        std::string_view scheduler,
                                        const NamedWeightsSetting& setting);

}  // namespace tracebed
