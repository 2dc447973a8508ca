// The properties of Hadoop's configuration files (org.apache.hadoop.conf.Configuration):
// <configuration> with <property> elements of <name>, <value> and perhaps <final>.
#pragma once

#include <map>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "core/xml_element.h"

namespace tracebed {

class HadoopProperties {
 public:
  struct Property {
    std::string value;  // verbatim from the file, white space included
    std::string where;  // "FILE:LINE", or another source
    bool is_final = false;
    std::string setting = {};  // that it was taken from; empty for one of a file
  };

  // Adds the properties of one file, after those that were added before: a later value replaces an
  // earlier one, unless that is final. A property without <value> is ignored. The error names file
  // and line of what is not a configuration, of a property without a name, of an include, which is
  // not supported, and of values that variables make too long (configuration_bounds.h).
  Status add(const XmlElement& configuration);
  // Adds one property, which is not final.
  void set(const std::string& name, std::string value, std::string where);
  // The same from a scheduler's setting, replacing any earlier one, even a final one.
  void override_with(const std::string& name, std::string value, std::string where,
                     std::string setting);

  // The value with each ${NAME} replaced by that property's value, and so on, at most 20 times; an
  // unknown ${NAME} is left unchanged. None if there is no such property.
  std::optional<std::string> find(std::string_view name) const;
  // The names that the value refers to as ${NAME}.
  static std::vector<std::string> variables_of(std::string_view value);
  // "FILE:LINE: NAME", or the name alone if there is no such property.
  std::string place(std::string_view name) const;
  // The setting that it was taken from; empty for one of a file, and if there is none.
  std::string setting_of(std::string_view name) const;

  const std::map<std::string, Property, std::less<>>& all() const { return properties_; }
  // Those whose names begin so, without looking at the others.
  auto beginning_with(std::string_view prefix) const {
    const auto begin = properties_.lower_bound(prefix);
    auto end = begin;
    while (end != properties_.end() && end->first.starts_with(prefix)) ++end;
    return std::ranges::subrange(begin, end);
  }
  // What was ignored because an earlier value is final, one sentence each.
  const std::vector<std::string>& remarks() const { return remarks_; }

 private:
  void put(const std::string& name, Property property);
  Status check_variables() const;

  std::map<std::string, Property, std::less<>> properties_;
  std::vector<std::string> remarks_;
};

}  // namespace tracebed
