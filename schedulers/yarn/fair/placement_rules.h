// How the Fair Scheduler finds an application's queue: the rules of <queuePlacementPolicy>
// (scheduler.fair.QueuePlacementPolicy), of which the first that names a queue counts.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/result.h"
#include "core/xml_element.h"

namespace tracebed {

struct PlacementRule {
  enum class Kind : std::uint8_t {
    specified,
    user,
    primary_group,
    secondary_group_existing_queue,
    nested_user_queue,  // the user's queue below that of `parent`
    default_queue,
    reject,
  };
  Kind kind = Kind::reject;
  bool creates = true;                // false: only a queue that exists
  std::string queue;                  // of default_queue
  std::vector<PlacementRule> parent;  // of nested_user_queue: one rule
};

// Fails if a rule is unknown, if it comes after one that decides about every application, and if
// none does.
Result<std::vector<PlacementRule>> read_placement_rules(const XmlElement& policy);

}  // namespace tracebed
