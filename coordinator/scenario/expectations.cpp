#include "coordinator/scenario/expectations.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace tracebed {
namespace {

using Json = StoryFacts;

constexpr std::array<std::string_view, 10> lists{
    "allocated", "locality",    "ended",        "killed",      "accepted",
    "closed",    "queue_order", "reservations", "wanted_back", "next_wanted"};
constexpr std::array<std::string_view, 4> lists_by_name{"running", "waiting", "active", "inactive"};

// Of these an expected text is a part of what is.
constexpr std::array<std::string_view, 3> told_in_words{"rejected", "refused", "why"};
// Elements of these are of an application, one of its asks, and on a node.
constexpr std::array<std::string_view, 7> of_containers{
    "allocated", "ended", "killed", "running", "reservations", "wanted_back", "next_wanted"};

bool is_in(std::span<const std::string_view> facts, std::string_view name) {
  return std::find(facts.begin(), facts.end(), name) != facts.end();
}

bool is_bound(const Json& expected) {
  return expected.is_object() && !expected.empty() &&
         is_in(bound_keys, expected.items().begin().key());
}

// Fractions are written with a few digits, and computed in 32 bits where YARN does.
bool is_same_number(const Json& expected, const Json& actual) {
  if (!expected.is_number() || !actual.is_number()) return false;
  if (!expected.is_number_float() && !actual.is_number_float()) return expected == actual;
  constexpr double tolerance = 1e-4;
  const auto a = expected.get<double>();
  return std::abs(a - actual.get<double>()) <= tolerance * std::max(1.0, std::abs(a));
}

// "a@n1" is of a, as "a.maps@n1" is, which is of a.maps, too; both are of @n1.
bool is_container_of(const std::string& container, const std::string& name) {
  if (name.starts_with('@')) return container.ends_with(name);
  if (!container.starts_with(name)) return false;
  const std::string_view rest = std::string_view(container).substr(name.size());
  return rest.empty() || rest.front() == '.' || rest.front() == '@';
}

class Comparison {
 public:
  Comparison(const std::string& fact, std::vector<std::string>& faults)
      : in_words_(is_in(told_in_words, fact)),
        counts_containers_(is_in(of_containers, fact)),
        faults_(faults) {}

  // Adds what keeps `expected` from holding. `place` leads to it.
  void compare(const Json& expected, const Json& actual, const std::string& place) {
    if (is_bound(expected)) return compare_bounds(expected, actual, place);
    if (expected.is_object() && actual.is_array()) return compare_counts(expected, actual, place);
    if (!expected.is_object() || !actual.is_object()) {
      if (!is_as(expected, actual)) add(place, expected.dump(), actual);
      return;
    }
    for (const auto& [key, value] : expected.items()) {
      const std::string inner = place + "." + key;
      if (actual.contains(key)) {
        compare(value, actual.at(key), inner);
      } else {
        faults_.push_back(
            fmt::format("{}: expected {}, but there is no {}", inner, value.dump(), key));
      }
    }
  }

 private:
  void add(const std::string& place, const std::string& expected, const Json& actual) {
    faults_.push_back(fmt::format("{}: expected {}, got {}", place, expected, actual.dump()));
  }

  bool is_as(const Json& expected, const Json& actual) const {
    if (in_words_ && expected.is_string() && actual.is_string()) {
      const auto text = actual.get<std::string>();
      const auto part = expected.get<std::string>();
      return part == "nothing" ? text.empty() : text.find(part) != std::string::npos;
    }
    if (expected.is_string() && actual.is_array()) {
      // One word stands for the first of several, "nothing" for none.
      return actual.empty() ? expected == "nothing" : actual.front() == expected;
    }
    return expected == actual || is_same_number(expected, actual);
  }

  // Of a list the bounds are its length's; what is not limited is above every number.
  void compare_bounds(const Json& bounds, const Json& actual, const std::string& place) {
    const Json measured = actual.is_array() ? Json(actual.size()) : actual;
    for (const auto& [key, bound] : bounds.items()) {
      if (key == "not") {
        if (is_as(bound, actual)) add(place, "something other than " + bound.dump(), actual);
        continue;
      }
      const bool is_low = key == "at_least";
      const bool is_within =
          measured.is_null()
              ? is_low
              : measured.is_number() && (is_same_number(bound, measured) ||
                                         (is_low ? measured >= bound : measured <= bound));
      if (!is_within) add(place, (is_low ? "at least " : "at most ") + bound.dump(), actual);
    }
  }

  void compare_counts(const Json& expected, const Json& list, const std::string& place) {
    for (const auto& [what, count] : expected.items()) {
      const auto counted =
          std::count_if(list.begin(), list.end(), [&, &name = what](const Json& element) {
            const auto text = element.get<std::string>();
            return counts_containers_ ? is_container_of(text, name) : text == name;
          });
      const std::size_t before = faults_.size();
      compare(count, Json(counted), place + "." + what);
      for (std::size_t i = before; i < faults_.size(); ++i) faults_[i] += " in " + list.dump();
    }
  }

  bool in_words_;
  bool counts_containers_;
  std::vector<std::string>& faults_;
};

}  // namespace

std::span<const std::string_view> list_facts() {
  return lists;
}

std::span<const std::string_view> facts_of_lists() {
  return lists_by_name;
}

std::vector<std::string> unmet(std::span<const ExpectedFact> expected, const StoryFacts& facts) {
  std::vector<std::string> faults;
  for (const ExpectedFact& fact : expected) {
    Comparison(fact.name, faults).compare(fact.value, facts.at(fact.name), fact.where);
  }
  return faults;
}

}  // namespace tracebed
