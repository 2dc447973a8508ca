// What one executor keeps of its job's input in memory, as Spark does at the level MEMORY_ONLY
// (2.1, org.apache.spark.storage.memory.MemoryStore). A block that does not fit takes the place of
// blocks of other inputs that were used least recently, never of its own (evictBlocksToFreeSpace);
// where that is not enough, nothing is dropped, and it is not kept.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "core/check.h"

namespace tracebed {

// `Block` is ordered, has a member `input`, and those of one input stand together in its order.
template <class Block>
class MemoryStore {
 public:
  bool empty() const { return blocks_.empty(); }
  bool contains(const Block& block) const { return blocks_.contains(block); }
  // One that it has (checked).
  const Block& first() const {
    TRACEBED_CHECK(!blocks_.empty(), "there is a block");
    return blocks_.begin()->first;
  }

  // Whether put() would keep it.
  bool has_room_for(const Block& block, std::int64_t bytes, std::int64_t capacity) const {
    return room_for(block, bytes, capacity).has_value();
  }
  // Keeps a block that it does not have (checked) within `capacity` bytes, and returns what it
  // dropped for it; none if there is no room.
  std::optional<std::vector<Block>> put(const Block& block, std::int64_t bytes,
                                        std::int64_t capacity) {
    TRACEBED_CHECK(!contains(block), "a block is kept once");
    std::optional<std::vector<Block>> dropped = room_for(block, bytes, capacity);
    if (!dropped) return dropped;
    for (const Block& other : *dropped) erase(other);
    blocks_.emplace(block, Kept{bytes, ++uses_});
    bytes_ += bytes;
    return dropped;
  }
  // It has the block (checked), which is the most recently used one now.
  void use(const Block& block) { find(block)->second.last_used = ++uses_; }
  void erase(const Block& block) {
    const auto kept = find(block);
    bytes_ -= kept->second.bytes;
    blocks_.erase(kept);
  }

 private:
  struct Kept {
    std::int64_t bytes = 0;
    std::uint64_t last_used = 0;  // a count of uses
  };

  auto find(const Block& block) {
    const auto kept = blocks_.find(block);
    TRACEBED_CHECK(kept != blocks_.end(), "the block is kept");
    return kept;
  }

  // What has to be dropped; none if that is not enough.
  std::optional<std::vector<Block>> room_for(const Block& block, std::int64_t bytes,
                                             std::int64_t capacity) const {
    if (bytes > capacity) return std::nullopt;
    std::int64_t missing = bytes_ + bytes - capacity;
    if (missing <= 0) return std::vector<Block>();
    const bool has_others =
        blocks_.begin()->first.input != block.input || blocks_.rbegin()->first.input != block.input;
    if (!has_others) return std::nullopt;
    std::vector<std::pair<std::uint64_t, Block>> others;
    for (const auto& [kept, what] : blocks_) {
      if (kept.input != block.input) others.emplace_back(what.last_used, kept);
    }
    std::sort(others.begin(), others.end());
    std::vector<Block> dropped;
    for (std::size_t i = 0; missing > 0 && i < others.size(); ++i) {
      missing -= blocks_.at(others[i].second).bytes;
      dropped.push_back(others[i].second);
    }
    if (missing > 0) return std::nullopt;
    return dropped;
  }

  std::map<Block, Kept> blocks_;
  std::int64_t bytes_ = 0;
  std::uint64_t uses_ = 0;
};

}  // namespace tracebed
