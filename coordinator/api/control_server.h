// Serves the control service on a loopback port.
#pragma once

#include <cstdint>
#include <memory>
#include <thread>

#include "Control.h"

namespace apache::thrift::server {
class TNonblockingServer;
}

namespace tracebed {

inline constexpr std::uint16_t control_port_default = 7413;
// The longest frame either side takes: an experiment of 1 MiB and room for the rest.
inline constexpr int control_frame_bytes_max = (1 << 20) + (1 << 16);

class ControlServer {
 public:
  // Listens on 127.0.0.1:`port` (0: a free one) and answers from a thread of its own until
  // destroyed. `service` outlives the server and is called by that thread only. Throws
  // EnvironmentError if the port cannot be had.
  ControlServer(control::ControlIf& service, std::uint16_t port);
  ~ControlServer();
  ControlServer(const ControlServer&) = delete;
  ControlServer& operator=(const ControlServer&) = delete;

  std::uint16_t port() const { return port_; }

 private:
  std::unique_ptr<apache::thrift::server::TNonblockingServer> server_;
  std::uint16_t port_ = 0;
  std::thread thread_;
};

}  // namespace tracebed
