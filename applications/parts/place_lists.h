// Which tasks of a stage have their input at which place: nodes, racks, executors.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/check.h"
#include "core/cluster_model.h"

namespace tracebed {

// For each place, the maps that have input there, in order.
template <class PlaceId>
class PlaceLists {
 public:
  // `keys` are (place << 32) | map, in any order, possibly repeated; they are consumed.
  void build(std::vector<std::uint64_t>& keys);

  // The first map of `place` for which `is_pending`; false if there is none.
  template <class IsPending>
  bool first(PlaceId place, IsPending&& is_pending, std::uint32_t& map);
  // The map waits again at `place`.
  void reopen(PlaceId place, std::uint32_t map);
  // Whether holds(place) for one of them.
  template <class Holds>
  bool any(const Holds& holds) const {
    return std::any_of(lists_.begin(), lists_.end(),
                       [&](const List& list) { return holds(list.place); });
  }
  // For each place, how many of its maps are pending; places without any are omitted.
  template <class IsPending>
  std::vector<PlaceCount<PlaceId>> counts(IsPending&& is_pending) const;

 private:
  struct List {
    PlaceId place;
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    std::uint32_t next = 0;  // no map before it is pending
  };
  List* find(PlaceId place);

  std::vector<List> lists_;  // ascending by place
  std::vector<std::uint32_t> maps_;
};

template <class PlaceId>
void PlaceLists<PlaceId>::build(std::vector<std::uint64_t>& keys) {
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  maps_.reserve(keys.size());
  for (std::uint64_t key : keys) {
    const PlaceId place(static_cast<std::uint32_t>(key >> 32));
    const auto position = static_cast<std::uint32_t>(maps_.size());
    if (lists_.empty() || lists_.back().place != place) {
      lists_.push_back({place, position, position, position});
    }
    maps_.push_back(static_cast<std::uint32_t>(key));
    ++lists_.back().end;
  }
}

template <class PlaceId>
typename PlaceLists<PlaceId>::List* PlaceLists<PlaceId>::find(PlaceId place) {
  const auto list = std::lower_bound(lists_.begin(), lists_.end(), place,
                                     [](const List& l, PlaceId id) { return l.place < id; });
  return list != lists_.end() && list->place == place ? &*list : nullptr;
}

template <class PlaceId>
template <class IsPending>
bool PlaceLists<PlaceId>::first(PlaceId place, IsPending&& is_pending, std::uint32_t& map) {
  List* list = find(place);
  if (list == nullptr) return false;
  while (list->next < list->end && !is_pending(maps_[list->next])) ++list->next;
  if (list->next == list->end) return false;
  map = maps_[list->next];
  return true;
}

template <class PlaceId>
void PlaceLists<PlaceId>::reopen(PlaceId place, std::uint32_t map) {
  List* list = find(place);
  TRACEBED_CHECK(list != nullptr, "a map has a place in the lists of its replicas");
  const auto begin = maps_.begin() + list->begin;
  const auto position = std::lower_bound(begin, maps_.begin() + list->end, map) - maps_.begin();
  list->next = std::min(list->next, static_cast<std::uint32_t>(position));
}

template <class PlaceId>
template <class IsPending>
std::vector<PlaceCount<PlaceId>> PlaceLists<PlaceId>::counts(IsPending&& is_pending) const {
  std::vector<PlaceCount<PlaceId>> counts;
  counts.reserve(lists_.size());
  for (const List& list : lists_) {
    const auto pending = std::count_if(maps_.begin() + list.next, maps_.begin() + list.end,
                                       std::forward<IsPending>(is_pending));
    if (pending > 0) counts.push_back({list.place, static_cast<std::uint32_t>(pending)});
  }
  return counts;
}

}  // namespace tracebed
