// Serves many clients over TCP from one thread: accepts, receives and sends for a protocol, within
// bounds that no client can exceed. Requests may come before the replies to earlier ones.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "daemon/stream_connection.h"
#include "system/connection_gate.h"

namespace tracebed {

struct StreamServerOptions {
  std::string purpose;                // in messages: "WebHDFS"
  std::string address = "127.0.0.1";  // IPv4
  std::uint16_t port = 0;             // 0: a free one
  GateLimits connections;
  StreamLimits streams;
};

struct StreamFigures {
  GateFigures connections;
  std::uint64_t too_slow = 0;  // cut for that
};

class StreamServer {
 public:
  // Of a new connection, which outlives its protocol.
  using MakeProtocol = std::function<std::unique_ptr<StreamProtocol>(StreamConnection&)>;

  // Listens at once. Throws EnvironmentError if the port cannot be bound.
  StreamServer(const StreamServerOptions& options, MakeProtocol make);
  // Ends the thread, and closes all connections.
  ~StreamServer();
  StreamServer(const StreamServer&) = delete;
  StreamServer& operator=(const StreamServer&) = delete;

  // Before start(): the server's thread calls `react` whenever the descriptor is readable.
  void watch(int descriptor, std::function<void()> react);
  // Accepts from now on, by a thread of its own, which is the only one that calls protocols.
  void start();
  // Ends the thread: nothing is called from now on.
  void stop();

  // ---- for the server's thread ----
  // Null if it has been closed.
  StreamConnection* find(std::uint64_t number);
  // Replies that were awaited have been appended to what is to be sent: they are sent, and further
  // requests taken.
  void reply(StreamConnection& connection, std::size_t replies);

  // ---- for any thread ----
  std::uint16_t port() const;
  StreamFigures figures() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace tracebed
