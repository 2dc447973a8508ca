#include "core/spills.h"

#include <algorithm>
#include <map>

#include "core/check.h"

namespace tracebed {
namespace {

// Files to be merged, by their size; of many that are equal each step takes as many as it can, so
// that a map of any size costs little.
class Segments {
 public:
  void add(std::int64_t bytes, std::int64_t count) {
    if (count == 0) return;
    by_size_[bytes] += count;
    count_ += count;
  }
  std::int64_t count() const { return count_; }

  // A pass that merges `count` of the smallest to one. Returns the bytes that it writes.
  std::int64_t merge_once(std::int64_t count) {
    const std::int64_t merged = take(count);
    add(merged, 1);
    return merged;
  }
  // Passes that merge merge_factor each: of one size as many as there are, or as are needed until
  // merge_factor are left; otherwise one of several sizes.
  std::int64_t merge() {
    const auto [size, equal] = *by_size_.begin();
    const std::int64_t needed = (count_ - merge_factor + merge_factor - 2) / (merge_factor - 1);
    const std::int64_t passes = std::min(equal / merge_factor, needed);
    if (passes == 0) return merge_once(merge_factor);
    const std::int64_t merged = take(passes * merge_factor);
    add(size * merge_factor, passes);
    return merged;
  }

 private:
  // The smallest; returns their bytes.
  std::int64_t take(std::int64_t count) {
    std::int64_t bytes = 0;
    count_ -= count;
    while (count > 0) {
      const auto smallest = by_size_.begin();
      const std::int64_t taken = std::min(count, smallest->second);
      bytes += taken * smallest->first;
      count -= taken;
      smallest->second -= taken;
      if (smallest->second == 0) by_size_.erase(smallest);
    }
    return bytes;
  }

  std::map<std::int64_t, std::int64_t> by_size_;  // how many
  std::int64_t count_ = 0;
};

}  // namespace

std::int64_t spilled_by_map(std::int64_t emitted, std::int64_t sort_bytes) {
  TRACEBED_CHECK(sort_bytes >= 1, "a map sorts in some memory");
  const std::int64_t spill = std::max<std::int64_t>(1, sort_bytes - sort_bytes / 5);
  if (emitted <= spill) return 0;
  Segments segments;
  segments.add(spill, emitted / spill);
  segments.add(emitted % spill, emitted % spill > 0 ? 1 : 0);
  std::int64_t written = emitted;
  if (segments.count() > merge_factor) {
    // The first pass merges so few that each later one merges merge_factor.
    const std::int64_t rest = (segments.count() - 1) % (merge_factor - 1);
    if (rest > 0) written += segments.merge_once(rest + 1);
  }
  while (segments.count() > merge_factor) written += segments.merge();
  return written;
}

}  // namespace tracebed
