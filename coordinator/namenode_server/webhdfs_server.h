// Serves WebHDFS of the namenode, from the run in progress: what concerns the namespace is answered
// here, and whoever reads or writes data is redirected to a datanode. Not by libevent's HTTP
// server, which hands over a request when it has read its body: writers would send theirs to the
// namenode.
#pragma once

#include <cstdint>
#include <memory>

#include "coordinator/namenode_server/server_options.h"
#include "coordinator/namenode_server/web_connection.h"

namespace tracebed {

class StorageGate;

class WebHdfsServer {
 public:
  // Answers from now on until destroyed. The gate outlives it. Throws EnvironmentError if the port
  // cannot be bound.
  WebHdfsServer(StorageGate& gate, const ClientServerOptions& options, NamenodeAddress namenode);
  ~WebHdfsServer();
  WebHdfsServer(const WebHdfsServer&) = delete;
  WebHdfsServer& operator=(const WebHdfsServer&) = delete;

  std::uint16_t port() const;
  StreamFigures figures() const;

 private:
  class Desk;
  std::unique_ptr<Desk> desk_;
};

}  // namespace tracebed
