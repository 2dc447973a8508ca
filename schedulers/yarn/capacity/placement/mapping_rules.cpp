#include "schedulers/yarn/capacity/placement/mapping_rules.h"

#include <algorithm>
#include <array>

#include "core/text.h"

namespace tracebed {
namespace {

using MappingAction = MappingRule::Action;
using MappingFallback = MappingRule::Fallback;
using MappingSubject = MappingRule::Subject;

constexpr std::string_view default_variable = "%default";
constexpr std::string_view secondary_variable = "%secondary_group";
constexpr std::string_view application_variable = "%application";
// RMAppManager's name of applications without one.
constexpr std::string_view no_application_name = "N/A";

// The longest first: a shorter one may be how a longer one begins.
constexpr std::array<std::string_view, 6> known_variables{secondary_variable,   "%primary_group",
                                                          application_variable, "%specified",
                                                          default_variable,     "%user"};

bool is_variable(std::string_view part) {
  return std::find(known_variables.begin(), known_variables.end(), part) != known_variables.end();
}

// As a name of a queue (CSMappingPlacementRule.cleanName).
std::string without_dots(const std::string& name) {
  std::string clean;
  for (const char c : name) clean += c == '.' ? std::string("_dot_") : std::string(1, c);
  return clean;
}

// What the variables stand for, for one application.
class MappingVariables {
 public:
  MappingVariables(const MappingRequest& request, const NamedQueues& names)
      : request_(request), names_(names) {
    values_["%user"] = without_dots(request.user);
    values_["%specified"] = request.queue == "default" ? "" : request.queue;
    values_[application_variable] = no_application_name;
    values_[default_variable] = "root.default";
    values_["%primary_group"] = without_dots(request.groups.front());
    for (std::size_t i = 1; i < request.groups.size(); ++i) {
      secondary_.push_back(without_dots(request.groups[i]));
    }
  }

  void set_default(const std::string& text) { values_[default_variable] = in_text(text); }

  // Anywhere in a text. That of the secondary group is none here, unless there are no such groups.
  std::string in_text(std::string text) const {
    for (const std::string_view variable : known_variables) {
      if (variable == secondary_variable && !secondary_.empty()) continue;
      const auto value = values_.find(variable);
      const std::string instead = value == values_.end() ? std::string() : value->second;
      for (std::size_t at = text.find(variable); at != std::string::npos;
           at = text.find(variable, at + instead.size())) {
        text.replace(at, variable.size(), instead);
      }
    }
    return text;
  }

  // As whole parts of a path.
  std::string in_path(const std::string& path) const {
    std::vector<std::string> parts = path_parts(path);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (parts[i] == secondary_variable) {
        parts[i] = secondary_group({parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(i)});
      } else if (const auto value = values_.find(parts[i]); value != values_.end()) {
        parts[i] = value->second;
      }
    }
    return joined_path(parts);
  }

  bool match(const MappingRule& rule) const {
    const auto is_text = [&](std::string_view name) { return in_text(rule.matches) == name; };
    switch (rule.subject) {
      case MappingSubject::everybody:
        return true;
      case MappingSubject::user:
        return is_text(request_.user);
      case MappingSubject::group:
        return std::any_of(request_.groups.begin(), request_.groups.end(), is_text);
      case MappingSubject::application:
        return is_text(no_application_name);
    }
    return false;
  }

 private:
  // The first of the user's other groups that is a queue below these parts; empty if none is.
  std::string secondary_group(std::vector<std::string> above) const {
    for (const std::string& group : secondary_) {
      above.push_back(group);
      if (names_.find(joined_path(above)) != nullptr) return group;
      above.pop_back();
    }
    return {};
  }

  const MappingRequest& request_;
  const NamedQueues& names_;
  std::map<std::string_view, std::string, std::less<>> values_;
  std::vector<std::string> secondary_;
};

// StringUtils.getTrimmedStringCollection: between these characters, trimmed, without empty ones.
std::vector<std::string> split_trimmed(std::string_view text, std::string_view separators) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find_first_of(separators, begin), text.size());
    const std::string_view part = trimmed(text.substr(begin, end - begin));
    if (!part.empty()) parts.emplace_back(part);
    begin = end + 1;
  }
  return parts;
}

}  // namespace

MappingRules::MappingRules(std::vector<MappingRule> rules, bool overrides, NamedQueues names)
    : rules_(std::move(rules)), overrides_(overrides), names_(std::move(names)) {}

// ---- placing ----

Result<std::optional<std::string>> MappingRules::place(const MappingRequest& request) const {
  // The queue "default" is what an application is submitted to that names none.
  if (!overrides_ && request.queue != "default") return std::optional<std::string>();
  MappingVariables variables(request, names_);
  for (const MappingRule& rule : rules_) {
    if (!variables.match(rule)) continue;
    if (rule.action == MappingAction::set_default) {
      variables.set_default(rule.queue);
      continue;
    }
    if (rule.action == MappingAction::reject) return Error{"it is rejected by " + rule.where};
    const Result<std::string> leaf = leaf_of(variables.in_path(rule.queue), rule.creates);
    if (leaf) return std::optional(*leaf);
    if (rule.fallback == MappingFallback::skip) continue;
    const std::string why = " by " + rule.where + ", as " + leaf.error().message;
    if (rule.fallback == MappingFallback::reject) return Error{"it is rejected" + why};
    const Result<std::string> instead =
        leaf_of(variables.in_path(std::string(default_variable)), false);
    if (instead) return std::optional(*instead);
    return Error{"it is rejected" + why + ", and in place of it " + instead.error().message};
  }
  return std::optional<std::string>();
}

