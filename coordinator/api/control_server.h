// Serves the control service, on the loopback interface or at the configured address, to clients
// that have its token.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "Control.h"
#include "coordinator/thrift/thrift_server.h"

namespace tracebed {

class AuditLog;

inline constexpr std::uint16_t control_port_default = 7413;
// All texts of a submission together.
inline constexpr std::size_t submission_bytes_max = std::size_t{1} << 20;
// The longest frame either side takes: a submission and room for the rest.
inline constexpr int control_frame_bytes_max = (1 << 20) + (1 << 16);

struct ControlServerOptions {
  std::string address = "127.0.0.1";  // IPv4
  std::uint16_t port = 0;             // 0: a free one
  TokenList tokens;                   // every connection begins with one; none: none is required
  // The first call, with the right token if one is required, must arrive before the first timeout;
  // each further call before the second.
  std::chrono::milliseconds proof_timeout = std::chrono::seconds(10);
  std::chrono::milliseconds idle_max = std::chrono::minutes(2);
};

class ControlServer {
 public:
  // Listens at once and answers until destroyed. `service` outlives the server and is called by
  // several threads at once. Changes are written to `audit`, unless it is null. Throws
  // EnvironmentError if the port cannot be bound.
  ControlServer(control::ControlIf& service, const ControlServerOptions& options,
                AuditLog* audit = nullptr);

  // Replaces the tokens from now on; connections that sent a removed one must send another.
  void take_tokens(std::vector<NamedToken> tokens) { server_.take_tokens(std::move(tokens)); }

  std::uint16_t port() const { return server_.port(); }
  // Number of wrong tokens, and of calls without one.
  std::uint64_t refused() const { return server_.refused(); }
  GateFigures connections() const { return server_.connections(); }

 private:
  ThriftServer server_;
};

}  // namespace tracebed
