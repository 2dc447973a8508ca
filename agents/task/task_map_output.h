// What a task keeps for tasks of later stages (core/shuffle.h): it sends it to the shuffle server
// of its machine.
#pragma once

#include <cstdint>
#include <optional>

#include "agents/task/own_shuffle_server.h"
#include "agents/task/stop_order.h"
#include "agents/task/work_spec.h"
#include "core/result.h"
#include "core/shuffle_work.h"
#include "protocol/shuffle/shuffle_token.h"
#include "shuffle_client/map_output_writer.h"

namespace tracebed {

class TaskMapOutput {
 public:
  // Nothing is connected to before the first write_to(). All outlive this.
  TaskMapOutput(const WorkSpec& spec, const shuffle::JobToken& token, StopOrder& stop);
  TaskMapOutput(const TaskMapOutput&) = delete;
  TaskMapOutput& operator=(const TaskMapOutput&) = delete;

  // Writes until the output has `bytes` bytes; waits for the server. If the server ends, everything
  // is written again to the next one, from the first byte. False if the output has failed; true,
  // with fewer bytes, if the task has been ordered to stop.
  bool write_to(std::int64_t bytes);
  // Writes these bytes instead, whatever they are, and commits. Returns as close() does.
  bool put(std::span<const std::byte> bytes);
  // Writes what is missing, and commits. Returns as write_to() does; is_closed() tells whether the
  // output can be fetched.
  bool close();

  std::int64_t length() const { return kept_for_others(spec_.work); }
  // Bytes that the server at present has been sent.
  std::int64_t position() const { return sent_; }
  bool is_closed() const { return is_closed_; }
  const std::optional<Error>& failure() const { return failure_; }

 private:
  shuffle::ClientStatus open(const hdfs::Endpoint& server);
  shuffle::ClientStatus write_on(const hdfs::Endpoint& server, std::int64_t bytes);
  // Takes the step, if it failed before with a writer of its own. Returns as write_to() does.
  bool perform(const OwnShuffleServer::Step& step);

  const WorkSpec& spec_;
  const shuffle::JobToken& token_;
  OwnShuffleServer server_;
  std::int64_t sent_ = 0;
  bool is_closed_ = false;
  std::optional<Error> failure_;
  std::optional<shuffle::MapOutputWriter> writer_;
};

}  // namespace tracebed
