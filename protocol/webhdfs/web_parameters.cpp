#include "protocol/webhdfs/web_parameters.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <utility>

namespace tracebed::webhdfs {
namespace {

// Why a value is none of its parameter's; nothing if it is.
using Refusal = std::optional<std::string>;
using Setter = Refusal (*)(std::string_view name, std::string&& value, WebParameters& parameters);

constexpr std::int64_t int64_max = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t int32_max = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t int16_max = std::numeric_limits<std::int16_t>::max();

// Java's parseLong also takes a sign before positive numbers.
std::optional<std::int64_t> integer(std::string_view text, int radix) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, value, radix);
  if (error != std::errc() || at != end || text.empty()) return std::nullopt;
  return value;
}

std::string in_radix(std::int64_t value, int radix) {
  std::array<char, 66> digits{};
  const auto [end, error] =
      std::to_chars(digits.data(), digits.data() + digits.size(), value, radix);
  return std::string(digits.data(), end);
}

// The type's maximum says which of Java's types it is.
std::string_view type_name(std::int64_t type_max) {
  if (type_max == int64_max) return " long integer.";
  return type_max == int32_max ? " integer." : " short integer.";
}

template <std::optional<std::int64_t> WebParameters::*member, std::int64_t type_max,
          std::int64_t least, std::int64_t most = type_max, int radix = 10>
Refusal set_integer(std::string_view name, std::string&& value, WebParameters& parameters) {
  const std::optional<std::int64_t> number = integer(value, radix);
  if (!number || *number > type_max || *number < -type_max - 1) {
    return "Failed to parse \"" + value + "\" as a radix-" + std::to_string(radix) +
           std::string(type_name(type_max));
  }
  if (*number < least || *number > most) {
    const bool is_below = *number < least;
    return "Invalid parameter range: " + std::string(name) + " = " + in_radix(*number, radix) +
           (is_below ? " < " : " > ") + in_radix(is_below ? least : most, radix);
  }
  parameters.*member = *number;
  return std::nullopt;
}

bool equal_but_for_case(std::string_view text, std::string_view upper) {
  return std::equal(text.begin(), text.end(), upper.begin(), upper.end(), [](char a, char b) {
    return (a >= 'a' && a <= 'z' ? static_cast<char>(a - 'a' + 'A') : a) == b;
  });
}

template <std::optional<bool> WebParameters::*member>
Refusal set_boolean(std::string_view, std::string&& value, WebParameters& parameters) {
  const bool is_true = equal_but_for_case(value, "TRUE");
  if (!is_true && !equal_but_for_case(value, "FALSE")) {
    return "Failed to parse \"" + value + "\" to Boolean.";
  }
  parameters.*member = is_true;
  return std::nullopt;
}

