// A client's connection to the namenode over Hadoop RPC: who it is, and its calls. Calls that
// arrived together are answered under one lock of the gate.
#pragma once

#include <optional>
#include <string>

#include "coordinator/namenode_server/hdfs_call_context.h"
#include "coordinator/namenode_server/namenode_methods.h"
#include "coordinator/real/storage_gate.h"
#include "daemon/stream_connection.h"
#include "protocol/hdfs/rpc_server_reader.h"

namespace tracebed {

// A change on its way to the run.
struct RpcChange {
  std::uint64_t connection = 0;
  HdfsCaller caller;
  hdfs::RpcCallKey key;
  std::string pool;  // of the run that it was meant for
  NamenodeMethods::Finish finish = nullptr;
};

// What the connections of a server share; of its thread.
class RpcDesk {
 public:
  virtual ~RpcDesk() = default;
  virtual void submit(RpcChange change, StorageCall call) = 0;

  explicit RpcDesk(StorageGate& run) : gate(run) {}
  StorageGate& gate;
  DatanodeIds ids;
  NamenodeMethods methods;
  hdfs::RpcReplyWriter writer;
};

class RpcConnection final : public StreamProtocol {
 public:
  RpcConnection(RpcDesk& desk, StreamConnection& stream);
  std::size_t take(std::span<const std::byte> unread) override;

 private:
  using Input = hdfs::Parsed<hdfs::RpcInput>;

  std::optional<Input> next(std::span<const std::byte> unread);
  void meet(const hdfs::RpcConnectionContext& context);
  void refuse(const hdfs::RpcCallKey& key, const hdfs::RpcError& error);
  // From the first call on, as long as the next input is a call; returns the input after these.
  std::optional<Input> answer_calls(const Input& first, std::span<const std::byte> unread,
                                    std::size_t& taken);
  std::optional<Input> answer_now(const StorageGate::View& view, const Input& first,
                                  std::span<const std::byte> unread, std::size_t& taken);
  void answer(const HdfsCallContext& context, const hdfs::RpcCall& call);

  RpcDesk& desk_;
  StreamConnection& stream_;
  HdfsCaller caller_;
  hdfs::RpcServerReader reader_;
};

}  // namespace tracebed
