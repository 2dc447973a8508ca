// A priority queue of timed events, earliest first, those of equal time in the order they were
// pushed.
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
  TraceTime next_time() const { return entries_.empty() ? never : time_of(entries_.front().order); }

  void push(TraceTime at, Payload payload) {
    std::size_t hole = entries_.size();
    entries_.emplace_back();
    Entry entry{order_of(at, next_sequence_++), std::move(payload)};
    while (hole > 0) {
      const std::size_t parent = (hole - 1) / arity;
      if (!entry.is_before(entries_[parent])) break;
      entries_[hole] = std::move(entries_[parent]);
      hole = parent;
    }
    entries_[hole] = std::move(entry);
  }

  // Removes the earliest event and returns what was pushed with it.
  Payload pop() {
    Payload result = std::move(entries_.front().payload);
    Entry last = std::move(entries_.back());
    entries_.pop_back();
    if (!entries_.empty()) sink(std::move(last));
    return result;
  }

 private:
  static constexpr std::size_t arity = 4;  // as sink() is written out for
  __extension__ using Order = unsigned __int128;
  struct Entry {
    // By time, then by when it was pushed, as one number. Which of two events is earlier cannot be
    // predicted, so they are compared without a branch.
    Order order = 0;
    Payload payload;
    bool is_before(const Entry& other) const { return order < other.order; }
  };
  static constexpr std::uint64_t sign_bit = std::uint64_t{1} << 63;
  static Order order_of(TraceTime at, std::uint64_t sequence) {
    return Order{static_cast<std::uint64_t>(to_microseconds(at)) ^ sign_bit} << 64 | sequence;
  }
  static TraceTime time_of(Order order) {
    return trace_time(
        static_cast<std::int64_t>(static_cast<std::uint64_t>(order >> 64) ^ sign_bit));
  }

  std::size_t lesser(std::size_t a, std::size_t b) const {
    return entries_[b].is_before(entries_[a]) ? b : a;
  }
  // Puts `entry` in at the root's place and lets it sink to its own.
  void sink(Entry entry) {
    std::size_t hole = 0;
    for (;;) {
      const std::size_t first = hole * arity + 1;
      std::size_t least = first;
      if (first + arity <= entries_.size()) {
        const std::size_t low = lesser(first, first + 1);
        least = lesser(low, lesser(first + 2, first + 3));
      } else {
        if (first >= entries_.size()) break;
        for (std::size_t i = first + 1; i < entries_.size(); ++i) least = lesser(least, i);
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
