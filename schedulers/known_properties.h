// What is known of the properties of YARN's configuration files: whether they are obeyed, and what
// they would decide if not. A property that decides where applications go, what they get or in
// which order must not be dropped in silence: unless the setting `ignore_unsupported` says so, a
// file with one is refused.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "core/settings.h"

namespace tracebed {

struct KnownProperty {
  enum class Treatment : std::uint8_t {
    obeyed,
    refused,         // decides placement, limits or order, and is not obeyed
    without_effect,  // decides nothing that there is here
  };
  // A part in angle brackets stands for any text ("<queue>"), which begins with "root" if it is a
  // queue; "*" at the end for the rest. An element of an allocation file is "PARENT/ELEMENT".
  std::string_view name;
  Treatment treatment = Treatment::obeyed;
  std::string_view decides;  // in Hadoop: "it decides …"
  // Of refused ones: values, separated by commas, that ask for what is done anyway. A value, or
  // list, of these alone is obeyed, as is an empty one.
  std::string_view neutral = {};
  std::string_view reason = {};  // why it is without effect, or what is done instead
};

inline constexpr std::string_view ignore_unsupported_setting = "ignore_unsupported";
inline constexpr SettingDescription ignore_unsupported_description{
    ignore_unsupported_setting, "false",
    "`true`: also take files with properties that decide placement, limits or order and are not "
    "obeyed"};

// The first that the name fits; null if none does.
const KnownProperty* known_property(std::span<const KnownProperty> table, std::string_view name);
// Whether the value asks for nothing that is not done anyway.
bool is_neutral(const KnownProperty& property, std::string_view value);

// A word for the treatment: "obeyed", "refused", "without effect".
std::string_view name(KnownProperty::Treatment treatment);

// A property that decides something and is not obeyed.
struct UnobeyedProperty {
  std::string name;
  std::string place;  // "FILE:LINE: NAME"
  std::string value;
  const KnownProperty* known = nullptr;  // never null in a review
  std::string reason = {};               // what is done instead, if that is known
};

// What is said of something in a file that nobody knows.
std::string unknown_sentence(const std::string& place);

// What a file has that no reader took, in the file's order.
struct PropertyReview {
  std::vector<UnobeyedProperty> unobeyed;
  std::vector<std::string> remarks;  // on everything else: a sentence each

  // What is to be said of the property, which no reader took. `known` is null for one that is in
  // no table.
  void add(const KnownProperty* known, UnobeyedProperty property);
  // The remarks, and what the unobeyed ones would decide.
  std::vector<std::string> sentences() const;
};

// Fails if there are any: with the first, what it decides, and the places of the others.
Status refuse(std::span<const UnobeyedProperty> unobeyed);

}  // namespace tracebed
