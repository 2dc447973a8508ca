// How many fields an aggregate has, so that a list of its fields can be checked for completeness
// when it is compiled.
#pragma once

#include <cstddef>
#include <utility>

namespace tracebed {

namespace field_count_details {

struct Anything {
  template <class T>
  operator T() const;
};

template <class Aggregate, std::size_t... fields>
constexpr bool is_made_of(std::index_sequence<fields...>) {
  return requires {
    Aggregate{(static_cast<void>(fields), Anything{})...};
  };
}

template <class Aggregate, std::size_t count>
constexpr std::size_t counted() {
  if constexpr (is_made_of<Aggregate>(std::make_index_sequence<count + 1>())) {
    return counted<Aggregate, count + 1>();
  } else {
    return count;
  }
}

}  // namespace field_count_details

// Bases count as one field each. Fields that are references or C arrays are not supported.
template <class Aggregate>
inline constexpr std::size_t field_count = field_count_details::counted<Aggregate, 0>();

}  // namespace tracebed