template <std::optional<std::string> WebParameters::*member>
Refusal set_text(std::string_view, std::string&& value, WebParameters& parameters) {
  if (!value.empty()) parameters.*member = std::move(value);
  return std::nullopt;
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

// dfs.webhdfs.user.provider.user.pattern
template <std::optional<std::string> WebParameters::*member>
Refusal set_user(std::string_view name, std::string&& value, WebParameters& parameters) {
  std::string_view rest = value;
  if (rest.size() > 1 && rest.ends_with('$')) rest.remove_suffix(1);
  const bool is_user =
      rest.empty() || (is_letter(rest[0]) && std::all_of(rest.begin(), rest.end(), [](char c) {
                         return is_letter(c) || (c >= '0' && c <= '9') || c == '.' || c == '-';
                       }));
  if (!is_user) {
    return "Invalid value: \"" + value + "\" does not belong to the domain " +
           "^[A-Za-z_][A-Za-z0-9._-]*[$]?$";
  }
  return set_text<member>(name, std::move(value), parameters);
}

Refusal set_destination(std::string_view name, std::string&& value, WebParameters& parameters) {
  if (!value.empty() && value[0] != '/') {
    return "Invalid parameter value: destination = \"" + value + "\" is not an absolute path.";
  }
  return set_text<&WebParameters::destination>(name, std::move(value), parameters);
}

std::vector<std::string> divided(std::string_view list) {
  std::vector<std::string> parts;
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    if (comma > 0) parts.emplace_back(list.substr(0, comma));
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return parts;
}

template <std::vector<std::string> WebParameters::*member>
Refusal set_list(std::string_view, std::string&& value, WebParameters& parameters) {
  parameters.*member = divided(value);
  return std::nullopt;
}

struct NamedBits {
  std::string_view name;
  std::uint32_t bits;
};

// The union of the names' bits; nothing if one is unknown.
template <std::size_t count>
std::optional<std::uint32_t> bits_of(const std::string& list,
                                     const std::array<NamedBits, count>& names) {
  std::uint32_t bits = 0;
  for (const std::string& part : divided(list)) {
    const auto* found = std::find_if(names.begin(), names.end(), [&](const NamedBits& entry) {
      return equal_but_for_case(part, entry.name);
    });
    if (found == names.end()) return std::nullopt;
    bits |= found->bits;
  }
  return bits;
}

// org.apache.hadoop.fs.CreateFlag
Refusal set_create_flags(std::string_view, std::string&& value, WebParameters& parameters) {
  constexpr auto names = std::to_array<NamedBits>({{"CREATE", 0x01},
                                                   {"OVERWRITE", 0x02},
                                                   {"APPEND", 0x04},
                                                   {"SYNC_BLOCK", 0x08},
                                                   {"LAZY_PERSIST", 0x10},
                                                   {"NEW_BLOCK", 0x20},
                                                   {"NO_LOCAL_WRITE", 0x40},
                                                   {"SHOULD_REPLICATE", 0x80},
                                                   {"IGNORE_CLIENT_LOCALITY", 0x100}});
  const std::optional<std::uint32_t> flags = bits_of(value, names);
  if (!flags) return "No enum constant org.apache.hadoop.fs.CreateFlag." + value;
  if (!value.empty()) parameters.create_flags = *flags;
  return std::nullopt;
}

Refusal set_rename_options(std::string_view, std::string&& value, WebParameters& parameters) {
  constexpr auto names = std::to_array<NamedBits>({{"NONE", 0}, {"OVERWRITE", 1}, {"TO_TRASH", 2}});
  const std::optional<std::uint32_t> options = bits_of(value, names);
  if (!options) return "No enum constant org.apache.hadoop.fs.Options.Rename." + value;
  if (!value.empty()) parameters.overwrites_destination = (*options & 1) != 0;
  return std::nullopt;
}

Refusal set_action(std::string_view, std::string&& value, WebParameters& parameters) {
  constexpr std::string_view symbols = "rwx";
  std::uint32_t action = 0;
  bool is_action = value.size() == symbols.size();
  for (std::size_t i = 0; is_action && i < symbols.size(); ++i) {
    is_action = value[i] == symbols[i] || value[i] == '-';
    action = action << 1 | (value[i] == symbols[i] ? 1u : 0u);
  }
  if (!is_action) {
    return "Invalid value: \"" + value + "\" does not belong to the domain [r-][w-][x-]";
  }
  parameters.action = action;
  return std::nullopt;
}

struct Parameter {
  std::string_view name;
  Setter set;
};
using P = WebParameters;
constexpr std::int64_t permission_max = 01777;
constexpr auto parameters_by_name = std::to_array<Parameter>({
    {"accesstime", &set_integer<&P::access_time, int64_max, -1>},
    {"blocksize", &set_integer<&P::block_size, int64_max, 1>},
    {"buffersize", &set_integer<&P::buffer_size, int32_max, 1>},
    {"createflag", &set_create_flags},
    {"createparent", &set_boolean<&P::create_parent>},
    {"destination", &set_destination},
    {"doas", &set_user<&P::doas>},
    {"excludedatanodes", &set_list<&P::excluded_datanodes>},
    {"fsaction", &set_action},
    {"group", &set_text<&P::group>},
    {"length", &set_integer<&P::length, int64_max, 0>},
    {"modificationtime", &set_integer<&P::modification_time, int64_max, -1>},
    {"namenoderpcaddress", &set_text<&P::namenode_address>},
    {"newlength", &set_integer<&P::new_length, int64_max, 0>},
    {"noredirect", &set_boolean<&P::no_redirect>},
    {"offset", &set_integer<&P::offset, int64_max, 0>},
    {"overwrite", &set_boolean<&P::overwrite>},
    {"owner", &set_text<&P::owner>},
    {"permission", &set_integer<&P::permission, int16_max, 0, permission_max, 8>},
    {"recursive", &set_boolean<&P::recursive>},
    {"renameoptions", &set_rename_options},
    {"replication", &set_integer<&P::replication, int16_max, 1>},
    {"sources", &set_list<&P::sources>},
    {"startafter", &set_text<&P::start_after>},
    {"unmaskedpermission", &set_integer<&P::unmasked_permission, int16_max, 0, permission_max, 8>},
    {"user.name", &set_user<&P::user_name>},
});

}  // namespace

std::optional<WebFailure> set_parameter(std::string_view name, std::string value,
                                        WebParameters& parameters) {
  const auto* found =
      std::find_if(parameters_by_name.begin(), parameters_by_name.end(),
                   [&](const Parameter& parameter) { return parameter.name == name; });
  if (found == parameters_by_name.end() || value == "null") return std::nullopt;
  const Refusal refusal = found->set(name, std::move(value), parameters);
  if (!refusal) return std::nullopt;
  return illegal_argument("Invalid value for webhdfs parameter \"" + std::string(name) +
                          "\": " + *refusal);
}

}  // namespace tracebed::webhdfs
