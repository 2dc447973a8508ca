// The coordinator's side of the connections to its agents: a ZeroMQ ROUTER socket that never blocks
// on a peer and bounds the memory that a peer can take.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <vector>
#include <zmq.hpp>

#include "coordinator/real/key_guard.h"
#include "coordinator/real/replay_clock.h"
#include "system/connection_gate.h"

namespace tracebed {

// The user of a connection whose key was known when it was made, and is no longer.
inline constexpr const char* unknown_user = "*unknown";

// ZeroMQ's name for a connection; it changes when the peer connects again.
using PeerId = std::string;

// The coordinator's own keys, and those of the agents that may connect.
struct RouterKeys {
  KeyPair own;
  KnownKeys agents;
};

class RouterSocket {
 public:
  // Binds to an `ipc://` path or a `tcp://` address, whose port may be `*`. With keys, peers are
  // authenticated and messages encrypted; TCP requires keys, on loopback addresses too. Without
  // keys a UNIX socket admits only processes of its own user and root's. Throws InputError if the
  // endpoint is none of these, EnvironmentError if it cannot be bound.
  explicit RouterSocket(const std::string& endpoint, std::optional<RouterKeys> keys = std::nullopt);

  // The endpoint for peers, with the actual port.
  const std::string& endpoint() const { return endpoint_; }

  enum class Wait { message, deadline, signal, other };
  // Waits for a message until a moment, to the microsecond; a signal ends the wait early, and so
  // does one of `others` that is readable: descriptors, at most `others_max`.
  static constexpr std::size_t others_max = 3;
  Wait wait_until(WallMoment moment, std::span<const int> others = {});

  struct Received {
    PeerId peer;
    zmq::message_t payload;
    std::string user;       // the owner of the peer's key, now; empty if there are no keys
    bool is_single = true;  // false: a message of several parts; this is only the first
  };
  // The next message that has arrived; false if there is none.
  bool receive(Received& received);

  // Keeps a message for the socket's next user, after deliver_kept().
  void keep(Received&& received) { kept_.push_back(std::move(received)); }
  // Kept messages are received first, from now on.
  void deliver_kept();

  bool has_keys() const { return guard_.has_value(); }
  // If there are keys: replaces the agents that may connect from now on; admits one more peer,
  // under that name; removes it.
  void know(KnownKeys agents) { guard_->know(std::move(agents)); }
  void admit(const std::string& public_key, const std::string& name) {
    guard_->admit(public_key, name);
  }
  void forget(const std::string& public_key) { guard_->forget(public_key); }
  // The coordinator's own, if there are keys.
  const std::string& public_key() const { return public_key_; }
  // Of the connections over TCP; a peer has proven itself with its first message.
  GateFigures connections() const { return gate_ ? gate_->figures() : GateFigures{}; }
  // Peers that were refused, if there are keys, and the last of them: for their own key, or because
  // they did not know the coordinator's, spoke another protocol, or left before they had shown
  // theirs.
  std::uint64_t refused() const { return (guard_ ? guard_->refused() : 0) + failed_handshakes_; }
  std::string last_refused() const;

  // False if the peer is gone, or lags so far behind that its queue is full; the message is lost
  // then.
  [[nodiscard]] bool send(const PeerId& peer, std::span<const std::byte> payload);

 private:
  void look_after_connections();
  void count_failed_handshakes();

  zmq::context_t context_{1};
  std::optional<KeyGuard> guard_;
  zmq::socket_t socket_;
  std::optional<zmq::socket_t> events_;  // of its connections, if there are keys
  std::uint64_t failed_handshakes_ = 0;  // without those that the guard has refused
  std::string endpoint_;
  std::optional<ConnectionGate> gate_;  // over TCP
  WallMoment next_sweep_{};
  std::string public_key_;
  std::deque<Received> kept_;
  std::deque<Received> delivered_;
};

}  // namespace tracebed
