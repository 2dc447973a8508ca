// Memory that a task maps, and every page of it written.
#pragma once

#include <cstddef>
#include <cstdint>

#include "agents/task/stop_order.h"

namespace tracebed {

// Written in steps of 2 MiB, each by one call where the kernel has it (MADV_POPULATE_WRITE, Linux
// 5.14) and of one huge page where it gives one: a page fault for each 4 KiB costs ten to fifty
// times the CPU time, in a virtual machine most of all.
class TouchedMemory {
 public:
  // Maps it.
  explicit TouchedMemory(std::size_t bytes);
  ~TouchedMemory();
  TouchedMemory(const TouchedMemory&) = delete;
  TouchedMemory& operator=(const TouchedMemory&) = delete;

  // Why it cannot be mapped (errno), or 0.
  int error() const { return error_; }
  // Writes to every page; less of them if the stop order is given. Other threads may visit() it
  // meanwhile.
  void touch(const StopOrder& stop) const;
  // One byte of the `step`-th page, round and round.
  std::uint64_t visit(std::uint64_t step) const;

 private:
  void touch(std::size_t begin, std::size_t end) const;

  std::size_t bytes_;
  std::size_t page_bytes_;
  char* start_ = nullptr;
  int error_ = 0;
};

// Address space that nothing is kept in.
class ReservedSpace {
 public:
  explicit ReservedSpace(std::size_t bytes);
  ~ReservedSpace();
  ReservedSpace(const ReservedSpace&) = delete;
  ReservedSpace& operator=(const ReservedSpace&) = delete;

  int error() const { return error_; }

 private:
  std::size_t bytes_;
  void* start_ = nullptr;
  int error_ = 0;
};

}  // namespace tracebed
