#include "kernels/local_job.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "core/check.h"
#include "kernels/map_task.h"
#include "kernels/memory_streams.h"
#include "kernels/reduce_task.h"

namespace tracebed::kernels::test {

Bytes MapOutput::run(std::uint32_t partition) const {
  const RunExtent& extent = index.runs[partition];
  return Bytes(bytes).subspan(extent.offset, extent.bytes);
}

Buffer whole_file(const Dataset& dataset) {
  Buffer file(dataset.bytes());
  dataset.fill(0, file);
  return file;
}

MapOutput run_map(const Kernel& kernel, Bytes file, InputSplit split, const JobShape& shape,
                  Random& random) {
  MemorySpills spills;
  const auto created =
      MapTask::create(kernel, split, {shape.partitions, shape.map_budget_bytes}, spills);
  TRACEBED_CHECK(created.has_value(), created.error().message);
  MapTask& task = **created;
  while (task.needs_input() && task.position() < file.size()) {
    const Bytes unread = file.subspan(task.position());
    const std::size_t most = std::min(unread.size(), shape.chunk_bytes_max);
    const Status consumed = task.consume(unread.first(1 + random.below(most)));
    TRACEBED_CHECK(consumed.has_value(), consumed.error().message);
  }
  MemorySink output;
  const auto index = task.finish(output);
  TRACEBED_CHECK(index.has_value(), index.error().message);
  return {std::move(output.written), *index, task.counters().spilled.spills};
}

JobResult run_job(const Kernel& kernel, Bytes file, const JobShape& shape, Random& random) {
  std::vector<MapOutput> outputs;
  JobResult result;
  for (std::uint64_t offset = 0; offset < file.size(); offset += shape.split_bytes) {
    const InputSplit split{offset, std::min(shape.split_bytes, file.size() - offset)};
    outputs.push_back(run_map(kernel, file, split, shape, random));
    result.map_spills += outputs.back().spills;
  }
  for (std::size_t i = outputs.size(); i > 1; --i) {
    std::swap(outputs[i - 1], outputs[random.below(i)]);
  }
  for (std::uint32_t partition = 0; partition < shape.partitions; ++partition) {
    Merge::Sources inputs;
    for (const MapOutput& output : outputs) {
      inputs.push_back(std::make_unique<MemorySource>("a map output", output.run(partition),
                                                      1 + random.below(shape.chunk_bytes_max)));
    }
    MemorySpills spills;
    MemorySink part;
    const auto counters =
        run_reduce_task(kernel, std::move(inputs), {shape.reduce_budget_bytes}, spills, part);
    TRACEBED_CHECK(counters.has_value(), counters.error().message);
    result.reduce_spills += counters->spilled.spills;
    result.parts.push_back(std::move(part.written));
  }
  return result;
}

}  // namespace tracebed::kernels::test
