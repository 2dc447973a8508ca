// How often each 64-bit key came: a table with open addressing, since rows are counted by the
// million. Keys come out unordered, so a caller that lists them sorts.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/random.h"

namespace tracebed {

class FlatCounts {
 public:
  struct Entry {
    std::uint64_t key = 0;
    std::uint64_t times = 0;  // 0: the place is free
  };

  // `times` is positive.
  void add(std::uint64_t key, std::uint64_t times) {
    if (places_.size() < 2 * (size_ + 1)) grow();
    Entry& entry = place_of(key);
    if (entry.times == 0) {
      entry.key = key;
      ++size_;
    }
    entry.times += times;
  }
  // Of different keys.
  std::size_t size() const { return size_; }

  // Calls visit(key, times) for each, in no order.
  template <class Visit>
  void for_each(Visit visit) const {
    for (const Entry& entry : places_) {
      if (entry.times > 0) visit(entry.key, entry.times);
    }
  }
  void clear() { *this = FlatCounts(); }

 private:
  // Where the key is, or would be.
  Entry& place_of(std::uint64_t key) {
    std::size_t at = static_cast<std::size_t>(mix(key)) & (places_.size() - 1);
    while (places_[at].times > 0 && places_[at].key != key) at = (at + 1) & (places_.size() - 1);
    return places_[at];
  }
  void grow() {
    constexpr std::size_t smallest = 64;
    std::vector<Entry> old(places_.empty() ? smallest : 2 * places_.size());
    std::swap(old, places_);
    for (const Entry& entry : old) {
      if (entry.times > 0) place_of(entry.key) = entry;
    }
  }

  std::vector<Entry> places_;  // a power of two of them, at most half of them taken
  std::size_t size_ = 0;
};

}  // namespace tracebed
