// What answering a client's call needs, whatever the protocol: the namenode as it is now, and who
// asks.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "coordinator/namenode_server/datanode_ids.h"
#include "coordinator/real/storage_gate.h"
#include "coordinator/storage/block_locations.h"
#include "core/storage_call.h"
#include "core/storage_failure.h"
#include "protocol/hdfs/rpc_reply.h"

namespace tracebed {

// Of a connection. There is no authentication: a client's word is taken for its user's name.
struct HdfsCaller {
  std::string user;
  std::string address;  // IPv4
  std::uint64_t connection = 0;
};

struct HdfsCallContext {
  HdfsCallContext(const StorageGate::View& now, DatanodeIds& names, const HdfsCaller& who)
      : view(now),
        ids(names),
        caller(who),
        reader{now.datanodes.at_address(who.address).value_or(NodeId()), {}} {
    if (!reader.node.is_valid()) reader.client = who.connection;
  }

  const StorageGate::View& view;
  DatanodeIds& ids;
  const HdfsCaller& caller;
  Reader reader;  // the caller, by its address
};

// An exception of Hadoop's.
using HdfsStatus = Result<std::monostate, hdfs::RpcError>;
inline HdfsStatus hdfs_success() {
  return HdfsStatus(std::monostate{});
}
inline hdfs::RpcError hdfs_failure(std::string_view exception_class, std::string message) {
  return {hdfs::RpcErrorCode::application, std::string(exception_class), std::move(message)};
}
inline hdfs::RpcError hdfs_failure(const StorageFailure& failure) {
  return hdfs_failure(exception_class(failure.kind), failure.message);
}

// To calls that come when no run with storage is in progress, or whose run has ended.
inline hdfs::RpcError no_run_failure() {
  return hdfs_failure(exception_class(StorageFailureKind::retriable),
                      "no run with storage is in progress");
}
inline constexpr std::string_view hadoop_illegal_argument_class =
    exception_class(StorageFailureKind::hadoop_illegal_argument);
inline constexpr std::string_view unsupported_operation_class =
    "java.lang.UnsupportedOperationException";
inline constexpr std::string_view authorization_class =
    "org.apache.hadoop.security.authorize.AuthorizationException";

}  // namespace tracebed
