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

// How far the connection has got, as ZeroMQ's monitor tells (zmq_socket_monitor(3)).
enum class LinkState : std::uint8_t {
  unreachable,       // nobody takes the connection, or not yet
  handshake_failed,  // it is taken, and broken off before the two sides know each other
  connected,
};

class CoordinatorSocket {
 public:
  // Connects to `endpoint` (tcp://ADDRESS:PORT or ipc://PATH), over TCP from `source_address` if
  // that is not empty. A coordinator that does not listen yet is waited for in the background.
  // Throws InputError if ZeroMQ does not take the endpoint.
  // With keys the coordinator has to prove that it is the one whose key it is, and everything is
  // encrypted.
  CoordinatorSocket(const std::string& endpoint, const std::string& source_address,
                    const std::optional<LinkKeys>& keys = std::nullopt);

  zmq::socket_ref socket() { return socket_; }

  // As of the last receive().
  LinkState state() const { return state_; }

  // False if the queue to the coordinator is full: the message is lost.
  [[nodiscard]] bool send(std::span<const std::byte> payload);

  enum class Received { message, nothing, malformed };
  // The next message; malformed are those of several parts, of which all are taken.
  Received receive(zmq::message_t& payload);

  // Gives what was sent last a moment to leave, unless that is pointless, then closes.
  enum class Unsent { sent, dropped };
  void close(Unsent unsent);

 private:
  void take_events();

  zmq::context_t context_;
  zmq::socket_t socket_;
  zmq::socket_t events_;  // to be read, since ZeroMQ's own thread waits for whoever does not
  LinkState state_ = LinkState::unreachable;
  bool is_open_ = false;  // the connection; what the two sides know of each other is another thing
};

}  // namespace tracebed::agent
