#include "schedulers/yarn/fair/placement_rules.h"

#include <algorithm>
#include <array>

#include "schedulers/yarn/configuration/letter_case.h"

namespace tracebed {
namespace {

using Kind = PlacementRule::Kind;

// In the order of PlacementRule::Kind.
constexpr std::array<std::string_view, 7> names = {
    "specified",       "user",    "primaryGroup", "secondaryGroupExistingQueue",
    "nestedUserQueue", "default", "reject"};

Error wrong(const XmlElement& element, const std::string& expected) {
  const std::string* name = element.attribute("name");
  const std::string shown = name == nullptr ? "" : " name=\"" + *name + "\"";
  return Error{place_of(element) + ": expected " + expected + ", got <" + element.name + shown +
               ">"};
}

Result<PlacementRule> read_rule(const XmlElement& element, bool is_nested) {
  const std::string* name = element.attribute("name");
  const auto* const found = std::find(names.begin(), names.end(), name == nullptr ? "" : *name);
  if (element.name != "rule" || found == names.end()) {
    return wrong(element,
                 "a rule named specified, user, primaryGroup, secondaryGroupExistingQueue, "
                 "nestedUserQueue, default or reject");
  }
  PlacementRule rule;
  rule.kind = static_cast<Kind>(found - names.begin());
  const std::string* creates = element.attribute("create");
  rule.creates = creates == nullptr || equal_but_for_case(*creates, "true");
  if (!rule.creates && !equal_but_for_case(*creates, "false")) {
    return wrong(element, "create=\"true\" or create=\"false\"");
  }
  const std::string* queue = element.attribute("queue");
  rule.queue = queue == nullptr ? "root.default" : *queue;
  if (rule.kind != Kind::nested_user_queue) return rule;
  if (is_nested || element.children.size() != 1) {
    return wrong(element, "exactly one rule in nestedUserQueue, and that not nested itself");
  }
  Result<PlacementRule> parent = read_rule(element.children.front(), true);
  if (!parent) return parent;
  rule.parent.push_back(std::move(*parent));
  return rule;
}

// True if there are applications that the rule names no queue for.
bool lets_pass(const PlacementRule& rule, NestedRules nested) {
  switch (rule.kind) {
    case Kind::default_queue:
    case Kind::reject:
      return false;
    case Kind::user:
    case Kind::primary_group:
      return !rule.creates;
    case Kind::nested_user_queue:
      return nested == NestedRules::pass || !rule.creates || lets_pass(rule.parent.front(), nested);
    case Kind::specified:
    case Kind::secondary_group_existing_queue:
      break;
  }
  return true;
}

}  // namespace

Result<std::vector<PlacementRule>> read_placement_rules(const XmlElement& policy,
                                                        NestedRules nested) {
  std::vector<PlacementRule> rules;
  for (const XmlElement& element : policy.children) {
    if (!rules.empty() && !lets_pass(rules.back(), nested)) {
      const bool is_of_hadoop_2 = rules.back().kind == Kind::nested_user_queue;
      return wrong(element, std::string("no rule after one that decides about every application") +
                                (is_of_hadoop_2 ? ", as nestedUserQueue here does, unless "
                                                  "semantics = \"hadoop-2.0\""
                                                : ""));
    }
    Result<PlacementRule> rule = read_rule(element, false);
    if (!rule) return rule.error();
    rules.push_back(std::move(*rule));
  }
  if (rules.empty() || lets_pass(rules.back(), nested)) {
    return wrong(policy,
                 "a last rule that decides about every application, as default or reject do");
  }
  return rules;
}

}  // namespace tracebed
