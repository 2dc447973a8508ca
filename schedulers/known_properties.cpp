#include "schedulers/known_properties.h"

#include <algorithm>

#include "core/text.h"

namespace tracebed {
namespace {

using Treatment = KnownProperty::Treatment;

// Whether `name` is of the form of `pattern`.
bool fits(std::string_view pattern, std::string_view name) {
  const std::size_t open = pattern.find('<');
  if (open == std::string_view::npos) {
    return pattern.ends_with('*') ? name.starts_with(pattern.substr(0, pattern.size() - 1))
                                  : name == pattern;
  }
  if (!name.starts_with(pattern.substr(0, open)) || name.size() == open) return false;
  pattern.remove_prefix(open);
  name.remove_prefix(open);
  const std::size_t close = pattern.find('>');
  const bool is_queue = pattern.substr(0, close + 1) == "<queue>";
  if (is_queue && name != "root" && !name.starts_with("root.")) return false;
  const std::string_view rest = pattern.substr(close + 1);
  if (rest.find_first_of("<*") == std::string_view::npos) {
    return name.size() > rest.size() && name.ends_with(rest);
  }
  for (std::size_t length = 1; length <= name.size(); ++length) {
    if (fits(rest, name.substr(length))) return true;
  }
  return false;
}

}  // namespace

const KnownProperty* known_property(std::span<const KnownProperty> table, std::string_view name) {
  const auto found = std::find_if(table.begin(), table.end(), [&](const KnownProperty& property) {
    return fits(property.name, name);
  });
  return found == table.end() ? nullptr : &*found;
}

bool is_neutral(const KnownProperty& property, std::string_view value) {
  const std::vector<std::string> neutral = split_list(property.neutral);
  const std::vector<std::string> given = split_list(value);
  return std::all_of(given.begin(), given.end(), [&](const std::string& each) {
    return std::find(neutral.begin(), neutral.end(), each) != neutral.end();
  });
}

std::string_view name(KnownProperty::Treatment treatment) {
  switch (treatment) {
    case Treatment::obeyed:
      return "obeyed";
    case Treatment::refused:
      return "refused";
    case Treatment::without_effect:
      return "without effect";
  }
  return {};
}

std::string unknown_sentence(const std::string& place) {
  return place + ": is unknown here and is ignored";
}

void PropertyReview::add(const KnownProperty* known, UnobeyedProperty property) {
  if (known == nullptr) {
    return remarks.push_back(unknown_sentence(property.place));
  }
  switch (known->treatment) {
    case Treatment::obeyed:
      return remarks.push_back(
          property.place +
          ": is ignored: its queue is not there, or another property takes precedence");
    case Treatment::without_effect:
      return remarks.push_back(property.place + ": is ignored: " + std::string(known->reason));
    case Treatment::refused:
      break;
  }
  if (is_neutral(*known, property.value)) return;
  property.known = known;
  property.reason = known->reason;
  unobeyed.push_back(std::move(property));
}

std::vector<std::string> PropertyReview::sentences() const {
  std::vector<std::string> all;
  for (const UnobeyedProperty& each : unobeyed) {
    all.push_back(each.place + ": IS NOT OBEYED: it decides " + std::string(each.known->decides) +
                  (each.reason.empty() ? "" : "; " + each.reason));
  }
  all.insert(all.end(), remarks.begin(), remarks.end());
  return all;
}

Status refuse(std::span<const UnobeyedProperty> unobeyed) {
  if (unobeyed.empty()) return success();
  const UnobeyedProperty& first = unobeyed.front();
  const KnownProperty& known = *first.known;
  std::string message = first.place + ": expected " +
                        (known.neutral.empty() ? "none" : std::string(known.neutral)) + ", got \"" +
                        std::string(trimmed(first.value)) + "\": it decides " +
                        std::string(known.decides) + ", and is not obeyed";
  if (!first.reason.empty()) message += "; " + first.reason;
  for (const UnobeyedProperty& other : unobeyed.subspan(1)) {
    message += "; " + other.place + ": nor is this one, which decides " +
               std::string(other.known->decides);
  }
  return Error{message + "; ignore_unsupported = true runs without"};
}

}  // namespace tracebed
