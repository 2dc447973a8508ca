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

// Which rules decide about every application, so that none may follow and the last must be one.
// Hadoop 3 looks at what a nestedUserQueue contains (placement.FSPlacementRule). For Hadoop 2 it
// never is one (QueuePlacementRule.NestedUserQueue.isTerminal), as no user's queue is created below
// a leaf.
enum class NestedRules : std::uint8_t { decide, pass };

// Fails if a rule is unknown, if it comes after one that decides about every application, and if
// none does.
Result<std::vector<PlacementRule>> read_placement_rules(const XmlElement& policy,
                                                        NestedRules nested = NestedRules::decide);

}  // namespace tracebed
