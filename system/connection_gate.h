// Bounds the connections that listening sockets of this process accept, so that no peer can take
// the descriptors that everything else needs.
//
// ZeroMQ, Thrift and libevent accept connections by themselves, and none of them offers a hook
// between accept(2) and what they do then: ZeroMQ's monitor reports afterwards, from a queue of up
// to a thousand events. So connection_gate.cpp defines accept() and accept4(), which those
// libraries call instead of the C library's: for a guarded port the gate decides, for every other
// socket the system call is made as it is.
//
// A connection is *unproven* until its owner reports that the peer has authenticated itself. If
// there is no room, the unproven connection that has waited longest is closed; if there is none,
// the proven one that has been idle for longest, if idle ones are cut at all.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <sys/socket.h>

namespace tracebed {

struct GateLimits {
  // At any time. One more waits until room is made, and is closed at once if none can be.
  std::size_t connections_max = 0;
  std::size_t per_peer_max = 0;  // of these, from one address; loopback addresses have no limit
  std::size_t unproven_max = 0;  // of these, from one address; the oldest one makes room
  // An unproven connection is cut when it is this old; a proven one when its owner has not reported
  // activity on it for `idle_max`. Zero: it is not.
  std::chrono::milliseconds proof_timeout{0};
  std::chrono::milliseconds idle_max{0};
};

struct GateFigures {
  std::size_t connections = 0;
  std::uint64_t accepted = 0;
  std::uint64_t refused = 0;  // closed at once, for lack of room or descriptors
  std::uint64_t cut = 0;      // closed for room, not proven in time, or idle for too long
};

class ConnectionGate {
 public:
  using Clock = std::chrono::steady_clock;

  // Guards the IPv4 port that `listener`, a socket of this process, is bound to, from now on. Any
  // thread may call the functions below.
  ConnectionGate(int listener, GateLimits limits);
  // As above, for a listener whose socket is not known. A port is guarded by one gate at a time.
  ConnectionGate(std::uint16_t port, GateLimits limits);
  ~ConnectionGate();
  ConnectionGate(const ConnectionGate&) = delete;
  ConnectionGate& operator=(const ConnectionGate&) = delete;

  // What the peer of a connection asked for is being done, for as long as this lives: meanwhile the
  // connection is not idle, and is not cut. The gate outlives it.
  class Activity {
   public:
    Activity(ConnectionGate& gate, int connection);
    ~Activity();
    Activity(const Activity&) = delete;
    Activity& operator=(const Activity&) = delete;

   private:
    ConnectionGate& gate_;
    int connection_;
    std::uint64_t inode_ = 0;  // of its socket; 0: it is none of the gate's
  };

  // The peer of this connection has authenticated itself, or has been active again.
  void prove(int connection);
  // A peer at that IPv4 address failed to authenticate: its unproven connections that are older
  // than a second are cut by sweep(), so that it may try again.
  void refuse_unproven(const std::string& address);
  // Cuts what is due: to be called several times within the shortest timeout.
  void sweep(Clock::time_point now = Clock::now());

  GateFigures figures() const;

  // accept4(2), through the gate of the port if there is one. EAGAIN if it has refused all
  // connections that it examined.
  static int accept(int listener, sockaddr* address, socklen_t* bytes, int flags);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace tracebed
