// What a task reads from HDFS: a part of a file that a run has preloaded, so that its blocks have
// generated content (core/block_content.h, or a kernel's data), and every byte that comes is
// verified. What executors of its job have in memory is taken from there (kept_input.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "agents/task/kept_input.h"
#include "agents/task/stop_order.h"
#include "agents/task/work_spec.h"
#include "core/read_bytes.h"
#include "core/result.h"
#include "kernels/dataset.h"
#include "kernels/input_split.h"

namespace tracebed {

class TaskInput {
 public:
  // Whether there is something to read.
  static bool is_part_of(const TaskWork& work);
  // Whether that takes a profile time: it is not in the memory of its own executor.
  static bool is_moved_by(const TaskWork& work);
  static std::uint64_t file_of(const TaskWork& work);
  // Its part of the file, be it read or taken from memory.
  static kernels::InputSplit split_of(const TaskWork& work);

  // Nothing is read, or connected to, before the first read_to(). All outlive it; `stop` is given a
  // descriptor. `token`: of its job; null for a task that does not shuffle. `data`, if any, is what
  // the file's bytes are. `behind` bytes, or as many as the file has, belong to what is read, too.
  TaskInput(const WorkSpec& spec, const shuffle::JobToken* token, StopOrder& stop,
            const kernels::Dataset* data = nullptr, std::size_t behind = 0);
  ~TaskInput();
  TaskInput(const TaskInput&) = delete;
  TaskInput& operator=(const TaskInput&) = delete;

  // Reads until this much of it has been read, or more by part of a packet; waits for datanodes.
  // False if it has failed. True, with less, if the task has been ordered to stop.
  bool read_to(std::int64_t bytes);
  // The next bytes, valid until the next call; empty at the end of its part or of the file, and
  // when the task has been ordered to stop. Fails as read_to() does.
  Result<std::span<const std::byte>> next();

  std::int64_t length() const { return length_; }
  std::int64_t position() const { return position_; }  // from the begin of its part of the file
  // Names file and block, and what became of each replica.
  const std::optional<Error>& failure() const { return failure_; }
  // From files.
  ReadBytes read() const;

 private:
  struct Client;

  // From where it is in its part.
  Status open_file();
  Result<std::span<const std::byte>> next_part();
  Result<std::span<const std::byte>> next_of_file();
  Status read_on(std::int64_t bytes);

  const WorkSpec& spec_;
  const shuffle::JobToken* token_;
  std::uint64_t file_id_;
  std::uint64_t offset_;
  std::int64_t length_;
  std::int64_t position_ = 0;
  StopOrder& stop_;
  const kernels::Dataset* data_;
  std::optional<Error> failure_;
  std::optional<KeptInput> taken_;   // none: the file is read
  std::optional<InputKeeper> kept_;  // of what the file has, from the part's begin on
  std::unique_ptr<Client> client_;   // null before the first read
};

}  // namespace tracebed
