// Reads properties as values of a kind. The first invalid one is kept as the error; reads after it
// return defaults, so a caller reads everything and checks status() once. What was not read can be
// listed afterwards: it is unknown, or not supported.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "schedulers/yarn/configuration/hadoop_properties.h"

namespace tracebed {

class PropertyReader {
 public:
  // `properties` outlives the reader.
  explicit PropertyReader(const HadoopProperties& properties) : properties_(properties) {}

  // True if the property exists and is not empty; an empty one counts as absent below.
  bool has(std::string_view name);

  // Bounds are included. A fraction is a decimal number, taken as the nearest 32-bit float, which
  // is what YARN computes with.
  std::int64_t integer(std::string_view name, std::int64_t otherwise,
                       std::int64_t low = std::numeric_limits<std::int64_t>::min(),
                       std::int64_t high = std::numeric_limits<std::int64_t>::max());
  float fraction(std::string_view name, float otherwise, float low, float high);
  // The same as a 64-bit float, where YARN computes with those.
  double number(std::string_view name, double otherwise, double low, double high);
  // true or false, in any case of letters. (Hadoop takes the default for anything else.)
  bool flag(std::string_view name, bool otherwise);
  std::string text(std::string_view name, std::string_view otherwise);
  // The same in lower case.
  std::string word(std::string_view name, std::string_view otherwise);
  // The position of the value in `choices`.
  std::size_t choice(std::string_view name, std::size_t otherwise,
                     std::initializer_list<std::string_view> choices);
  // Verbatim, white space included; none only if the property does not exist.
  std::optional<std::string> raw(std::string_view name);
  // Parts between commas, without white space at either end and without empty ones.
  std::vector<std::string> list(std::string_view name);

  // Keeps "FILE:LINE: NAME: expected EXPECTED, got VALUE" as the error, if it is the first; about
  // the setting that the property was taken from, if it was.
  void fail(std::string_view name, std::string_view expected);
  Status status() const;

  // The names, in order, that were not read so far.
  std::vector<std::string> unread() const;

 private:
  template <class Number>
  Number decimal(std::string_view name, Number otherwise, Number low, Number high);
  std::optional<std::string> take(std::string_view name);

  const HadoopProperties& properties_;
  std::set<std::string, std::less<>> read_;
  Error error_;  // without a message: none so far
};

}  // namespace tracebed
