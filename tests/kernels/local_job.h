// A whole job in memory: map tasks on splits of a file, and reduce tasks on what they emit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/random.h"
#include "kernels/dataset.h"
#include "kernels/kernel.h"
#include "kernels/map_output_index.h"

namespace tracebed::kernels::test {

// What a job's result must not depend on, but for `partitions`, which says what its parts are.
struct JobShape {
  std::uint64_t split_bytes = std::uint64_t{1} << 20;
  std::size_t chunk_bytes_max = 65'536;
  std::uint32_t partitions = 1;
  std::size_t map_budget_bytes = std::size_t{16} << 20;
  std::size_t reduce_budget_bytes = std::size_t{16} << 20;
};

struct MapOutput {
  Buffer bytes;
  MapOutputIndex index;
  std::uint64_t spills = 0;

  Bytes run(std::uint32_t partition) const;
};

struct JobResult {
  std::vector<Buffer> parts;
  std::uint64_t map_spills = 0;
  std::uint64_t reduce_spills = 0;
};

Buffer whole_file(const Dataset& dataset);

// Sizes of chunks, and the order of map outputs, are drawn. No task may fail (checked).
MapOutput run_map(const Kernel& kernel, Bytes file, InputSplit split, const JobShape& shape,
                  Random& random);
JobResult run_job(const Kernel& kernel, Bytes file, const JobShape& shape, Random& random);

}  // namespace tracebed::kernels::test
