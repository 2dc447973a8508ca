// What a task of a profile spills (core/spills.h): to the shuffle server of its machine, as a
// kernel's task does (spilled_runs.h), first all of it, and then it reads it again: in few
// requests, since each of them begins with a seek of the disk.
#pragma once

#include <cstdint>
#include <optional>

#include "agents/task/spilled_runs.h"
#include "agents/task/stop_order.h"
#include "agents/task/work_spec.h"
#include "core/block_content.h"
#include "core/result.h"
#include "protocol/shuffle/shuffle_token.h"

namespace tracebed {

class TaskSpill {
 public:
  // For a task that spills something. All outlive it. Nothing is connected to before the first
  // move_to().
  TaskSpill(const WorkSpec& spec, const shuffle::JobToken& token, StopOrder& stop);

  // Written and read: twice what it spills.
  std::int64_t length() const { return 2 * spilled_; }
  std::int64_t position() const { return position_; }
  // Writes and reads until so much has been moved, less what is not yet a whole request. False if
  // it has failed. True, with less, if the task has been ordered to stop.
  bool move_to(std::int64_t bytes);

  // Of what it wrote, each byte once.
  std::int64_t bytes() const { return runs_.bytes(); }
  const std::optional<Error>& failure() const { return failure_; }

 private:
  static constexpr std::size_t run = 0;
  static constexpr std::int64_t requests_max = 8;
  // Up to `bytes` of the run.
  Status write(std::int64_t bytes);
  Status read(std::int64_t bytes);

  const std::int64_t spilled_;
  const BlockContent content_;
  StopOrder& stop_;
  SpilledRuns runs_;
  std::int64_t position_ = 0;
  std::optional<Error> failure_;
};

}  // namespace tracebed
