#include "kernels/map_task.h"

#include <string>
#include <utility>

#include "core/check.h"
#include "kernels/merge.h"
#include "kernels/run_format.h"

namespace tracebed::kernels {

Result<std::unique_ptr<MapTask>> MapTask::create(const Kernel& kernel, InputSplit split,
                                                 const MapTaskOptions& options, SpillStore& store) {
  if (options.partitions < 1 || options.partitions > partitions_max) {
    return Error{"a job has 1 to " + std::to_string(partitions_max) + " partitions, not " +
                 std::to_string(options.partitions)};
  }
  if (kernel.ranges() != nullptr && kernel.ranges()->partitions() > options.partitions) {
    return Error{"the split points are for " + std::to_string(kernel.ranges()->partitions()) +
                 " partitions, not " + std::to_string(options.partitions)};
  }
  if (const Status checked = check_budget(options.budget_bytes); !checked) return checked.error();
  return std::unique_ptr<MapTask>(new MapTask(kernel, split, options, store));
}

MapTask::MapTask(const Kernel& kernel, InputSplit split, const MapTaskOptions& options,
                 SpillStore& store)
    : kernel_(kernel),
      options_(options),
      reader_(kernel.input_format(), split),
      mapper_(kernel.mapper()),
      spills_(store) {
  buffer_.emplace(MapOutputOptions{options.partitions, kernel.ranges(), kernel.combiner(),
                                   options.budget_bytes},
                  spills_);
}

Status MapTask::visit(const InputRecord& record) {
  ++counters_.input_records;
  return mapper_->map(record, *buffer_);
}

Status MapTask::consume(Bytes chunk) {
  return reader_.consume(chunk, *this);
}

Result<MapOutputIndex> MapTask::finish(ByteSink& output) {
  TRACEBED_CHECK(buffer_.has_value(), "a task is finished once");
  if (const Status ended = reader_.end_of_file(*this); !ended) return ended.error();
  if (const Status closed = mapper_->close(*buffer_); !closed) return closed.error();
  counters_.emitted_pairs = buffer_->emitted();
  Result<MapOutputIndex> index = Error{};
  if (!buffer_->has_spilled()) {
    Result<std::vector<RunExtent>> runs = buffer_->write_runs(output);
    if (!runs) return runs.error();
    index = MapOutputIndex{*std::move(runs)};
  } else {
    index = merge_spills(output);
  }
  buffer_.reset();
  if (!index) return index;
  counters_.output_bytes = index->output_bytes();
  counters_.spilled = spills_.counters();
  return index;
}

Result<MapOutputIndex> MapTask::merge_spills(ByteSink& output) {
  if (const Status spilled = buffer_->spill(); !spilled) return spilled.error();
  const std::vector<std::vector<RunExtent>> spilled = buffer_->take_spilled();
  buffer_.reset();  // what follows has the budget for itself
  MapOutputIndex index;
  RunWriter writer(output);
  for (std::uint32_t partition = 0; partition < options_.partitions; ++partition) {
    Merge::Sources sources;
    for (std::size_t spill = 0; spill < spilled.size(); ++spill) {
      sources.push_back(spills_.source(spill, spilled[spill][partition]));
    }
    Result<Merge> merge =
        merge_runs(std::move(sources), options_.budget_bytes, kernel_.combiner(), spills_);
    if (!merge) return merge.error();
    const std::uint64_t begin = writer.bytes();
    if (const Status written = write_run(*merge, writer); !written) return written.error();
    index.runs.push_back({begin, writer.bytes() - begin});
  }
  if (const Status flushed = writer.flush(); !flushed) return flushed.error();
  return index;
}

}  // namespace tracebed::kernels
