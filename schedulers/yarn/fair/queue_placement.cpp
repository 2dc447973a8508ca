#include "schedulers/yarn/fair/queue_placement.h"

#include "core/text.h"

namespace tracebed {
namespace {

using Kind = PlacementRule::Kind;
using Presence = std::function<QueuePresence(const std::string&)>;

constexpr std::string_view root = "root";

std::string below_root(std::string_view name) {
  const bool has_root = name == root || name.starts_with("root.");
  return has_root ? std::string(name) : "root." + std::string(name);
}

// A user's or group's name as the name of one queue.
std::string as_queue_name(std::string_view name) {
  std::string clean;
  for (const char c : trimmed(name)) {
    if (c == '.') {
      clean += "_dot_";
    } else {
      clean += c;
    }
  }
  return clean;
}

bool is_declared(QueuePresence presence) {
  return presence == QueuePresence::declared_leaf || presence == QueuePresence::declared_parent;
}

bool is_well_formed(std::string_view name) {
  return name == trimmed(name) && !name.starts_with('.') && !name.ends_with('.') &&
         name.find("..") == std::string_view::npos;
}

class Chooser {
 public:
  Chooser(const PlacementRequest& request, const Presence& presence)
      : request_(request), presence_(presence) {}

  // Nothing: the rule lets the application pass to the next one, unless refusal() says otherwise.
  std::optional<std::string> apply(const PlacementRule& rule) {
    switch (rule.kind) {
      case Kind::specified:
        return specified(rule);
      case Kind::user:
        return if_allowed(rule, below_root(as_queue_name(request_.user)));
      case Kind::primary_group:
        return if_allowed(rule, below_root(as_queue_name(request_.groups.front())));
      case Kind::secondary_group_existing_queue:
        return secondary_group();
      case Kind::nested_user_queue:
        return nested(rule);
      case Kind::default_queue:
        return if_allowed(rule, below_root(rule.queue));
      case Kind::reject:
        break;
    }
    refusal_ = "the placement rules reject it";
    return std::nullopt;
  }
  const std::string& refusal() const { return refusal_; }

 private:
  std::optional<std::string> if_allowed(const PlacementRule& rule, std::string path) const {
    if (!rule.creates && !is_declared(presence_(path))) return std::nullopt;
    return path;
  }

  std::optional<std::string> specified(const PlacementRule& rule) {
    if (request_.queue.empty() || request_.queue == "default") return std::nullopt;
    if (is_well_formed(request_.queue)) return if_allowed(rule, below_root(request_.queue));
    refusal_ = "\"" + request_.queue + "\" is not a valid queue name";
    return std::nullopt;
  }

  std::optional<std::string> secondary_group() const {
    for (std::size_t i = 1; i < request_.groups.size(); ++i) {
      std::string path = below_root(as_queue_name(request_.groups[i]));
      if (is_declared(presence_(path))) return path;
    }
    return std::nullopt;
  }

  std::optional<std::string> nested(const PlacementRule& rule) {
    const std::optional<std::string> parent = apply(rule.parent.front());
    if (!parent || presence_(*parent) == QueuePresence::declared_leaf) return std::nullopt;
    return if_allowed(rule, *parent + "." + as_queue_name(request_.user));
  }

  const PlacementRequest& request_;
  const Presence& presence_;
  std::string refusal_;
};

}  // namespace

std::vector<PlacementRule> rules_without_policy(const FairSettings& settings) {
  const bool creates = settings.allow_undeclared_pools;
  std::vector<PlacementRule> rules;
  rules.push_back({.kind = Kind::specified, .creates = creates, .queue = {}, .parent = {}});
  if (settings.user_as_default_queue) {
    rules.push_back({.kind = Kind::user, .creates = creates, .queue = {}, .parent = {}});
  }
  if (!settings.user_as_default_queue || !creates) {
    rules.push_back(
        {.kind = Kind::default_queue, .creates = true, .queue = "root.default", .parent = {}});
  }
  return rules;
}

QueueChoice choose_queue(const std::vector<PlacementRule>& rules, const PlacementRequest& request,
                         const Presence& presence) {
  Chooser chooser(request, presence);
  for (const PlacementRule& rule : rules) {
    const std::optional<std::string> path = chooser.apply(rule);
    if (path) return {*path, {}};
    if (!chooser.refusal().empty()) return {{}, chooser.refusal()};
  }
  return {{}, "no placement rule assigns it a queue"};
}

}  // namespace tracebed
