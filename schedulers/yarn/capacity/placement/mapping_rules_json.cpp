#include "schedulers/yarn/capacity/placement/mapping_rules_json.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

namespace tracebed {
namespace {

using nlohmann::json;

// Finds where a text is no JSON, or an object has a key twice; the parser that makes values of it
// tells neither.
class JsonChecker : public nlohmann::json_sax<json> {
 public:
  explicit JsonChecker(const std::string& text) : text_(text) {}

  const std::string& fault() const { return fault_; }

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override {
    keys_.emplace_back();
    return true;
  }
  bool key(string_t& name) override {
    if (keys_.back().insert(name).second) return true;
    fault_ = "expected each key of an object once, got \"" + name + "\" again";
    return false;
  }
  bool end_object() override {
    keys_.pop_back();
    return true;
  }
  bool start_array(std::size_t) override { return true; }
  bool end_array() override { return true; }
  bool parse_error(std::size_t position, const std::string& token,
                   const nlohmann::detail::exception&) override {
    const auto behind =
        text_.begin() + static_cast<std::ptrdiff_t>(std::min(position, text_.size()));
    fault_ = "line " + std::to_string(1 + std::count(text_.begin(), behind, '\n')) +
             ": expected JSON, got \"" + token + "\"";
    return false;
  }

 private:
  const std::string& text_;
  std::vector<std::set<std::string>> keys_;  // of the objects that are open
  std::string fault_;
};

// How a value is shown in a message.
std::string shown(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

constexpr std::array<std::string_view, 3> rule_types{"user", "group", "application"};
constexpr std::array<std::string_view, 3> fallbacks{"skip", "placeDefault", "reject"};

enum class RulePolicy : std::uint8_t {
  specified,
  reject,
  default_queue,
  user,
  primary_group,
  secondary_group,
  primary_group_user,
  secondary_group_user,
  application_name,
  set_default_queue,
  custom,
};
constexpr std::array<std::string_view, 11> policies{"specified",
                                                    "reject",
                                                    "defaultQueue",
                                                    "user",
                                                    "primaryGroup",
                                                    "secondaryGroup",
                                                    "primaryGroupUser",
                                                    "secondaryGroupUser",
                                                    "applicationName",
                                                    "setDefaultQueue",
                                                    "custom"};

constexpr std::array<std::string_view, 8> rule_keys{"type",        "matches",        "policy",
                                                    "parentQueue", "fallbackResult", "create",
                                                    "value",       "customPlacement"};

std::string list_of(std::span<const std::string_view> words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + std::string(words[i]);
  }
  return text;
}

// One rule's keys. The first fault is kept, and what is read after it means nothing.
class RuleReader {
 public:
  RuleReader(const json& rule, std::string where) : rule_(rule), where_(std::move(where)) {}

  Result<MappingRule> read();

 private:
  // Null if it is not there, or null.
  const json* find(std::string_view key) const {
    const auto found = rule_.find(std::string(key));
    return found == rule_.end() || found->is_null() ? nullptr : &*found;
  }
  std::optional<std::string> text(std::string_view key) {
    const json* value = find(key);
    if (value == nullptr) return std::nullopt;
    if (value->is_string()) return value->get<std::string>();
    fail(key, "a text");
    return std::nullopt;
  }
  std::size_t choice(std::string_view key, std::span<const std::string_view> words,
                     std::optional<std::size_t> otherwise) {
    const std::optional<std::string> word = text(key);
    if (!word && otherwise) return *otherwise;
    const auto found = std::find(words.begin(), words.end(), word.value_or(""));
    if (word && found != words.end()) return static_cast<std::size_t>(found - words.begin());
    fail(key, list_of(words));
    return 0;
  }
  void fail(std::string_view key, const std::string& expected) {
    if (!fault_.empty()) return;
    const json* value = find(key);
    fault_ = where_ + ", " + std::string(key) + ": expected " + expected + ", got " +
             (value == nullptr ? "none" : shown(*value));
  }
  void check_keys();
  // `parentQueue`, if there is one, with this below it.
  std::string below_parent(const std::string& path) {
    const std::optional<std::string> parent = text("parentQueue");
    return parent ? *parent + "." + path : path;
  }
  std::string needed(std::string_view key, const std::string& expected) {
    const std::optional<std::string> value = text(key);
    if (!value) fail(key, expected);
    return value.value_or("");
  }
  void read_subject(MappingRule& rule);
  void read_action(MappingRule& rule);

