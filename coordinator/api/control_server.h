// Serves the control service: on the loopback interface, or wherever its door says, to those who
// have its token.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "Control.h"
#include "system/connection_gate.h"
#include "system/token_set.h"

struct event_base;

namespace apache::thrift::concurrency {
class ThreadManager;
}
namespace apache::thrift::server {
class TNonblockingServer;
}

namespace tracebed {

class AuditLog;
class ControlListener;

inline constexpr std::uint16_t control_port_default = 7413;
// All texts of a submission together.
inline constexpr std::size_t submission_bytes_max = std::size_t{1} << 20;
// The longest frame either side takes: a submission and room for the rest.
inline constexpr int control_frame_bytes_max = (1 << 20) + (1 << 16);

struct ControlServerOptions {
  std::string address = "127.0.0.1";  // IPv4
  std::uint16_t port = 0;             // 0: a free one
  TokenList tokens;  // one of which every connection begins with; none: none is wanted
  // The first call, and where there is a token the right one, has to come within the first figure;
  // the next one within the second.
  std::chrono::milliseconds proof_timeout = std::chrono::seconds(10);
  std::chrono::milliseconds idle_max = std::chrono::minutes(2);
};

class ControlServer {
 public:
  // Listens at once and answers until destroyed: one thread reads from all connections, others call
  // the service, so that a long call keeps nobody else waiting. `service` outlives the server and
  // is called by several threads at once. Changes are written to `audit`, unless it is null. Throws
  // EnvironmentError if the port cannot be had.
  ControlServer(control::ControlIf& service, const ControlServerOptions& door,
                AuditLog* audit = nullptr);
  ~ControlServer();
  ControlServer(const ControlServer&) = delete;
  ControlServer& operator=(const ControlServer&) = delete;

  // Other tokens from now on; connections that have said one that is gone have to say another.
  void take_tokens(std::vector<NamedToken> tokens) { tokens_.replace(std::move(tokens)); }

  std::uint16_t port() const { return port_; }
  // Tokens that were wrong, and calls without one.
  std::uint64_t refused() const { return refused_; }
  GateFigures connections() const;

 private:
  struct FreeEvents {
    void operator()(event_base* base) const;
  };

  TokenSet tokens_;
  std::atomic<std::uint64_t> refused_{0};
  std::unique_ptr<event_base, FreeEvents> events_;
  std::shared_ptr<ControlListener> listener_;  // shared with Thrift, as it wants it
  std::shared_ptr<apache::thrift::concurrency::ThreadManager> workers_;  // as Thrift wants it
  std::unique_ptr<apache::thrift::server::TNonblockingServer> server_;
  std::uint16_t port_ = 0;
  std::thread thread_;
};

}  // namespace tracebed
