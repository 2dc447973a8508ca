// A priority queue of timed events, earliest first, equal times in the order they were pushed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/time.h"

namespace tracebed {

// A 4-ary heap: half the levels of a binary one, and the children of a node share a cache line or
// two.
template <class Payload>
class EventHeap {
 public:
  bool empty() const { return entries_.empty(); }
  std::size_t size() const { return entries_.size(); }
  // The time of the earliest event; `never` if there is none.
  TraceTime next_time() const { return entries_.empty() ? never : entries_.front().at; }

  void push(TraceTime at, Payload payload) {
    std::size_t hole = entries_.size();
    entries_.emplace_back();
    Entry entry{at, next_sequence_++, std::move(payload)};
    while (hole > 0) {
      const std::size_t parent = (hole - 1) / arity;
      if (!entry.is_before(entries_[parent])) break;
      entries_[hole] = std::move(entries_[parent]);
      hole = parent;
    }
    entries_[hole] = std::move(entry);
  }

  // What was pushed with the earliest event; there is one.
  const Payload& next() const { return entries_.front().payload; }

  // Removes the earliest event and returns what was pushed with it.
  Payload pop() {
    Payload result = std::move(entries_.front().payload);
    Entry last = std::move(entries_.back());
    entries_.pop_back();
    if (!entries_.empty()) sink(std::move(last));
    return result;
  }

 private:
  static constexpr std::size_t arity = 4;
  struct Entry {
    TraceTime at;
    std::uint64_t sequence = 0;
    Payload payload;
    bool is_before(const Entry& other) const {
      // Without branches: which of two events is earlier could not be foretold.
      return (at < other.at) | ((at == other.at) & (sequence < other.sequence));
    }
  };

  // Puts `entry` in at the root's place and lets it sink to its own.
  void sink(Entry entry) {
    std::size_t hole = 0;
    for (;;) {
      const std::size_t first = hole * arity + 1;
      if (first >= entries_.size()) break;
      const std::size_t end = std::min(first + arity, entries_.size());
      std::size_t least = first;
      for (std::size_t child = first + 1; child < end; ++child) {
        least = entries_[child].is_before(entries_[least]) ? child : least;
      }
      if (!entries_[least].is_before(entry)) break;
      entries_[hole] = std::move(entries_[least]);
      hole = least;
    }
    entries_[hole] = std::move(entry);
  }

  std::vector<Entry> entries_;
  std::uint64_t next_sequence_ = 0;
};

}  // namespace tracebed
