// Calls of another datanode in the recovery of a block (InterDatanodeProtocol over Hadoop RPC).
#pragma once

#include <optional>

#include "agents/datanode/service/datanode_peer.h"
#include "agents/datanode/transfer/transfer_environment.h"
#include "agents/datanode/transfer/transfer_input.h"
#include "core/storage_call.h"
#include "protocol/hdfs/rpc_client.h"

namespace tracebed {

struct InterDatanodeError {
  bool is_recovery_in_progress = false;  // another one, of a later stamp
  std::string message = {};
};
template <class T>
using InterDatanodeResult = Result<T, InterDatanodeError>;

class InterDatanodeClient {
 public:
  InterDatanodeClient(const TransferEnvironment& environment, DatanodePeer peer);

  // See replica_recovery_calls.h.
  InterDatanodeResult<std::optional<ReplicaInfo>> begin_recovery(const BlockName& block,
                                                                 std::uint64_t recovery_stamp);
  InterDatanodeResult<std::monostate> end_recovery(const BlockName& block,
                                                   std::uint64_t recovery_stamp,
                                                   std::uint64_t length);

  const DatanodePeer& peer() const { return peer_; }

 private:
  template <class Response>
  InterDatanodeResult<Response> call(std::string_view method,
                                     const google::protobuf::MessageLite& request);
  TransferStatus connect();
  pb::ExtendedBlock extended(const BlockName& block) const;

  const TransferEnvironment& environment_;
  DatanodePeer peer_;
  TransferSocket socket_;
  TransferInput input_;
  std::optional<TransferStatus> connected_;  // none: not tried yet
  hdfs::RpcCallKey key_;
};

}  // namespace tracebed
