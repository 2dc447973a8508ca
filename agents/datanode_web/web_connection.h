// A client's connection over WebHDFS to a datanode: one request after the other.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "agents/datanode/transfer/transfer_input.h"
#include "agents/datanode_web/request_body.h"
#include "hdfs_client/namenode_client.h"
#include "protocol/webhdfs/http_head.h"
#include "protocol/webhdfs/web_request.h"
#include "protocol/webhdfs/web_response.h"

namespace tracebed {

struct WebEnvironment {
  std::string address;  // of the datanode
  std::chrono::milliseconds timeout;
  std::optional<hdfs::Endpoint> namenode;
  int interrupt = -1;  // readable when the datanode ends
};

class DatanodeWebConnection {
 public:
  DatanodeWebConnection(const WebEnvironment& environment, TransferSocket& socket)
      : environment_(environment), socket_(socket), input_(socket) {}

  // Returns when the connection is of no more use.
  void run();

 private:
  enum class Next : std::uint8_t { request, close };

  Next serve_next();
  Next serve(const webhdfs::HttpHead& head);
  Next execute(const webhdfs::WebRequest& request, const webhdfs::HttpHead& head);
  // OPEN: the head with the length, then bytes as they come from datanodes.
  Next open_file(hdfs::NamenodeClient& namenode, const webhdfs::WebRequest& request, bool keeps);
  Next write_file(hdfs::NamenodeClient& namenode, const webhdfs::WebRequest& request,
                  const webhdfs::HttpHead& head);
  // After it the connection is closed if the request has a body, which nobody has read.
  Next answer(webhdfs::WebResponse answer, bool keeps);
  Next fail(const webhdfs::WebFailure& failure, bool keeps);

  const WebEnvironment& environment_;
  TransferSocket& socket_;
  TransferInput input_;
};

}  // namespace tracebed
