// Serves a Thrift service to clients that have its token: framed transport, binary protocol, on the
// loopback interface or at the configured address.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "coordinator/thrift/service_guard.h"
#include "system/connection_gate.h"
#include "system/token.h"

struct event_base;

namespace apache::thrift {
class TProcessor;
}
namespace apache::thrift::concurrency {
class ThreadManager;
}
namespace apache::thrift::server {
class TNonblockingServer;
}

namespace tracebed {

class ThriftListener;

struct ThriftServerOptions {
  std::string purpose;                // in messages: "the control service"
  std::string address = "127.0.0.1";  // IPv4
  std::uint16_t port = 0;             // 0: a free one
  TokenList tokens;                   // every connection begins with one; none: none is required
  int frame_bytes_max = 0;            // either side takes
  // The first call, with the right token if one is required, must arrive before the first timeout;
  // each further call before the second.
  std::chrono::milliseconds proof_timeout = std::chrono::seconds(10);
  std::chrono::milliseconds idle_max = std::chrono::minutes(2);
};

class ThriftServer {
 public:
  // Of a new connection: a GuardedProcessor with the server's guard.
  using MakeProcessor = std::function<std::shared_ptr<apache::thrift::TProcessor>(
      const ThriftClient& client, ServiceGuard& guard)>;

  // Listens at once and answers until destroyed: one thread reads from all connections, others call
  // the service, so that a long call delays no other client. Throws EnvironmentError if the port
  // cannot be bound.
  ThriftServer(const ThriftServerOptions& options, MakeProcessor make);
  ~ThriftServer();
  ThriftServer(const ThriftServer&) = delete;
  ThriftServer& operator=(const ThriftServer&) = delete;

  // Replaces the tokens from now on; connections that sent a removed one must send another.
  void take_tokens(std::vector<NamedToken> tokens) { guard_.replace_tokens(std::move(tokens)); }

  std::uint16_t port() const { return port_; }
  // Number of wrong tokens, and of calls without one.
  std::uint64_t refused() const { return guard_.refused(); }
  GateFigures connections() const;

 private:
  struct FreeEvents {
    void operator()(event_base* base) const;
  };

  ServiceGuard guard_;
  std::unique_ptr<event_base, FreeEvents> events_;
  std::shared_ptr<ThriftListener> listener_;  // shared with Thrift, which requires it
  std::shared_ptr<apache::thrift::concurrency::ThreadManager> workers_;  // a shared_ptr for Thrift
  std::unique_ptr<apache::thrift::server::TNonblockingServer> server_;
  std::uint16_t port_ = 0;
  std::thread thread_;
};

}  // namespace tracebed
