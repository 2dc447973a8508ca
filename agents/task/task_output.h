// What a task writes to HDFS: bytes of its part of its job's output, to a file of its own
// (core/output_files.h), through a pipeline of datanodes. Each byte is a function of its place in
// the output, so that whoever reads it can verify it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "agents/task/stop_order.h"
#include "agents/task/work_spec.h"
#include "core/result.h"

namespace tracebed {

class TaskOutput {
 public:
  // For a task that writes (writes_output()). Nothing is created, or connected to, before the first
  // byte is written. All outlive it.
  TaskOutput(const InputSource& source, const TaskWork& work, std::uint32_t container,
             StopOrder& stop);
  ~TaskOutput();
  TaskOutput(const TaskOutput&) = delete;
  TaskOutput& operator=(const TaskOutput&) = delete;

  // Writes until this much of it has been written; waits for datanodes, and while the namenode is
  // in safe mode. False if it has failed. True, with less, if the task was ordered to stop before
  // the file was there. To be called now and then even if nothing is to be written, for the file to
  // stay open.
  bool write_to(std::int64_t bytes);
  // The next bytes, whatever they are, instead of write_to(). The file is there afterwards even if
  // there are none of them. Returns as write_to() does.
  bool write(std::span<const std::byte> bytes);
  // All that was written is a file that readers see, also after an order to stop. False if it has
  // failed. Nothing follows.
  bool close();

  std::int64_t length() const;
  std::int64_t position() const { return position_; }
  // Names the file.
  const std::optional<Error>& failure() const { return failure_; }

 private:
  struct Client;

  bool kept(const Status& status);
  Status open();
  Status write_on(std::int64_t bytes);
  Status write_next(std::span<const std::byte> bytes);
  Status stay_alive();

  const InputSource& source_;
  const TaskWork& work_;
  std::uint32_t container_;
  std::int64_t position_ = 0;
  StopOrder& stop_;
  std::optional<Error> failure_;
  std::unique_ptr<Client> client_;  // null before the first byte
};

}  // namespace tracebed
