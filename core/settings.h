// Named settings with a text value, as experiments give them to schedulers and job masters. The
// room that owns a setting describes it in a table; one place checks values against the table.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "core/result.h"
#include "core/time.h"

namespace tracebed {

struct SettingDescription {
  std::string_view name;
  std::string_view default_value;
  std::string_view meaning;  // with unit and range
  // The value is the path of an XML file, which is read where settings are read (core/ does no
  // I/O): the maker gets the root element beside the values.
  bool is_xml_file = false;
};

// A setting as a file states it.
struct FileSetting {
  std::string name;
  std::string value;
  std::string where;  // "FILE:LINE: PROPERTY"
};

using SettingValues = std::map<std::string, std::string, std::less<>>;

// Reads values by name, or the default if none is given. The first invalid one is kept as the
// error; reads after it return defaults, so a caller reads everything and looks at status() once.
class SettingReader {
 public:
  // `subject` is whose settings they are, for messages ("scheduler fifo"). A value whose name
  // is not described is an error that lists the described names.
  SettingReader(std::string_view subject, std::span<const SettingDescription> described,
                const SettingValues& values);

  // Reading a name that is not described breaks an invariant, as does an invalid default.
  std::int64_t integer(std::string_view name, std::int64_t low, std::int64_t high);
  // A decimal fraction in [low, high].
  double fraction(std::string_view name, double low, double high);
  // The position in `choices` of the value.
  std::size_t choice(std::string_view name, std::initializer_list<std::string_view> choices);
  // A duration given as a whole number of milliseconds; of durations without another bound the
  // largest is 35 years.
  static constexpr std::int64_t milliseconds_max = std::int64_t{1} << 40;
  Duration milliseconds_of(std::string_view name, std::int64_t low, std::int64_t high);

  Status status() const;

 private:
  std::string_view value_of(std::string_view name) const;
  std::string_view default_of(std::string_view name) const;
  void fail(std::string_view name, std::string_view expected);

  std::string subject_;
  std::span<const SettingDescription> described_;
  const SettingValues& values_;
  Error error_;  // without a message: none so far
};

}  // namespace tracebed
