// From a call of ClientProtocol to its reply: parses the request, and answers it at once or says
// what the run's namenode is to execute. Used by one thread.
#pragma once

#include <memory>
#include <string>
#include <variant>

#include "coordinator/namenode_server/hdfs_call_context.h"
#include "coordinator/namenode_server/namenode_changes.h"
#include "protocol/hdfs/namenode_method.h"
#include "protocol/hdfs/rpc_reply.h"
#include "protocol/hdfs/rpc_server_reader.h"

namespace tracebed {

// Replies are appended to `out`.
struct RpcSink {
  hdfs::RpcReplyWriter& writer;
  std::string& out;
};

class NamenodeMethods {
 public:
  NamenodeMethods();
  ~NamenodeMethods();

  struct Answered {};
  // `finish` appends the reply; not to be called with a failure.
  using Finish = void (*)(const HdfsCallContext& context, const hdfs::RpcCallKey& key,
                          const StorageReply& reply, const RpcSink& sink);
  struct Begun {
    Change change;
    Finish finish = nullptr;
  };
  using Outcome = std::variant<Answered, hdfs::RpcError, Begun>;

  Outcome begin(hdfs::NamenodeMethod method, const HdfsCallContext& context,
                const hdfs::RpcCall& call, const RpcSink& sink);

 private:
  struct Messages;

  template <class Request, class Response>
  Outcome answer(const HdfsCallContext& context, const hdfs::RpcCall& call, const RpcSink& sink);
  Outcome answer_safe_mode(const HdfsCallContext& context, const hdfs::RpcCall& call,
                           const RpcSink& sink);

  std::unique_ptr<Messages> messages_;
};

}  // namespace tracebed
