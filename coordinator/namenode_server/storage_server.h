// Serves the administrator's Thrift service to clients that have its token.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "coordinator/namenode_server/storage_service.h"
#include "coordinator/thrift/thrift_server.h"

namespace tracebed {

struct StorageServerOptions {
  std::string address = "127.0.0.1";  // IPv4
  std::uint16_t port = 0;             // 0: a free one
  TokenList tokens;                   // none: none is required, and the address is a loopback one
};

class StorageServer {
 public:
  // Answers from now on until destroyed. Gate and datanodes outlive it. Throws EnvironmentError if
  // the port cannot be bound.
  StorageServer(StorageGate& gate, DatanodeAdministration& datanodes,
                const StorageServerOptions& options);

  void take_tokens(std::vector<NamedToken> tokens) { server_.take_tokens(std::move(tokens)); }
  std::uint16_t port() const { return server_.port(); }
  std::uint64_t refused() const { return server_.refused(); }
  GateFigures connections() const { return server_.connections(); }

 private:
  StorageService service_;
  ThriftServer server_;
};

}  // namespace tracebed
