// All that serves HDFS clients and administrators from a run's namenode: Hadoop RPC, WebHDFS and
// the Thrift service. They may serve one run after another; what comes between two is answered with
// RetriableException.
#pragma once

#include "coordinator/namenode_server/namenode_rpc_server.h"
#include "coordinator/namenode_server/storage_server.h"
#include "coordinator/namenode_server/webhdfs_server.h"

namespace tracebed {

struct NamenodeServersOptions {
  // HDFS' own protocols know no tokens here: whoever reaches their ports may use them.
  ClientServerOptions rpc;
  ClientServerOptions web;
  // Without tokens its address must be a loopback one.
  StorageServerOptions administration;
};

class NamenodeServers {
 public:
  // Serve from now on until destroyed. Gate and datanodes outlive them; the gate's run is best
  // closed before, as calls of administrators wait for it. Throws EnvironmentError if a port cannot
  // be bound, InputError if administrators would need no token from elsewhere.
  NamenodeServers(StorageGate& gate, DatanodeAdministration& datanodes,
                  const NamenodeServersOptions& options);

  const NamenodeRpcServer& rpc() const { return rpc_; }
  const WebHdfsServer& web() const { return web_; }
  const StorageServer& administration() const { return administration_; }
  StorageServer& administration() { return administration_; }

 private:
  NamenodeRpcServer rpc_;
  WebHdfsServer web_;
  StorageServer administration_;
};

}  // namespace tracebed
