// Values of core/storage_fields.h as numbers and text, and back. Private to the round codec.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "core/ids.h"
#include "core/storage_fields.h"
#include "core/time.h"
#include "protocol/packed_rows.h"

namespace tracebed::log {

struct ValueRow {
  std::int64_t number = 0;
};

class ValueWriter {
 public:
  void add(const HasMembers auto& value) {
    std::apply([this](const auto&... members) { (add(members), ...); }, members_of(value));
  }
  std::span<const std::uint8_t> numbers() const { return numbers_.bytes(); }
  const std::vector<std::uint8_t>& text() const { return text_; }
  std::size_t bytes() const { return numbers_.bytes().size() + text_.size(); }
  bool is_empty() const { return numbers_.is_empty(); }
  void clear() {
    numbers_.clear();
    text_.clear();
  }

 private:
  template <std::integral Number>
  void add(Number number) {
    numbers_.add({static_cast<std::int64_t>(number)});
  }
  template <class Enumeration>
  requires std::is_enum_v<Enumeration>
  void add(Enumeration value) { numbers_.add({static_cast<std::int64_t>(value)}); }
  void add(NodeId node) { add(node.value()); }
  void add(TraceTime time) { add(to_microseconds(time)); }
  void add(const std::string& text) {
    add(text.size());
    text_.insert(text_.end(), text.begin(), text.end());
  }
  void add(const std::array<std::uint8_t, 16>& bytes) {
    for (const std::uint8_t byte : bytes) add(byte);
  }
  template <class T>
  void add(const std::optional<T>& value) {
    add(value.has_value());
    if (value) add(*value);
  }
  template <class T>
  void add(const std::vector<T>& list) {
    add(list.size());
    for (const T& element : list) add(element);
  }
  template <class... Alternatives>
  void add(const std::variant<Alternatives...>& value) {
    add(value.index());
    std::visit([this](const auto& alternative) { add(alternative); }, value);
  }

  RowPacker<ValueRow> numbers_;
  std::vector<std::uint8_t> text_;
};

// Reads what may be damaged: each number must be one of its member's type, and no list or text may
// be longer than what is left.
class ValueReader {
 public:
  ValueReader(std::span<const ValueRow> numbers, std::span<const std::uint8_t> text)
      : numbers_(numbers), text_(text) {}

  bool is_sound() const { return is_sound_; }
  bool is_at_end() const { return numbers_.empty() && text_.empty(); }
  void read(HasMembers auto& value) {
    std::apply([this](auto&... members) { (read(members), ...); }, members_of(value));
  }

 private:
  std::int64_t next() {
    if (numbers_.empty()) is_sound_ = false;
    if (!is_sound_) return 0;
    const std::int64_t number = numbers_.front().number;
    numbers_ = numbers_.subspan(1);
    return number;
  }
  // From 0 to `most`.
  std::size_t next_up_to(std::size_t most) {
    const std::int64_t number = next();
    if (number < 0 || static_cast<std::uint64_t>(number) > most) is_sound_ = false;
    return is_sound_ ? static_cast<std::size_t>(number) : 0;
  }
  template <std::integral Number>
  void read(Number& number) {
    const std::int64_t value = next();
    // All 64 bits are a number of either sign.
    if (sizeof(Number) < sizeof(value) && !std::in_range<Number>(value)) is_sound_ = false;
    number = static_cast<Number>(value);
  }
  void read(bool& flag) { flag = next_up_to(1) == 1; }
  template <class Enumeration>
  requires std::is_enum_v<Enumeration>
  void read(Enumeration& value) {
    value = static_cast<Enumeration>(next_up_to(static_cast<std::size_t>(greatest(value))));
  }
  void read(NodeId& node) {
    std::uint32_t value = 0;
    read(value);
    node = NodeId(value);
  }
  void read(TraceTime& time) { time = TraceTime(Duration(next())); }
  void read(std::string& text) {
    const std::size_t size = next_up_to(text_.size());
    text.assign(reinterpret_cast<const char*>(text_.data()), size);
    text_ = text_.subspan(size);
  }
  void read(std::array<std::uint8_t, 16>& bytes) {
    for (std::uint8_t& byte : bytes) read(byte);
  }
  template <class T>
  void read(std::optional<T>& value) {
    value.reset();
    if (next_up_to(1) == 1) read(value.emplace());
  }
  // Each element has a number at least.
  template <class T>
  void read(std::vector<T>& list) {
    list.clear();
    const std::size_t size = next_up_to(numbers_.size());
    for (std::size_t i = 0; i < size && is_sound_; ++i) read(list.emplace_back());
  }
  template <class... Alternatives>
  void read(std::variant<Alternatives...>& value) {
    read_alternative(value, next_up_to(sizeof...(Alternatives) - 1),
                     std::index_sequence_for<Alternatives...>());
  }
  template <class Variant, std::size_t... indices>
  void read_alternative(Variant& value, std::size_t which, std::index_sequence<indices...>) {
    ((which == indices ? read(value.template emplace<indices>()) : void()), ...);
  }

  std::span<const ValueRow> numbers_;
  std::span<const std::uint8_t> text_;
  bool is_sound_ = true;
};

}  // namespace tracebed::log
