// What `trace info` reports on a format's own columns. A reader names its distributions and counts
// once and adds to them row by row, so that printing them does not depend on the format.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "traces/parts/flat_counts.h"
#include "traces/parts/quantiles.h"

namespace tracebed {

// Of rows, or of different values.
struct TraceCount {
  std::string name;
  std::uint64_t count = 0;
};

class TraceTally {
 public:
  using Handle = std::size_t;
  // Distributions are exact up to this many different values (traces/parts/quantiles.h).
  static constexpr std::size_t default_exact_max = 1 << 16;
  // Different values are counted up to this many.
  static constexpr std::size_t distinct_max = 1'000'000;

  explicit TraceTally(std::size_t exact_max = default_exact_max) : exact_max_(exact_max) {}

  struct Distribution {
    std::string name;
    std::string unit;
    std::int64_t per_unit = 1;  // values are in 1/per_unit of the unit
    Quantiles values;
  };

  Handle distribution(std::string name, std::string unit, std::int64_t per_unit = 1);
  Handle count(std::string name);
  Handle distinct(std::string name);

  void add(Handle distribution, std::int64_t value) {
    distributions_[distribution].values.add(value);
  }
  void increment(Handle count, std::uint64_t by = 1) { counts_[count].count += by; }
  // `hash` stands for the value: equal values have equal hashes, and others hardly ever.
  void see(Handle distinct, std::uint64_t hash) {
    FlatCounts& hashes = distincts_[distinct].hashes;
    if (hashes.size() < distinct_max) hashes.add(hash, 1);
  }

  std::vector<Distribution>& distributions() { return distributions_; }
  const std::vector<TraceCount>& counts() const { return counts_; }
  // At distinct_max: that many or more.
  std::vector<TraceCount> distinct_counts() const;

 private:
  struct Distinct {
    std::string name;
    FlatCounts hashes;
  };
  std::size_t exact_max_;
  std::vector<Distribution> distributions_;
  std::vector<TraceCount> counts_;
  std::vector<Distinct> distincts_;
};

// Sums over equal spans of time, at most `spans_max` of them: when the trace grows longer, the
// spans are widened and joined, so the memory stays. Their widths are those of clock and calendar.
class LoadOverTime {
 public:
  static constexpr std::size_t spans_max = 96;
  struct Span {
    std::uint64_t jobs = 0;
    double vcore_seconds = 0;  // of the jobs submitted in the span
  };

  LoadOverTime();

  // `at` must not be negative.
  void add(std::int64_t at_microseconds, double vcore_seconds);
  // Widens the spans until there are at most `spans_most`.
  void widen_to(std::size_t spans_most);

  std::int64_t span_microseconds() const { return span_; }
  const std::vector<Span>& spans() const { return spans_; }

 private:
  void widen();

  std::int64_t span_;
  std::vector<Span> spans_;
};

// FNV-1a over the bytes, mixed.
std::uint64_t hash_of(std::string_view text);

}  // namespace tracebed
