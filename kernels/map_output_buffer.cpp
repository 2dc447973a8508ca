#include "kernels/map_output_buffer.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <string>

#include "core/check.h"
#include "kernels/byte_hash.h"
#include "kernels/run_format.h"

namespace tracebed::kernels {
namespace {

constexpr std::size_t slots_at_first = 1'024;
constexpr unsigned entry_bits = 26;
constexpr std::size_t slots_most = std::size_t{1} << entry_bits;

// The hash table has a quarter of the budget at the most.
std::size_t slots_within(std::size_t budget_bytes) {
  return std::min(slots_most, std::bit_floor(budget_bytes / 4 / sizeof(std::uint32_t)));
}

// A used slot has 1 + the number of its entry, and six bits of the hash above it: of other keys'
// entries few are looked at.
std::uint32_t tag_of(std::uint64_t hash) {
  return static_cast<std::uint32_t>(hash >> 32) & ~std::uint32_t{slots_most - 1};
}
std::size_t entry_in(std::uint32_t slot) {
  return (slot & (slots_most - 1)) - 1;
}

// Of a table that is three quarters full, a look-up still takes few steps.
std::size_t entries_within(std::size_t slots) {
  return slots / 4 * 3;
}

// One key may be in several partitions.
std::uint64_t slot_hash(std::uint64_t key_hash, std::uint32_t partition) {
  return key_hash + partition * 0x9E3779B97F4A7C15u;
}

}  // namespace

MapOutputBuffer::MapOutputBuffer(const MapOutputOptions& options, Spills& spills)
    : options_(options), spills_(spills) {
  std::size_t arena_bytes = options.budget_bytes;
  if (options.combiner != nullptr) {
    slots_max_ = slots_within(options.budget_bytes);
    arena_bytes -= slots_max_ * sizeof(std::uint32_t);
    resize_slots(std::min(slots_at_first, slots_max_));
  }
  TRACEBED_CHECK(
      arena_bytes >= 2 * pair_bytes_max && arena_bytes <= std::numeric_limits<std::uint32_t>::max(),
      "a budget holds a pair, and its offsets have 32 bits");
  arena_entries_ = arena_bytes / sizeof(Entry);
  arena_ = std::make_unique_for_overwrite<Entry[]>(arena_entries_);
}

Bytes MapOutputBuffer::key_of(const Entry& entry) const {
  const std::byte* const pair = memory() + entry.offset;
  return {pair + pair_head_bytes, load<std::uint16_t>(pair)};
}

std::span<std::byte> MapOutputBuffer::value_of(const Entry& entry) const {
  std::byte* const pair = memory() + entry.offset;
  return {pair + pair_head_bytes + load<std::uint16_t>(pair), load<std::uint16_t>(pair + 2)};
}

bool MapOutputBuffer::is_pair_before(const Entry& left, const Entry& right) const {
  const auto order = compare_bytes(key_of(left), key_of(right));
  if (order != 0) return order < 0;
  return compare_bytes(value_of(left), value_of(right)) < 0;
}

std::size_t MapOutputBuffer::find_slot(std::uint32_t partition, std::uint64_t hash,
                                       std::uint64_t prefix, Bytes key) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = slot_hash(hash, partition) & mask;
  const std::uint32_t tag = tag_of(hash);
  for (; slots_[slot] != 0; slot = (slot + 1) & mask) {
    if (((slots_[slot] ^ tag) & ~std::uint32_t{slots_most - 1}) != 0) continue;
    const Entry& found = entry(entry_in(slots_[slot]));
    if (found.prefix != prefix || found.partition != partition) continue;
    const Bytes other = key_of(found);
    if (other.size() != key.size()) continue;
    if (key.size() <= sizeof(prefix) || compare_bytes(other, key) == 0) break;
  }
  return slot;
}

void MapOutputBuffer::resize_slots(std::size_t slots) {
  slots_ = {};  // frees them first
  slots_.resize(slots);
  for (std::size_t index = 0; index < entries_; ++index) {
    const Entry& added = entry(index);
    const Bytes key = key_of(added);
    const std::uint64_t hash = hash_bytes(key);
    const std::size_t slot = find_slot(added.partition, hash, added.prefix, key);
    slots_[slot] = tag_of(hash) | static_cast<std::uint32_t>(index + 1);
  }
}

bool MapOutputBuffer::has_space(std::size_t pair_bytes) const {
  if (options_.combiner != nullptr && entries_ >= entries_within(slots_max_)) return false;
  const std::size_t entries_begin = (arena_entries_ - entries_ - 1) * sizeof(Entry);
  return entries_ < arena_entries_ && pairs_end_ + pair_head_bytes + pair_bytes <= entries_begin;
}

