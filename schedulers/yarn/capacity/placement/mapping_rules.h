// Which queue an application goes to: the queue mappings of capacity-scheduler.xml
// (resourcemanager.placement.CSMappingPlacementRule and its package csmappingrule, Hadoop 3.4; in
// earlier ones mappings differ in fallbacks). The first rule that places an application, or rejects
// it, counts. One that none of them places stays in the queue that it names.
//
// Variables stand for what they are called, as a whole part of a path or anywhere in what a rule
// matches: %user, %primary_group, %secondary_group (the first other group that is a queue below
// the parts before it), %specified (the queue that the application names; empty for "default"),
// %application and %default ("root.default", unless a rule set another). A dot in the name of a
// user or group is "_dot_" in a path.
//
// A rule may place an application in a queue that is created then: its parent, or that queue's own
// parent, has to create queues (MappingRuleValidationHelper.validateQueuePathAutoCreation).
//
// Deviations, each on purpose:
// - [capacity-application-names] Applications are without names: rules by name are refused, or meet
//   "N/A" as the name, which is that of an application without one there.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/result.h"
#include "schedulers/yarn/capacity/placement/named_queues.h"

namespace tracebed {

struct MappingRule {
  enum class Subject : std::uint8_t { everybody, user, group, application };
  enum class Action : std::uint8_t { place, reject, set_default };
  // What counts where the action's queue is none.
  enum class Fallback : std::uint8_t { skip, place_in_default, reject };

  Subject subject = Subject::everybody;
  std::string matches;  // of the others: a name, perhaps with variables
  Action action = Action::place;
  std::string queue;    // a path, perhaps with variables; of set_default: the new value of %default
  bool creates = true;  // the queue, if it is not there
  Fallback fallback = Fallback::skip;
  std::string where;  // "FILE:LINE: PROPERTY: RULE", for messages
};

struct MappingRequest {
  std::string queue = "default";  // the one that the application names; "default": none
  std::string user;
  std::vector<std::string> groups;  // the first is the primary one; not empty
};

class MappingRules {
 public:
  MappingRules() = default;
  // With `overrides`, rules also count for applications that name a queue.
  MappingRules(std::vector<MappingRule> rules, bool overrides, NamedQueues names);

  // That each rule can place somebody: a path without variables is a leaf that exists, and what is
  // before the first variable is a parent that does (MappingRuleValidationContextImpl). The error
  // begins with the rule's `where`.
  Status check() const;

  // The path of the leaf, which may have to be created; nothing if no rule places the application,
  // or none counts for it. Fails with the reason if it is rejected.
  Result<std::optional<std::string>> place(const MappingRequest& request) const;

  bool is_empty() const { return rules_.empty(); }
  const NamedQueues& names() const { return names_; }
  void add_queue(const NamedQueue& queue) { names_.add(queue); }
  void set_names(NamedQueues names) { names_ = std::move(names); }

 private:
  // The path of the leaf that is called so; the error is why there is none.
  Result<std::string> leaf_of(const std::string& path, bool creates) const;
  // Whether a queue with this path may be created, by its parent or that one's.
  bool is_creatable(const std::string& path) const;
  // The path with the first part's queue in its place.
  Result<std::string> with_path_of_root(const std::string& path) const;
  Status check_static(const std::string& path) const;
  Status check_dynamic(const std::vector<std::string>& parts) const;

  std::vector<MappingRule> rules_;
  bool overrides_ = false;
  NamedQueues names_;
};

// Whether the path, or what a rule matches, has the variable of applications' names.
bool depends_on_application_name(const MappingRule& rule);

// "u:USER:QUEUE" and "g:GROUP:QUEUE" (CapacitySchedulerConfiguration.parseLegacyMappingRules), with
// commas or line ends between. `place` is "FILE:LINE: PROPERTY". Fails with it.
Result<std::vector<MappingRule>> parse_queue_mappings(const std::string& text,
                                                      const std::string& place);

}  // namespace tracebed
