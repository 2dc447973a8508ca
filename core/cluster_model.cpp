#include "core/cluster_model.h"

#include <algorithm>

namespace tracebed {
namespace {

// Replicas lie on any of the machines, so the places of a large input are spread evenly over the
// ids, and where one of them stands can be guessed. A search by halves would read a cache line at
// every step of a table that is not in the cache; on a cluster of 50,000 nodes that was what an
// offer of a node cost most.
// Replicas lie on any of the machines, so the places of a large input are spread evenly over the
// ids, and where one of them stands can be guessed. A search by halves would read a cache line at
// most of its steps where tables are many and large, and that was what an offer of a node cost on a
// cluster of 50,000.
template <class PlaceId>
std::uint32_t count_at(const std::vector<PlaceCount<PlaceId>>& counts, PlaceId place) {
  const auto is_before = [](const PlaceCount<PlaceId>& entry, PlaceId id) {
    return entry.place < id;
  };
  constexpr std::size_t small = 16;  // these are searched by halves
  auto low = counts.begin();
  auto high = counts.end();
  if (counts.size() > small) {
    const auto last = high - 1;
    if (place < low->place || last->place < place) return 0;
    const std::uint64_t width = last->place.value() - low->place.value();
    // How far the places are from each other in the table, if they are spread evenly.
    const auto entries = [&](std::uint64_t distance) {
      return static_cast<std::ptrdiff_t>(distance * (counts.size() - 1) / width);
    };
    auto guess = low + entries(place.value() - low->place.value());
    // Once more from there: it is off by how uneven the places between are.
    if (guess->place < place) {
      guess += std::min(entries(place.value() - guess->place.value()), last - guess);
    } else {
      guess -= std::min(entries(guess->place.value() - place.value()), guess - low);
    }
    // Away from the guess in steps that double, until the place lies between two entries.
    auto nearest = guess;
    for (std::ptrdiff_t step = 1; guess->place < place; step *= 2) {
      nearest = guess;
      guess += std::min(step, last - guess);
    }
    if (nearest != guess) {
      low = nearest;
      high = guess + 1;
    } else {
      for (std::ptrdiff_t step = 1; place < guess->place; step *= 2) {
        nearest = guess;
        guess -= std::min(step, guess - low);
      }
      low = guess;
      high = nearest + 1;
    }
  }
  const auto found = std::lower_bound(low, high, place, is_before);
  return found != high && found->place == place ? found->count : 0;
}

}  // namespace

std::uint32_t preferred_at(const std::vector<PlaceCount<NodeId>>& counts, NodeId place) {
  return count_at(counts, place);
}
std::uint32_t preferred_at(const std::vector<PlaceCount<RackId>>& counts, RackId place) {
  return count_at(counts, place);
}

}  // namespace tracebed
