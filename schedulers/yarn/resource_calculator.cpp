#include "schedulers/yarn/resource_calculator.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tracebed {
namespace {

__extension__ using Wide = __int128;

struct Share {
  std::int64_t part = 0;
  std::int64_t whole = 1;  // positive
};

// Exact, where YARN compares quotients in floating point.
std::strong_ordering operator<=>(const Share& a, const Share& b) {
  return static_cast<Wide>(a.part) * b.whole <=> static_cast<Wide>(b.part) * a.whole;
}

struct SharesOfTwo {
  std::array<Share, Resources::dimensions_max> of_a;
  std::array<Share, Resources::dimensions_max> of_b;
  std::size_t count = 0;
};

// Largest first.
SharesOfTwo shares_of(const Resources& a, const Resources& b, const Resources& cluster) {
  SharesOfTwo shares;
  for (std::size_t d = 0; d < cluster.dimensions_used(); ++d) {
    if (cluster[d] <= 0) continue;
    shares.of_a[shares.count] = {a[d], cluster[d]};
    shares.of_b[shares.count] = {b[d], cluster[d]};
    ++shares.count;
  }
  const auto count = static_cast<std::ptrdiff_t>(shares.count);
  const auto larger = [](const Share& x, const Share& y) { return x > y; };
  std::sort(shares.of_a.begin(), shares.of_a.begin() + count, larger);
  std::sort(shares.of_b.begin(), shares.of_b.begin() + count, larger);
  return shares;
}

std::strong_ordering compare_by_dimension(const Resources& a, const Resources& b) {
  bool is_more = false;
  bool is_less = false;
  for (std::size_t d = 0; d < Resources::dimensions_max; ++d) {
    is_more |= a[d] > b[d];
    is_less |= a[d] < b[d];
  }
  return static_cast<int>(is_more) <=> static_cast<int>(is_less);
}

std::int64_t divide_up(std::int64_t amount, std::int64_t by) {
  return by == 0 ? 0 : (amount + by - 1) / by;
}
std::int64_t raise(std::int64_t amount, std::int64_t step) {
  return divide_up(amount, step) * step;
}
std::int64_t cut(std::int64_t amount, std::int64_t step) {
  return step == 0 ? 0 : amount / step * step;
}

double in_units(std::int64_t amount, std::size_t dimension) {
  return static_cast<double>(amount) / static_cast<double>(yarn_unit(dimension));
}
std::int64_t from_units(double units, std::size_t dimension) {
  return static_cast<std::int64_t>(units) * yarn_unit(dimension);
}

}  // namespace

std::strong_ordering ResourceCalculator::compare(const Resources& a, const Resources& b,
                                                 const Resources& cluster) const {
  if (kind_ == Kind::memory) return a.memory_mib() <=> b.memory_mib();
  const SharesOfTwo shares = shares_of(a, b, cluster);
  if (shares.count == 0) return compare_by_dimension(a, b);
  for (std::size_t i = 0; i < shares.count; ++i) {
    const std::strong_ordering order = shares.of_a[i] <=> shares.of_b[i];
    if (order != 0) return order;
  }
  return std::strong_ordering::equal;
}

bool ResourceCalculator::fits(const Resources& smaller, const Resources& larger) const {
  return kind_ == Kind::memory ? smaller.memory_mib() <= larger.memory_mib()
                               : smaller.fits_in(larger);
}

float ResourceCalculator::ratio(const Resources& a, const Resources& b) const {
  const auto part = [&](std::size_t d) {
    return static_cast<float>(a[d]) / static_cast<float>(b[d]);
  };
  if (kind_ == Kind::memory) return part(Resources::memory_dimension);
  float largest = 0;
  const std::size_t dimensions = std::max(a.dimensions_used(), b.dimensions_used());
  for (std::size_t d = 0; d < dimensions; ++d) {
    if (a[d] != 0 || b[d] != 0) largest = std::max(largest, part(d));
  }
  return largest;
}

