// The pairs that a map task emits, until they are written as sorted runs, one for each partition
// (org.apache.hadoop.mapred.MapTask.MapOutputBuffer). Pairs grow from the front of one piece of
// memory, entries to sort them by from its back; when they meet, all are spilled. With a combiner,
// pairs are looked up by a hash of their keys and added up as they are emitted, as Spark's
// AppendOnlyMap does, so that a key is spilled once for each time the memory fills up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/result.h"
#include "kernels/bytes.h"
#include "kernels/combiner.h"
#include "kernels/range_partitioner.h"
#include "kernels/spills.h"

namespace tracebed::kernels {

struct MapOutputOptions {
  std::uint32_t partitions = 1;
  const RangePartitioner* ranges = nullptr;  // null: by hash
  const Combiner* combiner = nullptr;
  std::size_t budget_bytes = 0;  // of pairs, entries and hash table together
};

class MapOutputBuffer {
 public:
  // What the options point to, and `spills`, outlive the buffer.
  MapOutputBuffer(const MapOutputOptions& options, Spills& spills);

  // To the partition of the key. Values have the combiner's size if there is one (checked). Fails
  // if the pair has more than pair_bytes_max bytes, and with the errors of the store.
  Status emit(Bytes key, Bytes value);
  // To a partition of the options (checked).
  Status emit_to(std::uint32_t partition, Bytes key, Bytes value);

  // Pairs that are in no spill, as a run for each partition; the extents are in what the sink got.
  Result<std::vector<RunExtent>> write_runs(ByteSink& sink);
  Status spill();
  bool has_spilled() const { return !spilled_.empty(); }
  // By spill, and by partition therein. Afterwards there are none.
  std::vector<std::vector<RunExtent>> take_spilled() { return std::exchange(spilled_, {}); }
  std::uint64_t emitted() const { return emitted_; }
  std::uint32_t partitions() const { return options_.partitions; }

 private:
  struct Entry {
    std::uint64_t prefix;  // of the key
    std::uint32_t partition;
    std::uint32_t offset;  // of the pair
  };

  Status put(std::uint32_t partition, std::uint64_t hash, Bytes key, Bytes value);
  void add(std::uint32_t partition, std::uint64_t prefix, Bytes key, Bytes value);
  bool has_space(std::size_t pair_bytes) const;
  std::byte* memory() const { return reinterpret_cast<std::byte*>(arena_.get()); }
  // Entry i of those that were added, which begin at the arena's back.
  Entry& entry(std::size_t index) const { return arena_[arena_entries_ - 1 - index]; }
  Bytes key_of(const Entry& entry) const;
  std::span<std::byte> value_of(const Entry& entry) const;
  // Of two with the same prefix.
  bool is_pair_before(const Entry& left, const Entry& right) const;
  // The slot that has the key, or a free one for it.
  std::size_t find_slot(std::uint32_t partition, std::uint64_t hash, std::uint64_t prefix,
                        Bytes key) const;
  void resize_slots(std::size_t slots);
  void clear();

  MapOutputOptions options_;
  Spills& spills_;
  std::size_t arena_entries_;
  std::unique_ptr<Entry[]> arena_;
  std::size_t pairs_end_ = 0;  // bytes
  std::size_t entries_ = 0;
  std::size_t slots_max_ = 0;
  std::vector<std::uint32_t> slots_;  // of the hash table, 0 where it is free
  std::vector<std::vector<RunExtent>> spilled_;
  std::uint64_t emitted_ = 0;
};

}  // namespace tracebed::kernels
