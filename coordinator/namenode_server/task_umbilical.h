// Answers what tasks ask about each other's outputs (protocol/hdfs/task_umbilical.proto).
#pragma once

#include <optional>
#include <string>

#include "coordinator/namenode_server/namenode_methods.h"
#include "coordinator/real/map_output_directory.h"
#include "protocol/hdfs/rpc_reply.h"
#include "protocol/hdfs/rpc_server_reader.h"

namespace tracebed {

// Appends the reply, or returns why there is none. `address` is the caller's.
std::optional<hdfs::RpcError> answer_task(const MapOutputDirectory& outputs,
                                          const std::string& address, const hdfs::RpcCall& call,
                                          const RpcSink& sink);

}  // namespace tracebed
