// How often comparisons gave a verdict, and whether that was too often.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <map>
#include <string>
#include <utility>

namespace tracebed {

// Bounds are looked at from so many comparisons on.
inline constexpr std::uint64_t comparisons_for_bounds = 1'000;

struct Rates {
  std::uint64_t comparisons = 0;
  std::uint64_t primary = 0;  // a verdict on the primary figure
  std::uint64_t any = 0;      // on any
  std::uint64_t settled = 0;  // no difference that matters, on the primary figure
  std::uint64_t wrong = 0;    // the primary figure's verdict in the wrong direction
  std::uint64_t sure = 0;     // the primary figure tested as different, whether it matters or not

  void add(const Rates& other) {
    comparisons += other.comparisons;
    primary += other.primary;
    any += other.any;
    settled += other.settled;
    wrong += other.wrong;
    sure += other.sure;
  }
};

// Of `count` among `all`, in per cent, with the interval of Wilson (1927).
struct Share {
  double per_cent = 0;
  double low = 0;
  double high = 0;
};

inline Share share_of(std::uint64_t count, std::uint64_t all) {
  const double z = 1.959963984540054;
  const auto n = static_cast<double>(all);
  const double p = static_cast<double>(count) / n;
  const double centre = (p + z * z / (2 * n)) / (1 + z * z / n);
  const double half = z / (1 + z * z / n) * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n));
  return {100 * p, 100 * std::max(0.0, centre - half), 100 * (centre + half)};
}

class Table {
 public:
  explicit Table(std::string title) : title_(std::move(title)) {}
  void add(const std::string& row, std::size_t repetitions, const Rates& rates) {
    rows_[row][repetitions].add(rates);
  }
  void add(const Table& other) {
    for (const auto& [row, by_repetitions] : other.rows_) {
      for (const auto& [repetitions, rates] : by_repetitions) rows_[row][repetitions].add(rates);
    }
  }
  // Of false verdicts; whether they are within their bounds. Of many rows whose true rate is below
  // a bound, some are measured above it: so unless it is `strict`, a row is out of its bound where
  // its whole interval is.
  bool print_false_verdicts(bool strict) const {
    fmt::print("\n{}\n{:<26}{:>6}{:>9}  {:<26}{:<24}{}\n", title_, "", "runs", "compared",
               "false, primary (95 % CI)", "false, any (95 % CI)", "found, mattering or not");
    bool is_good = true;
    for (const auto& [row, by_repetitions] : rows_) {
      for (const auto& [repetitions, rates] : by_repetitions) {
        const Share primary = share_of(rates.primary, rates.comparisons);
        const Share any = share_of(rates.any, rates.comparisons);
        const bool is_above = strict
                                  ? primary.per_cent > 5 || primary.high > 6.5 || any.per_cent > 5
                                  : primary.low > 5 || any.low > 5;
        const bool is_out = rates.comparisons >= comparisons_for_bounds && is_above;
        fmt::print("{:<26}{:>6}{:>9}  {:<26}{:<24}{:<24}{}\n", row, repetitions, rates.comparisons,
                   text(primary), text(any), text(share_of(rates.sure, rates.comparisons)),
                   is_out ? "OUT OF BOUNDS" : "");
        is_good &= !is_out;
      }
    }
    return is_good;
  }
  void print_found() const {
    fmt::print("\n{}\n{:<26}{:>6}{:>9}  {:<26}{:<22}{}\n", title_, "", "runs", "compared",
               "found (95 % CI)", "\"does not matter\"", "wrong direction");
    for (const auto& [row, by_repetitions] : rows_) {
      for (const auto& [repetitions, rates] : by_repetitions) {
        fmt::print("{:<26}{:>6}{:>9}  {:<26}{:<22}{:.2f} %\n", row, repetitions, rates.comparisons,
                   text(share_of(rates.primary, rates.comparisons)),
                   fmt::format("{:.1f} %", share_of(rates.settled, rates.comparisons).per_cent),
                   share_of(rates.wrong, rates.comparisons).per_cent);
      }
    }
  }
  const Rates& at(const std::string& row, std::size_t repetitions) const {
    return rows_.at(row).at(repetitions);
  }

 private:
  static std::string text(const Share& share) {
    return fmt::format("{:5.2f} % ({:.2f}..{:.2f})", share.per_cent, share.low, share.high);
  }
  std::string title_;
  std::map<std::string, std::map<std::size_t, Rates>> rows_;
};

}  // namespace tracebed
