#include "traces/parts/statistics.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/check.h"
#include "core/random.h"

namespace tracebed {
namespace {

constexpr std::int64_t minute = 60'000'000;
constexpr std::int64_t hour = 60 * minute;
constexpr std::int64_t day = 24 * hour;
// Each divides the next, so that spans are joined whole; beyond the last they double.
constexpr std::array span_widths{minute, 5 * minute, 10 * minute, 30 * minute,
                                 hour,   2 * hour,   6 * hour,    12 * hour,
                                 day,    5 * day,    10 * day,    30 * day};

}  // namespace

TraceTally::Handle TraceTally::distribution(std::string name, std::string unit,
                                            std::int64_t per_unit) {
  distributions_.push_back({std::move(name), std::move(unit), per_unit, Quantiles(exact_max_)});
  return distributions_.size() - 1;
}

TraceTally::Handle TraceTally::count(std::string name) {
  counts_.push_back({std::move(name), 0});
  return counts_.size() - 1;
}

TraceTally::Handle TraceTally::distinct(std::string name) {
  distincts_.push_back({std::move(name), {}});
  return distincts_.size() - 1;
}

std::vector<TraceCount> TraceTally::distinct_counts() const {
  std::vector<TraceCount> counts;
  for (const Distinct& distinct : distincts_) {
    counts.push_back({distinct.name, distinct.hashes.size()});
  }
  return counts;
}

LoadOverTime::LoadOverTime() : span_(span_widths.front()) {}

void LoadOverTime::widen() {
  const auto* wider = std::upper_bound(span_widths.begin(), span_widths.end(), span_);
  const std::int64_t width = wider == span_widths.end() ? 2 * span_ : *wider;
  const auto joined = static_cast<std::size_t>(width / span_);
  std::vector<Span> spans((spans_.size() + joined - 1) / joined);
  for (std::size_t i = 0; i < spans_.size(); ++i) {
    spans[i / joined].jobs += spans_[i].jobs;
    spans[i / joined].vcore_seconds += spans_[i].vcore_seconds;
  }
  spans_ = std::move(spans);
  span_ = width;
}

void LoadOverTime::widen_to(std::size_t spans_most) {
  TRACEBED_CHECK(spans_most > 0, "load is told over at least one span");
  while (spans_.size() > spans_most) widen();
}

void LoadOverTime::add(std::int64_t at_microseconds, double vcore_seconds) {
  TRACEBED_CHECK(at_microseconds >= 0, "load is added at or after the start");
  while (at_microseconds / span_ >= static_cast<std::int64_t>(spans_max)) widen();
  const auto index = static_cast<std::size_t>(at_microseconds / span_);
  if (index >= spans_.size()) spans_.resize(index + 1);
  ++spans_[index].jobs;
  spans_[index].vcore_seconds += vcore_seconds;
}

std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 0xCBF29CE484222325u;
  for (const char letter : text) {
    hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001B3u;
  }
  return mix(hash);
}

}  // namespace tracebed
