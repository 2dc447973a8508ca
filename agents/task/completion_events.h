// Asks the coordinator which outputs of a job's earlier tasks are ready, and where they are
// (org.apache.hadoop.mapred.TaskUmbilicalProtocol.getMapCompletionEvents).
#pragma once

#include <cstdint>
#include <optional>

#include "agents/task/work_spec.h"
#include "core/result.h"
#include "hdfs_client/rpc_channel.h"
#include "task_umbilical.pb.h"

namespace tracebed {

class CompletionEvents {
 public:
  // `interrupt`: see hdfs::ConnectionOptions.
  CompletionEvents(const InputSource& source, int interrupt);

  // Of the stage that the work is of, from that event on. After a failure this is of no more use.
  Result<hdfs::pb::GetMapCompletionEventsResponse> from(const TaskWork& work, std::uint64_t event);

 private:
  std::optional<hdfs::RpcChannel> channel_;
};

}  // namespace tracebed
