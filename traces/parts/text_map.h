// Values by text, in a table with open addressing that is emptied and used again: readers build one
// for every document. The texts stay where the caller has them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "core/random.h"

namespace tracebed {

template <class Value>
class TextMap {
 public:
  // The value of `text`, which is `value` if there was none, and whether there was none.
  std::pair<Value*, bool> try_emplace(std::string_view text, Value value) {
    if (places_.size() < 2 * (entries_.size() + 1)) grow();
    const std::uint64_t hash = hash_of_text(text);
    const std::size_t place = place_of(text, hash);
    if (places_[place] != 0) return {&entries_[places_[place] - 1].value, false};
    entries_.push_back({text, hash, place, value});
    places_[place] = static_cast<std::uint32_t>(entries_.size());
    return {&entries_.back().value, true};
  }
  // Null if there is none.
  const Value* find(std::string_view text) const {
    if (places_.empty()) return nullptr;
    const std::uint32_t entry = places_[place_of(text, hash_of_text(text))];
    return entry == 0 ? nullptr : &entries_[entry - 1].value;
  }
  bool empty() const { return entries_.empty(); }
  // Its cost depends on the entries, not on the size of the table.
  void clear() {
    for (const Entry& entry : entries_) places_[entry.place] = 0;
    entries_.clear();
  }

 private:
  struct Entry {
    std::string_view text;
    std::uint64_t hash = 0;
    std::size_t place = 0;
    Value value;
  };

  static std::uint64_t hash_of_text(std::string_view text) {
    std::uint64_t hash = text.size();
    std::uint64_t eight = 0;
    for (; text.size() > sizeof(eight); text.remove_prefix(sizeof(eight))) {
      std::memcpy(&eight, text.data(), sizeof(eight));
      hash = (hash ^ eight) * 0x9E3779B97F4A7C15;
      hash ^= hash >> 32;
    }
    eight = 0;
    for (const char letter : text) eight = eight << 8 | static_cast<unsigned char>(letter);
    return mix(hash ^ eight);
  }
  // Where the text is, or would be.
  std::size_t place_of(std::string_view text, std::uint64_t hash) const {
    const std::size_t mask = places_.size() - 1;
    std::size_t place = static_cast<std::size_t>(hash) & mask;
    while (places_[place] != 0) {
      const Entry& entry = entries_[places_[place] - 1];
      if (entry.hash == hash && entry.text == text) break;
      place = (place + 1) & mask;
    }
    return place;
  }
  void grow() {
    constexpr std::size_t smallest = 64;
    places_.assign(places_.empty() ? smallest : 2 * places_.size(), 0);
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      entries_[i].place = place_of(entries_[i].text, entries_[i].hash);
      places_[entries_[i].place] = static_cast<std::uint32_t>(i + 1);
    }
  }

  std::vector<Entry> entries_;
  std::vector<std::uint32_t>
      places_;  // one above an entry's index; 0: free. A power of two of them
};

}  // namespace tracebed
