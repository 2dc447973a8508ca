// Input that the executors of a job keep in the memory of their machines' shuffle servers
// (agents/shuffle/kept_blocks.h): what a task takes of it instead of reading its file, and what it
// leaves there of what it has read. Neither makes a task fail: what cannot be taken is read from
// the file, and what cannot be kept is read again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "agents/task/stop_order.h"
#include "agents/task/work_spec.h"
#include "core/result.h"
#include "hdfs_client/rpc_channel.h"
#include "protocol/shuffle/shuffle_token.h"
#include "shuffle_client/kept_block_reader.h"
#include "shuffle_client/map_output_writer.h"

namespace tracebed {

class KeptInput {
 public:
  // For a task whose input executors have (takes_kept_input()). All outlive it.
  KeptInput(const WorkSpec& spec, const shuffle::JobToken& token, StopOrder& stop)
      : spec_(spec), token_(token), stop_(stop) {}

  // The next bytes of the block, valid until the next call; empty at its end; none, then and
  // later, if it is not there, or no longer.
  std::optional<std::span<const std::byte>> next();

 private:
  bool open();

  const WorkSpec& spec_;
  const shuffle::JobToken& token_;
  StopOrder& stop_;
  bool has_begun_ = false;
  std::optional<shuffle::KeptBlockReader> reader_;
};

class InputKeeper {
 public:
  // For a task whose executor keeps what it reads (keeps_input()). Begins at once.
  InputKeeper(const WorkSpec& spec, const shuffle::JobToken& token, StopOrder& stop);

  // The next bytes that were read.
  void add(std::span<const std::byte> bytes);
  // They were all. Without it nothing is kept.
  void close();

 private:
  std::optional<shuffle::MapOutputWriter> writer_;  // none: it keeps nothing
};

}  // namespace tracebed
