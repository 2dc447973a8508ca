// Resource vectors: integer amounts in up to eight named dimensions. The first two are always
// vcores (in thousandths) and memory (in MiB); the rest are named by the configuration.
#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
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
  constexpr std::int64_t& operator[](std::size_t dimension) { return amounts_[dimension]; }
  constexpr std::int64_t milli_vcores() const { return amounts_[vcores_dimension]; }
  constexpr std::int64_t memory_mib() const { return amounts_[memory_dimension]; }

  constexpr bool operator==(const Resources&) const = default;

  constexpr Resources& operator+=(const Resources& other) {
    for (std::size_t i = 0; i < dimensions_max; ++i) amounts_[i] += other.amounts_[i];
    return *this;
  }
  constexpr Resources& operator-=(const Resources& other) {
    for (std::size_t i = 0; i < dimensions_max; ++i) amounts_[i] -= other.amounts_[i];
    return *this;
  }
  constexpr Resources& operator*=(std::int64_t factor) {
    for (std::int64_t& amount : amounts_) amount *= factor;
    return *this;
  }
  friend constexpr Resources operator+(Resources a, const Resources& b) { return a += b; }
  friend constexpr Resources operator-(Resources a, const Resources& b) { return a -= b; }
  friend constexpr Resources operator*(Resources a, std::int64_t factor) { return a *= factor; }

  constexpr bool is_zero() const { return *this == Resources(); }
  constexpr bool has_negative() const {
    std::int64_t signs = 0;
    for (const std::int64_t amount : amounts_) signs |= amount;
    return signs < 0;
  }
  // True if this is at most `room` in every dimension.
  constexpr bool fits_in(const Resources& room) const {
    // The sign of the differences, or-ed together, stays vector code; comparing each would not.
    std::int64_t signs = 0;
    for (std::size_t i = 0; i < dimensions_max; ++i) signs |= room.amounts_[i] - amounts_[i];
    return signs >= 0;
  }
  // How many times this fits into `room`, rounded down; a zero vector fits without limit.
  constexpr std::int64_t count_in(const Resources& room) const {
    std::int64_t count = std::numeric_limits<std::int64_t>::max();
    for (std::size_t i = 0; i < dimensions_max; ++i) {
      if (amounts_[i] > 0) count = std::min(count, room.amounts_[i] / amounts_[i]);
    }
    return std::max<std::int64_t>(count, 0);
  }
  friend constexpr Resources component_minimum(Resources a, const Resources& b) {
    for (std::size_t i = 0; i < dimensions_max; ++i) {
      a.amounts_[i] = std::min(a.amounts_[i], b.amounts_[i]);
    }
    return a;
  }

 private:
  std::array<std::int64_t, dimensions_max> amounts_{};
};

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
