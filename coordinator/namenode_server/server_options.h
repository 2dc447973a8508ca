// Where the namenode's servers listen, and what their clients may take.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include "daemon/stream_server.h"

namespace tracebed {

struct ClientServerOptions {
  std::string address = "127.0.0.1";  // IPv4
  std::uint16_t port = 0;             // 0: a free one
  std::size_t connections_max = 4'096;
  std::size_t connections_per_peer_max = 1'024;  // loopback addresses have no such limit
  // A whole request, or what a client is to take of its replies, must arrive within this.
  std::chrono::milliseconds request_timeout = std::chrono::seconds(30);
  // Without a request for so long, a connection is closed.
  std::chrono::milliseconds idle_max = std::chrono::minutes(10);
};

StreamServerOptions stream_options(const ClientServerOptions& options, std::string purpose);

}  // namespace tracebed
