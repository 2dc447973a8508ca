// What a task reads from HDFS: a part of a file that a run has preloaded, so that its blocks have
// generated content (core/block_content.h), and every byte that comes is verified.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "agents/task/stop_order.h"
#include "agents/task/work_spec.h"
#include "core/read_bytes.h"
#include "core/result.h"

namespace tracebed {

class TaskInput {
 public:
  // Whether there is something to read.
  static bool is_part_of(const TaskWork& work);

  // Nothing is read, or connected to, before the first read_to(). `stop`, to which a descriptor is
  // given, outlives it.
  TaskInput(const InputSource& source, const TaskWork& work, StopOrder& stop);
  ~TaskInput();
  TaskInput(const TaskInput&) = delete;
  TaskInput& operator=(const TaskInput&) = delete;

  // Reads until this much of it has been read, or more by part of a packet; waits for datanodes.
  // False if it has failed. True, with less, if the task has been ordered to stop.
  bool read_to(std::int64_t bytes);

  std::int64_t length() const { return length_; }
  std::int64_t position() const { return position_; }  // from the begin of its part of the file
  // Names file and block, and what became of each replica.
  const std::optional<Error>& failure() const { return failure_; }
  ReadBytes read() const;

 private:
  struct Client;

  Status open();
  Status read_on(std::int64_t bytes);

  const InputSource& source_;
  std::uint64_t file_id_;
  std::uint64_t offset_;
  std::int64_t length_;
  std::int64_t position_ = 0;
  StopOrder& stop_;
  std::optional<Error> failure_;
  std::unique_ptr<Client> client_;  // null before the first read
};

}  // namespace tracebed
