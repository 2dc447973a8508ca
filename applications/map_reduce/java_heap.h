// The heap of a task's JVM and the memory of its container (org.apache.hadoop.mapred.JobConf:
// getMemoryRequired, getTaskJavaOpts; mapred.MapReduceChildJVM; mapred-default.xml).
//
// A JVM ends with java.lang.OutOfMemoryError when it needs more heap than -Xmx allows. How much of
// a task's memory is heap is in no trace; Hadoop takes `mapreduce.job.heap.memory-mb.ratio` of it,
// and so do masters here. So a task whose heap is that part of its container never lacks heap, and
// one with less fails, as table 6.1 of the analysis warns ("heap + non-heap inside").
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/result.h"
#include "core/task_work.h"

namespace tracebed {

// The value of -Xmx in MiB, rounded down: the last one counts, as for the JVM; none: not given.
// Without the suffix k, m or g (in either case) it is in bytes. Fails with what was expected for
// one that a JVM does not start with, or that is below a MiB.
Result<std::optional<std::int64_t>> maximum_heap_mib(std::string_view java_options);

// In 32-bit floats, rounded up, as Hadoop 3 computes both: for 1024 MiB and 0.8 the heap is 820
// MiB, and for 820 MiB of heap the memory is 1025 MiB. `ratio` is above 0 and at most 1.
std::int64_t heap_of_memory(std::int64_t memory_mib, float ratio);
std::int64_t memory_for_heap(std::int64_t heap_mib, float ratio);

// The largest memory of a task for which the heap is enough: 1025 MiB for 820, 500 for 400.
std::int64_t memory_within_heap(std::int64_t heap_mib, float ratio);

struct HeapRule {
  std::int64_t heap_mib = 0;  // 0: without limit
  float share = 0.8F;         // of a task's memory
  bool spills = false;        // false: a task that needs more fails
};

// Of work that needs more heap than it has, the memory becomes what it touches until the heap is
// full. It exhausts the heap then; or it spills, so that what it reads, fetches and writes is moved
// as often as its heap goes into what it needs of it, rounded up.
void cut_to_heap(const HeapRule& rule, TaskWork& work);

}  // namespace tracebed
