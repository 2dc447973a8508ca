// Where kernels' bytes come from and go to. The caller implements these over files, sockets or
// memory; a failure that one of them returns ends the task with that error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "core/result.h"
#include "kernels/bytes.h"

namespace tracebed::kernels {

class ByteSink {
 public:
  virtual ~ByteSink() = default;
  virtual Status write(Bytes bytes) = 0;
};

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  // For messages: "map output 3".
  virtual std::string name() const = 0;
  // The next bytes, at least one of them and at most `to`, which is not empty; 0 at the end.
  virtual Result<std::size_t> read(std::span<std::byte> to) = 0;
};

// Sorted runs that do not fit in memory, by numbers that the task gives them, from 0 on. The store
// is the task's alone, and is of no more use once the task has ended.
class SpillStore {
 public:
  virtual ~SpillStore() = default;
  // The first bytes of a run begin it; no other one is appended to until it is finished.
  virtual Status append(std::size_t run, Bytes bytes) = 0;
  // No more is appended to the run, which may be empty. From now on it can be read.
  virtual Status finish(std::size_t run) = 0;
  // All bytes of `to`, which were appended.
  virtual Status read(std::size_t run, std::uint64_t offset, std::span<std::byte> to) = 0;
};

}  // namespace tracebed::kernels
