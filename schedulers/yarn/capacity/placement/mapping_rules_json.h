// Mapping rules as JSON (yarn.scheduler.capacity.mapping-rule-format = json):
//   {"rules": [{"type": "user", "matches": "*", "policy": "user", "parentQueue": "root.users",
//               "fallbackResult": "placeDefault"}]}
// (scheduler.capacity.placement.MappingRuleCreator, MappingRulesDescription.json). A rule has type
// (user, group, application), matches, policy, and perhaps parentQueue, customPlacement (of the
// policy custom), value (of setDefaultQueue), create and fallbackResult (skip, placeDefault,
// reject; skip if it states none). As there, a key that the policy does not use means nothing.
//
// Deviations, each on purpose:
// - [capacity-rule-keys] A key that no rule has is refused, and not passed over; so is one that is
//   there twice.
#pragma once

#include <string>
#include <vector>

#include "core/result.h"
#include "schedulers/yarn/capacity/placement/mapping_rules.h"

namespace tracebed {

// `place` is what the text stands in. The error begins with it, and names line or rule and key,
// what was expected and what was found.
Result<std::vector<MappingRule>> parse_json_mapping_rules(const std::string& text,
                                                          const std::string& place);

}  // namespace tracebed
