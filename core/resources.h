// Resource vectors: integer amounts in up to eight named dimensions. The first two are always
// vcores (in thousandths) and memory (in MiB); the rest are named by the configuration.
#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace tracebed {

class Resources {
 public:
  static constexpr std::size_t dimensions_max = 8;
  static constexpr std::size_t vcores_dimension = 0;
  static constexpr std::size_t memory_dimension = 1;

  constexpr Resources() = default;
  constexpr Resources(std::int64_t milli_vcores, std::int64_t memory_mib)
      : amounts_{milli_vcores, memory_mib} {}

  constexpr std::int64_t operator[](std::size_t dimension) const { return amounts_[dimension]; }
  constexpr std::int64_t& operator[](std::size_t dimension) {
    has_more_ |= dimension > memory_dimension;
    return amounts_[dimension];
  }
  constexpr std::int64_t milli_vcores() const { return amounts_[vcores_dimension]; }
  constexpr std::int64_t memory_mib() const { return amounts_[memory_dimension]; }

  constexpr bool operator==(const Resources& other) const { return amounts_ == other.amounts_; }

  constexpr Resources& operator+=(const Resources& other) {
    return apply(other, [](std::int64_t a, std::int64_t b) { return a + b; });
  }
  constexpr Resources& operator-=(const Resources& other) {
    return apply(other, [](std::int64_t a, std::int64_t b) { return a - b; });
  }
  constexpr Resources& operator*=(std::int64_t factor) {
    return apply(*this, [factor](std::int64_t a, std::int64_t) { return a * factor; });
  }
  // Adds `other` × `times`, which may be negative.
  constexpr Resources& add_times(const Resources& other, std::int64_t times) {
    return apply(other, [times](std::int64_t a, std::int64_t b) { return a + b * times; });
  }
  friend constexpr Resources operator+(Resources a, const Resources& b) { return a += b; }
  friend constexpr Resources operator-(Resources a, const Resources& b) { return a -= b; }
  friend constexpr Resources operator*(Resources a, std::int64_t factor) { return a *= factor; }

  // Dimensions from this one on are zero.
  constexpr std::size_t dimensions_used() const { return has_more_ ? dimensions_max : 2; }

  constexpr bool is_zero() const { return *this == Resources(); }
  constexpr bool has_negative() const {
    return std::any_of(amounts_.begin(), amounts_.end(), [](auto amount) { return amount < 0; });
  }
  // True if this is at most `room` in every dimension.
  constexpr bool fits_in(const Resources& room) const {
    bool fits = amounts_[0] <= room.amounts_[0] && amounts_[1] <= room.amounts_[1];
    if (!has_more_ && !room.has_more_) return fits;
    for (std::size_t i = 2; i < dimensions_max; ++i) fits &= amounts_[i] <= room.amounts_[i];
    return fits;
  }
  // True if it fits `times` times.
  constexpr bool fits_in(const Resources& room, std::int64_t times) const {
    bool fits = amounts_[0] * times <= room.amounts_[0] && amounts_[1] * times <= room.amounts_[1];
    if (!has_more_ && !room.has_more_) return fits;
    for (std::size_t i = 2; i < dimensions_max; ++i) {
      fits &= amounts_[i] * times <= room.amounts_[i];
    }
    return fits;
  }
  // How many times this fits into `room`, rounded down; a zero vector fits without limit.
  constexpr std::int64_t count_in(const Resources& room) const {
    std::int64_t count = std::numeric_limits<std::int64_t>::max();
    const auto look_at = [&](std::size_t i) {
      if (amounts_[i] > 0) count = std::min(count, room.amounts_[i] / amounts_[i]);
    };
    look_at(vcores_dimension);
    look_at(memory_dimension);
    if (has_more_) {
      for (std::size_t i = 2; i < dimensions_max; ++i) look_at(i);
    }
    return std::max<std::int64_t>(count, 0);
  }
  friend constexpr Resources component_minimum(Resources a, const Resources& b) {
    for (std::size_t i = 0; i < dimensions_max; ++i) {
      a.amounts_[i] = std::min(a.amounts_[i], b.amounts_[i]);
    }
    a.has_more_ |= b.has_more_;
    return a;
  }

 private:
  // Replaces every own amount with change(own amount, other's amount). Most runs have only two
  // dimensions, and vectors are added up several times for every task, so the others are visited
  // only if one of the two vectors uses them.
  template <class Change>
  constexpr Resources& apply(const Resources& other, Change change) {
    // Both are read before either is written, so that compilers can vectorise the two.
    const std::int64_t first = change(amounts_[0], other.amounts_[0]);
    const std::int64_t second = change(amounts_[1], other.amounts_[1]);
    set_pair(first, second);
    has_more_ |= other.has_more_;
    if (has_more_) {
      for (std::size_t i = 2; i < dimensions_max; ++i) {
        amounts_[i] = change(amounts_[i], other.amounts_[i]);
      }
    }
    return *this;
  }

  // Written as one: a vector is mostly copied or added right after, sixteen bytes at a time, and a
  // processor stalls when it reads two halves that are still being written.
  constexpr void set_pair(std::int64_t first, std::int64_t second) {
    if (std::is_constant_evaluated()) {
      amounts_[0] = first;
      amounts_[1] = second;
      return;
    }
    using Pair [[gnu::vector_size(2 * sizeof(std::int64_t))]] = std::int64_t;
    const Pair pair = {first, second};
    std::memcpy(amounts_.data(), &pair, sizeof(pair));
  }

  std::array<std::int64_t, dimensions_max> amounts_{};
  bool has_more_ = false;  // false: all beyond memory are zero
};

// The amounts that are not negative, and none of the others.
constexpr Resources positive_part(Resources amount) {
  for (std::size_t d = 0; d < amount.dimensions_used(); ++d) {
    if (amount[d] < 0) amount[d] = 0;
  }
  return amount;
}

// The names of a run's dimensions, in order; the first two are "vcores" and "memory".
class ResourceDimensions {
 public:
  ResourceDimensions() : names_{"vcores", "memory"} {}
  // `extra` are the names beyond vcores and memory, at most six of them.
  explicit ResourceDimensions(std::vector<std::string> extra);

  std::size_t size() const { return names_.size(); }
  const std::string& name(std::size_t dimension) const { return names_[dimension]; }
  // The dimension with this name, or size() if there is none.
  std::size_t find(std::string_view name) const;

 private:
  std::vector<std::string> names_;
};

}  // namespace tracebed
