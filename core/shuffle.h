// What tasks fetch from the tasks of earlier stages in a run with a shuffle. Tasks of these, the
// sources, keep their outputs on the machines that they ran on until their job ends, as MapReduce's
// maps do; each task of the later stage fetches its part of every one of them
// (org.apache.hadoop.mapred.ShuffleHandler, org.apache.hadoop.mapreduce.task.reduce.Fetcher).
//
// Of all that a stage fetches, byte i comes from source i modulo the number of sources: these have
// equal amounts, as a trace tells nothing else, and every task knows what it gets from which. The
// stage's first task fetches the first bytes, and so on.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/mix.h"

namespace tracebed {

// Of a run's shuffle servers, and of a job's token, by which they know its tasks.
inline constexpr std::size_t shuffle_key_bytes = 32;

struct ShuffleOptions {
  static constexpr std::uint32_t parallel_copies_max = 1'000;
  // Hosts that a task fetches from at a time (mapreduce.reduce.shuffle.parallelcopies).
  std::uint32_t parallel_copies = 5;
  // Memory in which a map sorts (mapreduce.task.io.sort.mb), by which maps and reduces spill
  // (core/spills.h); 0: they do not.
  std::int64_t sort_bytes = 0;

  bool operator==(const ShuffleOptions&) const = default;
};

// What the task of that container keeps: byte i is byte i of the generated block with this id
// (core/block_content.h).
constexpr std::uint64_t map_output_content_id(std::int64_t job, std::uint32_t container) {
  return mix(mix(static_cast<std::uint64_t>(job) + 1) ^ container);
}

// How many of the first `bytes` bytes come from the source: its output for the stage has them in
// their order.
constexpr std::int64_t shuffled_from(std::int64_t source, std::int64_t sources,
                                     std::int64_t bytes) {
  return bytes / sources + (source < bytes % sources ? 1 : 0);
}

}  // namespace tracebed
