#include "kernels/reduce_task.h"

#include <memory>
#include <utility>

namespace tracebed::kernels {
namespace {

constexpr std::size_t output_buffer_bytes = 65'536;

}  // namespace

Result<ReduceTaskCounters> run_reduce_task(const Kernel& kernel, Merge::Sources inputs,
                                           const ReduceTaskOptions& options, SpillStore& store,
                                           ByteSink& output) {
  if (const Status checked = check_budget(options.budget_bytes); !checked) return checked.error();
  Spills spills(store);
  Result<Merge> merge =
      merge_runs(std::move(inputs), options.budget_bytes, kernel.combiner(), spills);
  if (!merge) return merge.error();
  const std::unique_ptr<Reducer> reducer = kernel.reducer();
  ReduceTaskCounters counters;
  Buffer buffer;
  buffer.reserve(output_buffer_bytes);
  const auto flush = [&] {
    counters.output_bytes += buffer.size();
    Status written = output.write(buffer);
    buffer.clear();
    return written;
  };
  while (true) {
    if (const Status advanced = merge->advance(); !advanced) return advanced.error();
    if (!merge->has_pair()) break;
    ++counters.pairs;
    const Status reduced = reducer->reduce(merge->key(), merge->value(), buffer);
    if (!reduced) return reduced.error();
    if (buffer.size() < output_buffer_bytes - pair_bytes_max) continue;
    if (const Status flushed = flush(); !flushed) return flushed.error();
  }
  if (const Status flushed = flush(); !flushed) return flushed.error();
  counters.spilled = spills.counters();
  return counters;
}

}  // namespace tracebed::kernels
