// What a task of a kernel's job reads of what tasks before it keep: a reduce its partition of each
// map's output, which it merges; a map of a later iteration the whole part of each reduce before
// it. It reads from the shuffle servers of their machines as it needs it, so that it needs no room
// for it. An output is the same whenever it is made again, so reading continues at the same byte of
// another one.
//
// An output begins with its index (kernels/map_output_index.h).
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "agents/task/completion_events.h"
#include "agents/task/stop_order.h"
#include "agents/task/work_spec.h"
#include "core/read_bytes.h"
#include "core/result.h"
#include "hdfs_client/connection.h"
#include "kernels/merge.h"
#include "protocol/shuffle/shuffle_token.h"
#include "shuffle_client/shuffle_fetcher.h"

namespace tracebed {

class FetchedRuns {
 public:
  // All outlive it. Nothing is connected to before open().
  FetchedRuns(const WorkSpec& spec, const shuffle::JobToken& token, StopOrder& stop);

  // The partition's run of each output, all of which have as many partitions; they refer to this.
  // Waits until all outputs are done. Fails, as reading them does, if a server does not answer for
  // shuffle_failing_max, and if the task is ordered to stop.
  Result<kernels::Merge::Sources> open(std::uint32_t partition, std::int64_t partitions);

  const std::optional<Error>& failure() const { return failure_; }
  // Indexes included.
  ReadBytes fetched() const { return fetched_; }

 private:
  class Run;
  struct Server {
    hdfs::Endpoint endpoint;
    std::int64_t ReadBytes::*distance = nullptr;
    shuffle::ShuffleFetcher fetcher;
  };
  struct Location {
    std::size_t server = 0;
    std::uint32_t container = 0;
    std::uint64_t offset = 0;  // of the output in what the container keeps
  };

  // All of `to`, from that byte of the output of that source on.
  Status read(std::uint32_t source, std::uint64_t offset, std::span<std::byte> to);
  // Where its output is; null: it is not known yet, or the task is to stop.
  const Location* find(std::uint32_t source);
  Status ask();
  std::size_t server_of(const hdfs::Endpoint& endpoint, const std::string& rack);
  Status fail(const std::string& why);

  const WorkSpec& spec_;
  const shuffle::JobToken& token_;
  StopOrder& stop_;
  const int interrupt_;
  std::vector<Server> servers_;
  std::map<std::uint32_t, Location> locations_;  // by source
  std::unique_ptr<CompletionEvents> events_;     // none before the first question
  std::uint64_t next_event_ = 0;
  ReadBytes fetched_;
  std::optional<Error> failure_;
};

}  // namespace tracebed
