// Which queue an application goes to (scheduler.fair.QueuePlacementPolicy and the rules in
// resourcemanager.placement).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schedulers/yarn/fair/fair_settings.h"
#include "schedulers/yarn/fair/placement_rules.h"

namespace tracebed {

// The rules that apply if the allocation file has none.
std::vector<PlacementRule> rules_without_policy(const FairSettings& settings);

struct PlacementRequest {
  std::string queue;  // the one asked for; empty or "default": none
  std::string user;
  std::vector<std::string> groups;  // the first is the primary one; not empty
};

enum class QueuePresence : std::uint8_t { absent, on_demand, declared_leaf, declared_parent };

struct QueueChoice {
  std::string path;     // "root.a.b"; empty: refused
  std::string refusal;  // why
};

// The choice of the first rule that makes one. `presence` reports whether a queue exists, by path.
QueueChoice choose_queue(const std::vector<PlacementRule>& rules, const PlacementRequest& request,
                         const std::function<QueuePresence(const std::string&)>& presence);

}  // namespace tracebed
