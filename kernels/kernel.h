// What a job computes, as MapReduce has it (Dean and Ghemawat 2004): a map function from input
// records to pairs of keys and values, a combiner that adds up values of one key, and a reduce
// function from pairs to the job's output. MapTask and ReduceTask drive it.
//
// Pairs reach the reduce function ordered by key, and by value where keys are equal, both as
// strings of bytes. This order does not depend on how the input is split, in which order map
// outputs arrive, or how often they are merged; neither do sums of integers. So the same input
// gives the same output files, whatever the tasks and budgets are.
//
// A kernel is immutable: tasks on several threads may share one.
#pragma once

#include <memory>
#include <span>

#include "core/result.h"
#include "kernels/input_split.h"
#include "kernels/map_output_buffer.h"
#include "kernels/range_partitioner.h"

namespace tracebed::kernels {

// The map function of one task.
class Mapper {
 public:
  virtual ~Mapper() = default;
  virtual Status map(const InputRecord& record, MapOutputBuffer& output) = 0;
  // After the last record.
  virtual Status close(MapOutputBuffer&) { return success(); }
};

// The reduce function of one task. It gets each key once if the kernel has a combiner.
class Reducer {
 public:
  virtual ~Reducer() = default;
  // Appends to the part of the output.
  virtual Status reduce(Bytes key, Bytes value, Buffer& output) = 0;
};

class Kernel {
 public:
  virtual ~Kernel() = default;

  virtual RecordFormat input_format() const = 0;
  // Both refer to the kernel.
  virtual std::unique_ptr<Mapper> mapper() const = 0;
  virtual std::unique_ptr<Reducer> reducer() const = 0;
  virtual const Combiner* combiner() const { return nullptr; }
  // Null: partitions are by the hash of the key.
  virtual const RangePartitioner* ranges() const { return nullptr; }
  // The state of the next iteration, of the parts of this one's output, in any order. Fails if
  // parts are malformed or missing, and for kernels that do not iterate.
  virtual Result<Buffer> next_state(std::span<const Bytes> parts) const;
};

}  // namespace tracebed::kernels
