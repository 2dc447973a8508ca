// An agent's or a master's side of the connection to the coordinator: a ZeroMQ DEALER socket with
// bounded queues.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <zmq.hpp>

#include "system/key_file.h"

namespace tracebed::agent {

// The progress of the connection, as ZeroMQ's monitor reports it (zmq_socket_monitor(3)).
enum class LinkState : std::uint8_t {
  unreachable,       // the connection is not accepted, or not yet
  handshake_failed,  // it is accepted, and closed before the handshake is complete
  connected,
};

// Throws InputError if `endpoint` begins as tcp://ADDRESS:PORT and is none: ZeroMQ itself waits for
// ever for a port that cannot be.
void check_endpoint(const std::string& endpoint);

class CoordinatorSocket {
 public:
  // Connects to `endpoint` (tcp://ADDRESS:PORT or ipc://PATH), over TCP from `source_address` if
  // that is not empty. If the coordinator does not listen yet, it is retried in the background.
  // Throws InputError if ZeroMQ rejects the endpoint. With keys the coordinator must prove that it
  // has the given key, and everything is encrypted.
  CoordinatorSocket(const std::string& endpoint, const std::string& source_address,
                    const std::optional<LinkKeys>& keys = std::nullopt);

  zmq::socket_ref socket() { return socket_; }

  // As of the last receive().
  LinkState state() const { return state_; }

  // False if the queue to the coordinator is full: the message is lost.
  [[nodiscard]] bool send(std::span<const std::byte> payload);

  enum class Received { message, nothing, malformed };
  // The next message. A message of several parts is malformed; all its parts are taken.
  Received receive(zmq::message_t& payload);

  // Waits a moment for the last message to be sent, unless that is pointless, then closes.
  enum class Unsent { sent, dropped };
  void close(Unsent unsent);

 private:
  void take_events();

  zmq::context_t context_;
  zmq::socket_t socket_;
  zmq::socket_t events_;  // must be read, since ZeroMQ's own thread waits for a reader that lags
  LinkState state_ = LinkState::unreachable;
  bool is_open_ = false;  // the connection; the handshake is a separate matter
};

}  // namespace tracebed::agent
