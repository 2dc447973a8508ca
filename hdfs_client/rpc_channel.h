// Calls of one protocol of Hadoop RPC to one server, over one connection at a time, each answered
// before the next. A call that finds no server, or whose answer does not come, is made again with
// the same id, so that a server with a retry cache does not execute it twice
// (org.apache.hadoop.io.retry.RetryInvocationHandler). All functions belong to one thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/random.h"
#include "hdfs_client/connection.h"
#include "hdfs_client/receive_buffer.h"
#include "protocol/hdfs/rpc_call_key.h"

namespace google::protobuf {
class MessageLite;
}

namespace tracebed::hdfs {

// Before attempt n + 1: `first` × 2^n, at most `most`, times a random factor from 0.5 to 1.5, so
// that clients whose server went away do not return to it all at once.
struct BackOff {
  std::chrono::milliseconds first{100};
  std::chrono::milliseconds most{5'000};

  std::chrono::milliseconds before(unsigned attempt, Random& random) const;
};

struct RpcOptions {
  ConnectionOptions connection;  // its read timeout is that of an answer
  std::string user = {};         // effective user
  std::size_t reply_bytes_max = std::size_t{64} << 20;
  unsigned attempts_max = 6;  // of each call, the first one included
  BackOff back_off;
};

class RpcChannel {
 public:
  RpcChannel(Endpoint server, std::string protocol, RpcOptions options);

  // The response, which views the channel's buffer until the next call. Exceptions of the server
  // are of the kind `remote`, with their class.
  ClientResult<Bytes> call(std::string_view method, const google::protobuf::MessageLite& request);

  const Endpoint& server() const { return server_; }
  const RpcOptions& options() const { return options_; }
  Random& random() { return random_; }

 private:
  ClientResult<Bytes> call_once(const std::string& bytes, const RpcCallKey& key);
  ClientStatus connect();
  bool has_idle_connection();

  Endpoint server_;
  std::string protocol_;
  RpcOptions options_;
  Random random_;
  RpcClientId client_id_;
  std::int32_t next_call_id_ = 0;
  std::optional<Connection> connection_;
  ReceiveBuffer received_;
  std::size_t answered_bytes_ = 0;  // of the last reply, which is viewed until the next call
};

}  // namespace tracebed::hdfs