  const json& rule_;
  std::string where_;
  std::string fault_;
};

void RuleReader::check_keys() {
  for (const auto& [key, value] : rule_.items()) {
    if (std::find(rule_keys.begin(), rule_keys.end(), key) != rule_keys.end()) continue;
    fail(key, "one of the keys " + list_of(rule_keys));
  }
}

void RuleReader::read_subject(MappingRule& rule) {
  using Subject = MappingRule::Subject;
  constexpr std::array subjects{Subject::user, Subject::group, Subject::application};
  rule.subject = subjects[choice("type", rule_types, std::nullopt)];
  rule.matches = needed("matches", "a name");
  if (rule.matches.empty()) fail("matches", "a name");
  if (rule.matches != "*") return;
  if (rule.subject == Subject::group) fail("matches", "the name of a group");
  if (rule.subject == Subject::user) rule.subject = Subject::everybody;
}

void RuleReader::read_action(MappingRule& rule) {
  switch (static_cast<RulePolicy>(choice("policy", policies, std::nullopt))) {
    case RulePolicy::specified:
      rule.queue = "%specified";
      break;
    case RulePolicy::reject:
      rule.action = MappingRule::Action::reject;
      break;
    case RulePolicy::default_queue:
      rule.queue = "%default";
      rule.creates = false;
      break;
    case RulePolicy::user:
      rule.queue = below_parent("%user");
      break;
    case RulePolicy::primary_group:
      rule.queue = below_parent("%primary_group");
      break;
    case RulePolicy::secondary_group:
      rule.queue = below_parent("%secondary_group");
      break;
    case RulePolicy::primary_group_user:
      rule.queue = below_parent("%primary_group.%user");
      break;
    case RulePolicy::secondary_group_user:
      rule.queue = below_parent("%secondary_group.%user");
      break;
    case RulePolicy::application_name:
      rule.queue = below_parent("%application");
      break;
    case RulePolicy::set_default_queue:
      rule.action = MappingRule::Action::set_default;
      rule.queue = needed("value", "the queue to set");
      break;
    case RulePolicy::custom:
      rule.queue = needed("customPlacement", "a queue");
      break;
  }
}

Result<MappingRule> RuleReader::read() {
  using Fallback = MappingRule::Fallback;
  constexpr std::array of_word{Fallback::skip, Fallback::place_in_default, Fallback::reject};
  MappingRule rule;
  rule.where = where_;
  check_keys();
  read_subject(rule);
  read_action(rule);
  rule.fallback = of_word[choice("fallbackResult", fallbacks, 0)];
  const json* create = find("create");
  if (create != nullptr && !create->is_boolean()) fail("create", "true or false");
  if (create != nullptr && create->is_boolean() && !create->get<bool>()) rule.creates = false;
  if (!fault_.empty()) return Error{fault_};
  return rule;
}

}  // namespace

Result<std::vector<MappingRule>> parse_json_mapping_rules(const std::string& text,
                                                          const std::string& place) {
  JsonChecker checker(text);
  if (!json::sax_parse(text, &checker)) return Error{place + ", " + checker.fault()};
  const json root = json::parse(text, nullptr, false);
  if (!root.is_object())
    return Error{place + ": expected an object with rules, got " + shown(root)};
  for (const auto& [key, value] : root.items()) {
    if (key != "rules") return Error{place + ", " + key + ": expected the one key rules"};
  }
  std::vector<MappingRule> rules;
  const auto list = root.find("rules");
  if (list == root.end()) return rules;
  if (!list->is_array()) return Error{place + ", rules: expected a list, got " + shown(*list)};
  for (std::size_t i = 0; i < list->size(); ++i) {
    const std::string where = place + ", rule " + std::to_string(i + 1);
    const json& each = (*list)[i];
    if (!each.is_object()) return Error{where + ": expected an object, got " + shown(each)};
    Result<MappingRule> rule = RuleReader(each, where).read();
    if (!rule) return rule.error();
    rules.push_back(std::move(*rule));
  }
  return rules;
}

}  // namespace tracebed
