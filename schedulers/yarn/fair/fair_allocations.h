// The contents of the Fair Scheduler's allocation file, checked, with defaults and inheritance
// filled in (scheduler.fair.allocation.AllocationFileParser, AllocationFileQueueParser,
// AllocationConfiguration).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "core/xml_element.h"
#include "schedulers/known_properties.h"
#include "schedulers/yarn/configuration/queue_acl.h"
#include "schedulers/yarn/fair/allocation_amount.h"
#include "schedulers/yarn/fair/placement_rules.h"
#include "schedulers/yarn/fair/share_policy.h"

namespace tracebed {

struct FairQueue {
  std::string path;                   // "root.a.b"
  std::size_t parent = 0;             // of the root, itself
  std::vector<std::size_t> children;  // in the file's order
  bool is_parent = false;             // has children, or is marked type="parent"

  float weight = 1;
  AllocationAmount minimum{AllocationAmount::Missing::nothing};
  // Its own, else the nearest ancestor's maxChildResources, else queueMaxResourcesDefault.
  AllocationAmount maximum{AllocationAmount::Missing::unlimited};
  std::optional<AllocationAmount> maximum_of_children;
  std::optional<AllocationAmount> maximum_container;  // inherited
  std::optional<std::int64_t> maximum_running;        // applications
  float application_master_share = 0.5F;              // of the fair share; -1: without limit
  SharePolicy policy = SharePolicy::fair;
  std::optional<std::int64_t> minimum_share_timeout_s;  // none: never. Inherited.
  std::optional<std::int64_t> fair_share_timeout_s;     // none: never. Inherited.
  float fair_share_threshold = 0.5F;                    // 0 to 1. Inherited.
  bool allows_preemption_from = true;                   // inherited
  // Which of these four the file sets for the queue itself.
  struct Stated {
    bool minimum_share_timeout = false;
    bool fair_share_timeout = false;
    bool fair_share_threshold = false;
    bool allows_preemption_from = false;
  };
  Stated stated;
  QueueAcl submitters;      // and those of any ancestor
  QueueAcl administrators;  // likewise
};

struct FairAllocations {
  std::vector<FairQueue> queues;  // parents before their children; the first is the root
  std::map<std::string, std::size_t, std::less<>> queue_of_path;  // the place in `queues` of each
  std::map<std::string, std::int64_t> maximum_running_of_users;
  std::optional<std::int64_t> maximum_running_of_user;  // of users without their own
  bool inherits = true;  // what a queue does not set, its parent's applies
  PolicyRule policy_rule = PolicyRule::by_parent;
  // Of queues that are created on demand.
  std::optional<std::int64_t> maximum_running_of_queue;
  AllocationAmount maximum_of_queue{AllocationAmount::Missing::unlimited};
  float application_master_share = 0.5F;
  SharePolicy policy = SharePolicy::fair;
  // Of the root, and of all queues if they do not inherit.
  std::optional<std::int64_t> minimum_share_timeout_s;
  std::optional<std::int64_t> fair_share_timeout_s;
  float fair_share_threshold = 0.5F;
  // Empty: none is given; the scheduler's settings apply then.
  std::vector<PlacementRule> placement;
  PropertyReview review;  // what is not obeyed of the file

  // Null if there is none with this path.
  const FairQueue* find(std::string_view path) const;
};

// What a queue inherits from its parent (AllocationConfiguration), whether the file mentions it or
// not: timeouts, threshold, whether it may be preempted, maxChildResources, the largest container.
void inherit_from(const FairQueue& parent, FairQueue& queue);

// In what Hadoop 2's files differ from Hadoop 3's.
struct AllocationFileForm {
  bool inherits = true;  // as in FairAllocations
  NestedRules nested_rules = NestedRules::decide;
  PolicyRule policy_rule = PolicyRule::by_parent;
};

// The error is a sentence that names file and line, element, what was expected and what was found.
Result<FairAllocations> read_fair_allocations(const XmlElement& root,
                                              const ResourceDimensions& dimensions,
                                              AllocationFileForm form = {});

}  // namespace tracebed
