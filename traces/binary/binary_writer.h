// Writes Tracebed's own binary trace (traces/binary/file_format.h). The file appears under its name
// only when it is whole.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "core/machines.h"
#include "protocol/trace_codec.h"
#include "traces/binary/file_format.h"
#include "traces/parts/trace_writer.h"

namespace tracebed {

class BinaryTraceWriter {
 public:
  // `names` are those of the jobs, and outlive the writer. Throws InputError for a path that ends
  // in ".gz", since the file is read as memory, and EnvironmentError if it cannot be made.
  BinaryTraceWriter(const std::string& path, const TraceOrigin& origin, const Names& names);

  // Before the first job, once.
  void set_machines(std::span<const Machine> machines, std::span<const MachineChange> changes);
  // In the order of their submit times. Throws InputError for a job that is too large.
  void add(const Job& job);
  void finish();

  std::uint64_t bytes() const { return file_.bytes(); }
  std::uint64_t jobs() const { return jobs_; }
  std::uint64_t tasks() const { return tasks_; }

 private:
  void write_chunk(binary::ChunkKind kind, std::span<const std::byte> payload);
  void write_jobs();

  TraceWriter file_;
  JobChunkEncoder encoder_;
  std::uint32_t chunks_ = 0;
  std::uint64_t jobs_ = 0;
  std::uint64_t tasks_ = 0;
};

}  // namespace tracebed
