// When flows end: a priority queue, earliest first, at equal times in the order of their begins, in
// which the time of each may change.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/time.h"

namespace tracebed {

// Flows are small numbers, which may be used again. A 4-ary heap with the place of each flow.
class FlowEnds {
 public:
  std::size_t size() const { return entries_.size(); }
  TraceTime next_time() const { return entries_.empty() ? never : entries_.front().at; }
  std::uint32_t next_flow() const { return entries_.front().flow; }

  // One that is not in the queue.
  void insert(std::uint32_t flow, TraceTime at) {
    if (flow >= places_.size()) places_.resize(flow + 1);
    entries_.push_back({at, next_sequence_++, flow});
    rise(entries_.size() - 1);
  }
  void change(std::uint32_t flow, TraceTime at) {
    const std::size_t place = places_[flow];
    const bool is_earlier = at < entries_[place].at;
    entries_[place].at = at;
    is_earlier ? rise(place) : sink(place);
  }
  void erase(std::uint32_t flow) {
    const std::size_t place = places_[flow];
    const Entry last = entries_.back();
    entries_.pop_back();
    if (place == entries_.size()) return;
    const bool is_earlier = last.is_before(entries_[place]);
    put(place, last);
    is_earlier ? rise(place) : sink(place);
  }

 private:
  static constexpr std::size_t arity = 4;
  struct Entry {
    TraceTime at;
    std::uint64_t sequence = 0;
    std::uint32_t flow = 0;
    bool is_before(const Entry& other) const {
      return at != other.at ? at < other.at : sequence < other.sequence;
    }
  };

  void put(std::size_t place, const Entry& entry) {
    entries_[place] = entry;
    places_[entry.flow] = static_cast<std::uint32_t>(place);
  }
  void rise(std::size_t place) {
    const Entry entry = entries_[place];
    while (place > 0) {
      const std::size_t parent = (place - 1) / arity;
      if (!entry.is_before(entries_[parent])) break;
      put(place, entries_[parent]);
      place = parent;
    }
    put(place, entry);
  }
  void sink(std::size_t place) {
    const Entry entry = entries_[place];
    for (;;) {
      const std::size_t first = place * arity + 1;
      if (first >= entries_.size()) break;
      const std::size_t end = std::min(first + arity, entries_.size());
      std::size_t least = first;
      for (std::size_t i = first + 1; i < end; ++i) {
        if (entries_[i].is_before(entries_[least])) least = i;
      }
      if (!entries_[least].is_before(entry)) break;
      put(place, entries_[least]);
      place = least;
    }
    put(place, entry);
  }

  std::vector<Entry> entries_;
  std::vector<std::uint32_t> places_;  // by flow
  std::uint64_t next_sequence_ = 0;
};

}  // namespace tracebed
