// What tasks of MapReduce jobs write to the disks of their machines and read again from there,
// beside what maps keep for reduces, as Hadoop's do with its default settings.
//
// A map sorts what it emits in a buffer, and writes it out as a spill whenever four fifths of that
// are full (org.apache.hadoop.mapred.MapTask.MapOutputBuffer, mapreduce.map.sort.spill.percent).
// One spill is its output; several are merged to it, ten at a time (mapreduce.task.io.sort.factor):
// while there are more, the smallest are merged to one, as few in the first pass that ten are left
// in the last (Merger.MergeQueue.getPassFactor).
//
// A reduce writes all that it has fetched before it begins to reduce
// (mapreduce.reduce.input.buffer.percent is 0; MergeManagerImpl.finalMerge).
//
// Deviations: what records take in the buffer beside their bytes is not counted, so that maps with
// small records spill earlier in Hadoop; nor are merges of a reduce's files among each other, of
// which it has many only where it fetches far more than its heap.
#pragma once

#include <cstdint>

namespace tracebed {

inline constexpr double sort_spill_share = 0.8;
inline constexpr std::int64_t merge_factor = 10;

// What a map spills that emits so many bytes; what is written and read twice counts twice.
// `sort_bytes` is at least 1 (checked).
std::int64_t spilled_by_map(std::int64_t emitted, std::int64_t sort_bytes);

inline std::int64_t spilled_by_reduce(std::int64_t fetched) {
  return fetched;
}

}  // namespace tracebed
