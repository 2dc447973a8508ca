// The coordinator's side of the connections to its agents: a ZeroMQ ROUTER socket that never blocks
// on a peer and does not let one fill its memory.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>
#include <zmq.hpp>

#include "coordinator/real/replay_clock.h"

namespace tracebed {

// ZeroMQ's name for a connection; it changes when the peer connects again.
using PeerId = std::string;

class RouterSocket {
 public:
  // Binds to an `ipc://` path or a loopback `tcp://` address, whose port may be `*`. Throws
  // InputError if the endpoint is neither, EnvironmentError if it cannot be bound.
  explicit RouterSocket(const std::string& endpoint);

  // What peers connect to: the endpoint with the port that was given.
  const std::string& endpoint() const { return endpoint_; }

  enum class Wait { message, deadline, signal };
  // Waits for a message until a moment, to the microsecond; a signal ends the wait early.
  Wait wait_until(WallMoment moment);

  struct Received {
    PeerId peer;
    zmq::message_t payload;
    bool is_single = true;  // false: a message of several parts, of which only the first is here
  };
  // The next message that is there; false if there is none.
  bool receive(Received& received);

  // False if the peer is gone, or so far behind that its queue is full; the message is lost then.
  [[nodiscard]] bool send(const PeerId& peer, std::span<const std::byte> payload);

 private:
  zmq::context_t context_{1};
  zmq::socket_t socket_;
  std::string endpoint_;
};

}  // namespace tracebed
