// For every format a trace in which every field has a value, and another value for each field.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace tracebed::testing {

struct FieldChange {
  std::string field;  // as traces/parts/format_fields.h names it
  std::string from;   // the first occurrence of this text
  std::string to;     // becomes this
  std::string rule;   // set before and after; empty: none
  std::string value;
  std::size_t file = 0;
  std::string key;  // by which `trace info` lists it if it is ignored

  FieldChange(std::string field_name, std::string from_text, std::string to_text)
      : field(std::move(field_name)),
        from(std::move(from_text)),
        to(std::move(to_text)),
        key(field) {}
  FieldChange with(std::string rule_name, std::string rule_value) && {
    rule = std::move(rule_name);
    value = std::move(rule_value);
    return std::move(*this);
  }
  FieldChange in(std::size_t position) && {
    file = position;
    return std::move(*this);
  }
  FieldChange listed_as(std::string name) && {
    key = std::move(name);
    return std::move(*this);
  }
};

struct FieldChanges {
  std::string format;
  std::vector<std::pair<std::string, std::string>> files;  // name, text; several: in a folder
  std::vector<FieldChange> changes;
};

std::vector<FieldChanges> field_changes();

}  // namespace tracebed::testing