void MapOutputBuffer::add(std::uint32_t partition, std::uint64_t prefix, Bytes key, Bytes value) {
  std::byte* const pair = memory() + pairs_end_;
  store(pair, static_cast<std::uint16_t>(key.size()));
  store(pair + 2, static_cast<std::uint16_t>(value.size()));
  if (!key.empty()) std::memcpy(pair + pair_head_bytes, key.data(), key.size());
  if (!value.empty()) std::memcpy(pair + pair_head_bytes + key.size(), value.data(), value.size());
  entry(entries_++) = {prefix, partition, static_cast<std::uint32_t>(pairs_end_)};
  pairs_end_ += pair_head_bytes + key.size() + value.size();
}

Status MapOutputBuffer::put(std::uint32_t partition, std::uint64_t hash, Bytes key, Bytes value) {
  const std::size_t pair_bytes = key.size() + value.size();
  if (pair_bytes > pair_bytes_max) {
    return Error{"map output: a pair of " + std::to_string(pair_bytes) + " bytes, more than " +
                 std::to_string(pair_bytes_max)};
  }
  ++emitted_;
  const std::uint64_t prefix = key_prefix(key);
  if (options_.combiner != nullptr) {
    TRACEBED_CHECK(value.size() == options_.combiner->value_bytes(), "values have one size");
    const std::size_t slot = find_slot(partition, hash, prefix, key);
    if (slots_[slot] != 0) {
      options_.combiner->combine(value_of(entry(entry_in(slots_[slot]))), value);
      return success();
    }
  }
  if (!has_space(pair_bytes)) {
    if (Status spilled = spill(); !spilled) return spilled;
  }
  if (options_.combiner != nullptr) {
    if (entries_ >= entries_within(slots_.size())) resize_slots(2 * slots_.size());
    slots_[find_slot(partition, hash, prefix, key)] =
        tag_of(hash) | static_cast<std::uint32_t>(entries_ + 1);
  }
  add(partition, prefix, key, value);
  return success();
}

Status MapOutputBuffer::emit(Bytes key, Bytes value) {
  const bool needs_hash = options_.ranges == nullptr || options_.combiner != nullptr;
  const std::uint64_t hash = needs_hash ? hash_bytes(key) : 0;
  const std::uint32_t partition = options_.ranges == nullptr
                                      ? hash_partition(hash, options_.partitions)
                                      : options_.ranges->partition(key);
  return put(partition, hash, key, value);
}

Status MapOutputBuffer::emit_to(std::uint32_t partition, Bytes key, Bytes value) {
  TRACEBED_CHECK(partition < options_.partitions, "a partition is one of the options");
  return put(partition, hash_bytes(key), key, value);
}

Result<std::vector<RunExtent>> MapOutputBuffer::write_runs(ByteSink& sink) {
  const std::span<Entry> sorted{arena_.get() + (arena_entries_ - entries_), entries_};
  std::sort(sorted.begin(), sorted.end(), [this](const Entry& left, const Entry& right) {
    if (left.partition != right.partition) return left.partition < right.partition;
    if (left.prefix != right.prefix) return left.prefix < right.prefix;
    return is_pair_before(left, right);
  });
  std::vector<RunExtent> runs;
  RunWriter writer(sink);
  auto next = sorted.begin();
  for (std::uint32_t partition = 0; partition < options_.partitions; ++partition) {
    const std::uint64_t begin = writer.bytes();
    for (; next != sorted.end() && next->partition == partition; ++next) {
      if (const Status added = writer.add(key_of(*next), value_of(*next)); !added) {
        return added.error();
      }
    }
    writer.end_run();
    runs.push_back({begin, writer.bytes() - begin});
  }
  if (const Status flushed = writer.flush(); !flushed) return flushed.error();
  TRACEBED_CHECK(next == sorted.end(), "each pair is in one of the partitions");
  clear();
  return runs;
}

void MapOutputBuffer::clear() {
  pairs_end_ = 0;
  entries_ = 0;
  std::fill(slots_.begin(), slots_.end(), 0u);
}

Status MapOutputBuffer::spill() {
  const std::size_t spill = spills_.begin();
  const auto sink = spills_.sink(spill);
  Result<std::vector<RunExtent>> runs = write_runs(*sink);
  if (!runs) return runs.error();
  spilled_.push_back(*std::move(runs));
  return spills_.finish(spill);
}

}  // namespace tracebed::kernels
