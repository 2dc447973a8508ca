// Serves ClientProtocol over Hadoop RPC, version 9, from the run in progress. What changes nothing
// is answered by the server's own thread; what changes something is executed by the run, and
// answered when it has been, while later calls of the same connection may be answered before.
#pragma once

#include <cstdint>
#include <memory>

#include "coordinator/namenode_server/server_options.h"

namespace tracebed {

class StorageGate;

class NamenodeRpcServer {
 public:
  // Answers from now on until destroyed. The gate outlives it. Throws EnvironmentError if the port
  // cannot be bound.
  NamenodeRpcServer(StorageGate& gate, const ClientServerOptions& options);
  ~NamenodeRpcServer();
  NamenodeRpcServer(const NamenodeRpcServer&) = delete;
  NamenodeRpcServer& operator=(const NamenodeRpcServer&) = delete;

  std::uint16_t port() const;
  StreamFigures figures() const;

 private:
  class Desk;
  std::unique_ptr<Desk> desk_;
};

}  // namespace tracebed
