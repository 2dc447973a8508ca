// The runs that a task has spilled (org.apache.hadoop.mapred.SpillRecord), and how many they are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/result.h"
#include "kernels/streams.h"

namespace tracebed::kernels {

// A run within a file or a spill.
struct RunExtent {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  bool operator==(const RunExtent&) const = default;
};

struct SpillCounters {
  std::uint64_t spills = 0;
  std::uint64_t bytes = 0;
  bool operator==(const SpillCounters&) const = default;
};

// Writes and reads the spills of one task. The store outlives it.
class Spills {
 public:
  explicit Spills(SpillStore& store) : store_(store) {}

  // The number of a new spill, and where its bytes go; the sink refers to this.
  std::size_t begin();
  std::unique_ptr<ByteSink> sink(std::size_t spill);
  // Before its source is read, or another one begins.
  Status finish(std::size_t spill) { return store_.finish(spill); }
  // Refers to the store.
  std::unique_ptr<ByteSource> source(std::size_t spill, RunExtent extent) const;

  const SpillCounters& counters() const { return counters_; }

 private:
  class Sink;

  SpillStore& store_;
  SpillCounters counters_;
};

}  // namespace tracebed::kernels