// CSMappingPlacementRule.validateAndNormalizeQueue.
Result<std::string> MappingRules::leaf_of(const std::string& path, bool creates) const {
  const std::vector<std::string> parts = path_parts(path);
  const bool has_empty =
      std::any_of(parts.begin(), parts.end(), [](const std::string& part) { return part.empty(); });
  if (has_empty) return Error{"\"" + path + "\" names no queue"};
  const Result<std::string> full = with_path_of_root(path);
  if (!full) return full.error();
  const NamedQueue* queue = names_.find(*full);
  if (queue == nullptr) {
    if (!is_creatable(*full)) return Error{"there is no queue " + *full};
    if (creates) return *full;
    return Error{"there is no queue " + *full + ", and the rule does not create it"};
  }
  if (!queue->is_leaf) return Error{"queue " + queue->path + " has queues below it"};
  return queue->path;
}

// MappingRuleValidationHelper.validateQueuePathAutoCreation.
bool MappingRules::is_creatable(const std::string& path) const {
  const std::size_t dot = path.rfind('.');
  if (dot == std::string::npos) return false;
  const std::string above = path.substr(0, dot);
  if (const NamedQueue* parent = names_.find(above)) {
    return parent->creates_queues || parent->manages_queues;
  }
  const std::size_t dot_above = above.rfind('.');
  if (dot_above == std::string::npos) return false;
  const NamedQueue* highest = names_.find(above.substr(0, dot_above));
  return highest != nullptr && highest->creates_queues;
}

// MappingRuleValidationHelper.normalizeQueuePathRoot.
Result<std::string> MappingRules::with_path_of_root(const std::string& path) const {
  std::vector<std::string> parts = path_parts(path);
  // QueuePath trims before and behind the last dot.
  parts.front() = std::string(trimmed(parts.front()));
  parts.back() = std::string(trimmed(parts.back()));
  const NamedQueue* root = names_.find(parts.front());
  if (root == nullptr) {
    return Error{names_.is_ambiguous(parts.front()) ? "several queues are called " + parts.front()
                                                    : "there is no queue " + parts.front()};
  }
  parts.front() = root->path;
  return joined_path(parts);
}

// ---- checking ----

Status MappingRules::check() const {
  for (const MappingRule& rule : rules_) {
    if (rule.action != MappingAction::place) continue;
    const std::vector<std::string> parts = path_parts(rule.queue);
    Status status = success();
    // Parts behind the first variable do not count.
    for (std::size_t i = 0; i < parts.size() && status; ++i) {
      if (is_variable(parts[i])) break;
      if (parts[i].empty()) status = Error{"a path without empty parts"};
    }
    if (status) {
      const bool is_static = std::none_of(parts.begin(), parts.end(), is_variable);
      status = is_static ? check_static(rule.queue) : check_dynamic(parts);
    }
    if (!status) return Error{rule.where + ": expected " + status.error().message};
  }
  return success();
}

Status MappingRules::check_static(const std::string& path) const {
  const Result<std::string> leaf = leaf_of(path, true);
  if (!leaf) return Error{"a leaf queue, but " + leaf.error().message};
  return success();
}

Status MappingRules::check_dynamic(const std::vector<std::string>& parts) const {
  const auto variable = std::find_if(parts.begin(), parts.end(), is_variable);
  if (variable == parts.begin()) return success();
  const Result<std::string> above = with_path_of_root(joined_path({parts.begin(), variable}));
  if (!above) return Error{"a parent before the variable, but " + above.error().message};
  const NamedQueue* queue = names_.find(*above);
  if (queue == nullptr) {
    // It may be a parent that is created itself.
    const NamedQueue* highest = names_.find(above->substr(0, above->rfind('.')));
    if (variable - parts.begin() > 1 && highest != nullptr &&
        (highest->creates_queues || highest->manages_queues)) {
      return success();
    }
    return Error{"a parent before the variable, but there is no queue " + *above};
  }
  if (queue->is_leaf) {
    return Error{"a parent before the variable, but queue " + queue->path + " is a leaf"};
  }
  return success();
}

bool depends_on_application_name(const MappingRule& rule) {
  const std::vector<std::string> parts = path_parts(rule.queue);
  return rule.subject == MappingSubject::application ||
         rule.matches.find(application_variable) != std::string::npos ||
         std::find(parts.begin(), parts.end(), application_variable) != parts.end();
}

// ---- reading ----

Result<std::vector<MappingRule>> parse_queue_mappings(const std::string& text,
                                                      const std::string& place) {
  std::vector<MappingRule> rules;
  for (const std::string& mapping : split_trimmed(text, ",\n")) {
    const std::vector<std::string> parts = split_trimmed(mapping, ":");
    if (parts.size() != 3 || (parts[0] != "u" && parts[0] != "g")) {
      return Error{place + ": expected u:USER:QUEUE or g:GROUP:QUEUE, separated by commas, got \"" +
                   mapping + "\""};
    }
    MappingRule rule;
    rule.subject = parts[0] == "g"       ? MappingSubject::group
                   : parts[1] == "%user" ? MappingSubject::everybody
                                         : MappingSubject::user;
    rule.matches = parts[1];
    rule.queue = parts[2];
    rule.fallback = MappingFallback::place_in_default;
    rule.where = place + ": " + mapping;
    rules.push_back(std::move(rule));
  }
  return rules;
}

}  // namespace tracebed
