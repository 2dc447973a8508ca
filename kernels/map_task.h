// The map side of a job: one split in, one map output out. The bytes of the file may come in chunks
// of any sizes; the output does not depend on them, nor on the budget.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "core/result.h"
#include "kernels/input_split.h"
#include "kernels/kernel.h"
#include "kernels/map_output_buffer.h"
#include "kernels/map_output_index.h"
#include "kernels/task_budget.h"

namespace tracebed::kernels {

struct MapTaskOptions {
  std::uint32_t partitions = 1;  // at most partitions_max
  // From budget_bytes_min to budget_bytes_max, for pairs and for merging them. Besides, a task has
  // the kernel's state, buffers of 64 KiB, one input record, and 16 bytes for each partition of
  // each spill.
  std::size_t budget_bytes = std::size_t{16} << 20;
};

struct MapTaskCounters {
  std::uint64_t input_records = 0;
  std::uint64_t emitted_pairs = 0;
  std::uint64_t output_bytes = 0;
  SpillCounters spilled;
};

class MapTask final : private RecordVisitor {
 public:
  // The kernel and the store outlive the task. Fails if the options are out of their bounds, or the
  // kernel has more ranges than there are partitions.
  static Result<std::unique_ptr<MapTask>> create(const Kernel& kernel, InputSplit split,
                                                 const MapTaskOptions& options, SpillStore& store);

  // The file's bytes from position() on; those that are not needed are ignored. After a failure the
  // task is of no more use.
  Status consume(Bytes chunk);
  bool needs_input() const { return !reader_.is_done(); }
  std::uint64_t position() const { return reader_.position(); }

  // The split has been read, or the file has ended. Writes the output: a sorted run for each
  // partition. Once.
  Result<MapOutputIndex> finish(ByteSink& output);
  // Final after finish().
  const MapTaskCounters& counters() const { return counters_; }

 private:
  MapTask(const Kernel& kernel, InputSplit split, const MapTaskOptions& options, SpillStore& store);
  Status visit(const InputRecord& record) override;
  Result<MapOutputIndex> merge_spills(ByteSink& output);

  const Kernel& kernel_;
  MapTaskOptions options_;
  SplitReader reader_;
  std::unique_ptr<Mapper> mapper_;
  Spills spills_;
  std::optional<MapOutputBuffer> buffer_;  // none once it has been spilled for good
  MapTaskCounters counters_;
};

}  // namespace tracebed::kernels
