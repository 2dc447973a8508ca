// A client's connection to the namenode over WebHDFS: one request after the other. Bodies are not
// read: what has one is served by a datanode, or needs none.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "coordinator/namenode_server/hdfs_call_context.h"
#include "coordinator/real/storage_gate.h"
#include "daemon/stream_connection.h"
#include "protocol/webhdfs/http_head.h"
#include "protocol/webhdfs/web_request.h"
#include "protocol/webhdfs/web_response.h"

namespace tracebed {

// Address of the namenode's RPC server, passed to datanodes in redirects.
struct NamenodeAddress {
  std::string address;  // 0.0.0.0: where the client has reached this server
  std::uint16_t port = 0;
};

// A change on its way to the run.
struct WebChange {
  std::uint64_t connection = 0;
  bool closes_connection = false;
};

// What the connections of a server share; of its thread.
class WebDesk {
 public:
  WebDesk(StorageGate& run, NamenodeAddress rpc) : gate(run), namenode(std::move(rpc)) {}
  virtual ~WebDesk() = default;
  virtual void submit(const WebChange& change, StorageCall call) = 0;

  StorageGate& gate;
  const NamenodeAddress namenode;
  DatanodeIds ids;
};

class WebConnection final : public StreamProtocol {
 public:
  WebConnection(WebDesk& desk, StreamConnection& stream) : desk_(desk), stream_(stream) {}
  std::size_t take(std::span<const std::byte> unread) override;

  static void write(StreamConnection& stream, webhdfs::WebResponse answer, bool closes_connection);

 private:
  void answer(const webhdfs::HttpHead& head);
  void execute(const HdfsCallContext& context, const webhdfs::WebRequest& request,
               const webhdfs::HttpHead& head);
  webhdfs::WebResponse redirect(const HdfsCallContext& context, const webhdfs::WebRequest& request,
                                std::string_view target) const;
  std::string namenode_address() const;
  void submit(const HdfsCallContext& context, const webhdfs::WebRequest& request, bool closes);

  WebDesk& desk_;
  StreamConnection& stream_;
};

}  // namespace tracebed
