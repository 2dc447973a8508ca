#include "traces/statistics.h"

#include "core/check.h"
#include "core/random.h"

namespace tracebed {

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

void TraceTally::see(Handle distinct, std::uint64_t hash) {
  auto& hashes = distincts_[distinct].hashes;
  if (hashes.size() < distinct_max) hashes.insert(hash);
}

std::vector<NamedCount> TraceTally::distinct_counts() const {
  std::vector<NamedCount> counts;
  for (const Distinct& distinct : distincts_) {
    counts.push_back({distinct.name, distinct.hashes.size()});
  }
  return counts;
}

void LoadOverTime::add(std::int64_t at_microseconds, double vcore_seconds) {
  TRACEBED_CHECK(at_microseconds >= 0, "load is added at or after the start");
  while (at_microseconds / span_ >= static_cast<std::int64_t>(spans_max)) {
    for (std::size_t i = 0; i < spans_.size(); ++i) {
      Span span = spans_[i];
      if (i % 2 == 1) {
        span.jobs += spans_[i / 2].jobs;
        span.vcore_seconds += spans_[i / 2].vcore_seconds;
      }
      spans_[i / 2] = span;
    }
    spans_.resize((spans_.size() + 1) / 2);
    span_ *= 2;
  }
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
