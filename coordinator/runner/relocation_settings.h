// The settings of the relocate policy, as in an experiment's [relocation] table and in a run
// record.
#pragma once

#include <optional>
#include <span>

#include "coordinator/engine/relocation.h"
#include "core/result.h"
#include "core/settings.h"

namespace tracebed {

std::span<const SettingDescription> relocation_settings();
// Empty if every reason to relocate is switched off, as by default.
Result<std::optional<RelocationOptions>> read_relocation(const SettingValues& values);

}  // namespace tracebed
