// Serves the control service: on the loopback interface, or wherever its door says, to those who
// have its token.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>

#include "Control.h"

namespace apache::thrift::server {
class TNonblockingServer;
}

namespace tracebed {

inline constexpr std::uint16_t control_port_default = 7413;
// All texts of a submission together.
inline constexpr std::size_t submission_bytes_max = std::size_t{1} << 20;
// The longest frame either side takes: a submission and room for the rest.
inline constexpr int control_frame_bytes_max = (1 << 20) + (1 << 16);

struct ControlDoor {
  std::string address = "127.0.0.1";  // IPv4
  std::uint16_t port = 0;             // 0: a free one
  std::string token;                  // that every connection begins with; empty: none is wanted
};

class ControlServer {
 public:
  // Listens at once and answers from a thread of its own until destroyed. `service` outlives the
  // server and is called by that thread only. Throws EnvironmentError if the port cannot be had.
  ControlServer(control::ControlIf& service, const ControlDoor& door);
  ~ControlServer();
  ControlServer(const ControlServer&) = delete;
  ControlServer& operator=(const ControlServer&) = delete;

  std::uint16_t port() const { return port_; }
  // Tokens that were wrong, and calls without one.
  std::uint64_t refused() const { return refused_; }

 private:
  std::atomic<std::uint64_t> refused_{0};
  std::unique_ptr<apache::thrift::server::TNonblockingServer> server_;
  std::uint16_t port_ = 0;
  std::thread thread_;
};

}  // namespace tracebed