float ResourceCalculator::divide(const Resources& a, const Resources& b,
                                 const Resources& cluster) const {
  if (kind_ == Kind::memory) return ratio(a, b);
  double share_of_a = 0;
  double share_of_b = 0;
  for (std::size_t d = 0; d < cluster.dimensions_used(); ++d) {
    if (cluster[d] == 0) continue;
    const auto whole = static_cast<double>(cluster[d]);
    share_of_a = std::max(share_of_a, static_cast<double>(a[d]) / whole);
    share_of_b = std::max(share_of_b, static_cast<double>(b[d]) / whole);
  }
  return static_cast<float>(share_of_a / share_of_b);
}

template <class Operation>
Resources ResourceCalculator::each(const Resources& amount, const Resources& step,
                                   Operation&& operation) const {
  if (kind_ == Kind::memory) {
    constexpr std::size_t d = Resources::memory_dimension;
    return {0, operation(d, amount[d], step[d])};
  }
  Resources result;
  const std::size_t dimensions = std::max(amount.dimensions_used(), step.dimensions_used());
  for (std::size_t d = 0; d < dimensions; ++d) result[d] = operation(d, amount[d], step[d]);
  return result;
}

Resources ResourceCalculator::round_up(const Resources& amount, const Resources& step) const {
  return each(amount, step, [&](std::size_t, std::int64_t value, std::int64_t by) {
    return by == 0 && kind_ == Kind::dominant ? value : raise(value, by);
  });
}

Resources ResourceCalculator::round_down(const Resources& amount, const Resources& step) const {
  return each(amount, step, [&](std::size_t, std::int64_t value, std::int64_t by) {
    return by == 0 && kind_ == Kind::dominant ? value : cut(value, by);
  });
}

Resources ResourceCalculator::normalize(const Resources& amount, const Resources& minimum,
                                        const Resources& maximum, const Resources& step) const {
  return each(amount, step, [&](std::size_t d, std::int64_t value, std::int64_t by) {
    value = std::max(value, minimum[d]);
    if (by == 0 && kind_ == Kind::memory) by = minimum[d];
    if (by != 0) value = raise(value, by);
    return std::min(value, maximum[d]);
  });
}

Resources ResourceCalculator::multiply_and_normalize_up(const Resources& amount, double factor,
                                                        const Resources& step) const {
  return each(amount, step, [&](std::size_t d, std::int64_t value, std::int64_t by) {
    const double product = in_units(value, d) * factor;
    if (kind_ == Kind::memory) return raise(from_units(product + 0.5, d), by);
    const std::int64_t next = from_units(std::ceil(static_cast<float>(product)), d);
    return by == 0 ? next : raise(next, by);
  });
}

Resources ResourceCalculator::multiply_and_normalize_down(const Resources& amount, double factor,
                                                          const Resources& step) const {
  return each(amount, step, [&](std::size_t d, std::int64_t value, std::int64_t by) {
    const std::int64_t product = from_units(in_units(value, d) * factor, d);
    return by == 0 && kind_ == Kind::dominant ? product : cut(product, by);
  });
}

Resources ResourceCalculator::divide_and_ceil(const Resources& amount, std::int64_t divisor) const {
  return each(amount, amount, [&](std::size_t d, std::int64_t value, std::int64_t) {
    return divisor == 0 ? 0 : raise(value, yarn_unit(d) * divisor) / divisor;
  });
}

Resources multiply_and_cut(const Resources& amount, double factor) {
  Resources result;
  for (std::size_t d = 0; d < amount.dimensions_used(); ++d) {
    result[d] = from_units(in_units(amount[d], d) * factor, d);
  }
  return result;
}

Resources ResourceCalculator::divide_and_ceil(const Resources& amount, float divisor) const {
  return each(amount, amount, [&](std::size_t d, std::int64_t value, std::int64_t) {
    if (divisor == 0) return std::int64_t{0};
    return from_units(std::ceil(static_cast<float>(in_units(value, d)) / divisor), d);
  });
}

}  // namespace tracebed
