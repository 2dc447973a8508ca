// The settings of the relocate policy, as in an experiment's [relocation] table and in a run
// record.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "coordinator/engine/relocation.h"
#include "coordinator/resolving/given_settings.h"
#include "core/result.h"
#include "core/settings.h"

namespace tracebed {

std::span<const SettingDescription> relocation_settings();
// Empty if every reason to relocate is switched off, as by default.
Result<std::optional<RelocationOptions>> read_relocation(const SettingValues& values);

// Removes the policy's settings from those of masters, with which a run record has them.
std::vector<Setting> take_relocation(NamedTexts& recorded, const std::string& place);

}  // namespace tracebed
