// Result<T>: a value, or the reason for its absence, for expected failures (a bad row, a refused
// setting). The names follow std::expected, which GCC 12 has only in C++23.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "core/check.h"

namespace tracebed {

// One sentence a user can act on: what was expected where, and what was found.
struct Error {
  std::string message;
  // The key of the setting that it is about, for the caller who knows where that was given; empty
  // if it is about none.
  std::string setting = {};
};

// The error as one about a setting, unless it is about another already.
inline Error about(std::string_view setting, Error error) {
  if (error.setting.empty()) error.setting = setting;
  return error;
}

template <class T, class E = Error>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(E error) : state_(std::in_place_index<1>, std::move(error)) {}

  bool has_value() const { return state_.index() == 0; }
  explicit operator bool() const { return has_value(); }

  T& value() & { return get(); }
  const T& value() const& { return const_cast<Result*>(this)->get(); }
  T&& value() && { return std::move(get()); }
  T& operator*() & { return get(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(get()); }
  T* operator->() { return &get(); }
  const T* operator->() const { return &value(); }

  const E& error() const {
    TRACEBED_CHECK(!has_value(), "error() is asked only of a failed result");
    return std::get<1>(state_);
  }

 private:
  T& get() {
    TRACEBED_CHECK(has_value(), "a failed result has no value");
    return std::get<0>(state_);
  }

  std::variant<T, E> state_;
};

// The result of an operation that yields nothing.
using Status = Result<std::monostate>;
inline Status success() {
  return Status(std::monostate{});
}

}  // namespace tracebed
