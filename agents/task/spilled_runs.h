// What a task of a kernel cannot sort at once (org.apache.hadoop.mapred.MapTask): sorted runs,
// which the shuffle server of its machine keeps, so that they pass the machine's disk. Hadoop's
// tasks write them to local directories themselves; containers here have no disk of their own.
//
// Runs are read back from another server process, too, if the first one ends. One that is being
// written then is lost, and fails the task.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "agents/task/own_shuffle_server.h"
#include "agents/task/stop_order.h"
#include "agents/task/work_spec.h"
#include "core/result.h"
#include "kernels/streams.h"
#include "protocol/shuffle/shuffle_token.h"
#include "shuffle_client/map_output_writer.h"
#include "shuffle_client/shuffle_fetcher.h"

namespace tracebed {

class SpilledRuns final : public kernels::SpillStore {
 public:
  // All outlive it. Nothing is connected to before the first run.
  SpilledRuns(const WorkSpec& spec, const shuffle::JobToken& token, StopOrder& stop);
  // Has the server delete them; if it does not answer within a second, they stay until the job
  // ends.
  ~SpilledRuns() override;
  SpilledRuns(const SpilledRuns&) = delete;
  SpilledRuns& operator=(const SpilledRuns&) = delete;

  // Waits for the server for up to shuffle_failing_max where a run begins.
  Status append(std::size_t run, kernels::Bytes bytes) override;
  Status finish(std::size_t run) override;
  // Waits for the server likewise.
  Status read(std::size_t run, std::uint64_t offset, std::span<std::byte> to) override;

  // Likewise, a part of any length, which is verified and not kept.
  Status skim(std::size_t run, std::uint64_t offset, std::uint64_t bytes);

  // Of all runs, each byte once.
  std::int64_t bytes() const { return bytes_; }
  const std::optional<Error>& failure() const { return failure_; }

 private:
  Status begin(std::size_t run);
  // `sink` is given the bytes from the part's begin on, again if the server has failed meanwhile.
  Status fetch(std::size_t run, std::uint64_t offset, std::uint64_t bytes,
               const std::function<void(std::uint64_t at, hdfs::Bytes bytes)>& sink);
  Status fail(const std::string& why);
  std::uint32_t job() const;
  std::uint32_t container() const { return static_cast<std::uint32_t>(spec_.container); }
  Status perform(const OwnShuffleServer::Step& step);

  const WorkSpec& spec_;
  const shuffle::JobToken& token_;
  OwnShuffleServer server_;
  std::size_t written_ = 0;                         // the run that was begun last
  std::optional<shuffle::MapOutputWriter> writer_;  // of that, unless it is finished
  std::int64_t bytes_ = 0;
  shuffle::ShuffleFetcher fetcher_;
  std::optional<Error> failure_;
};

}  // namespace tracebed
