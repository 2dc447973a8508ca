#include "system/connection_gate.h"

#include <algorithm>
#include <arpa/inet.h>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <map>
#include <mutex>
#include <netinet/in.h>
#include <poll.h>
#include <shared_mutex>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/check.h"
#include "system/file_descriptor.h"

namespace tracebed {
namespace {

using GateMoment = ConnectionGate::Clock::time_point;

// How long a peer that was refused waits until it may try again.
constexpr std::chrono::seconds refusal_pause{1};
// Refused by one call, so that a flood keeps no thread to itself.
constexpr int refusals_per_call = 64;
// How long connections that were cut may take to be closed, which makes room.
constexpr std::chrono::seconds close_timeout{1};

struct GatedConnection {
  ino_t inode = 0;  // tells it from a later one with the same descriptor
  in_addr_t peer = 0;
  GateMoment since{};  // accepted, proven for the last time, or cut
  bool is_proven = false;
  bool is_cut = false;  // its owner has still to close it
  int activities = 0;   // that go on

  bool is_waiting() const { return !is_proven && !is_cut; }
};

ino_t inode_of(int descriptor) {
  struct stat status = {};
  return ::fstat(descriptor, &status) == 0 && S_ISSOCK(status.st_mode) ? status.st_ino : 0;
}

bool is_loopback_peer(in_addr_t address) {
  return ntohl(address) >> 24 == 127;
}

sockaddr* as_address(sockaddr_in& address) {
  void* const place = &address;
  return static_cast<sockaddr*>(place);
}

// 0 if it is bound to no IPv4 port.
std::uint16_t port_of(int listener) {
  sockaddr_in address = {};
  socklen_t bytes = sizeof(address);
  if (::getsockname(listener, as_address(address), &bytes) != 0) return 0;
  return address.sin_family == AF_INET ? ntohs(address.sin_port) : std::uint16_t{0};
}

// Whether a connection waits in its queue.
bool is_awaited(int listener) {
  pollfd queue{.fd = listener, .events = POLLIN, .revents = 0};
  return ::poll(&queue, 1, 0) > 0;
}

int system_accept(int listener, sockaddr* address, socklen_t* bytes, int flags) {
  return static_cast<int>(::syscall(SYS_accept4, listener, address, bytes, flags));
}

}  // namespace

struct ConnectionGate::Parts {
  Parts(std::uint16_t guarded, GateLimits bounds) : port(guarded), limits(bounds) { take_spare(); }

  // accept() has no other way to a gate than what belongs to the process.
  struct Guarded {
    std::shared_mutex mutex;  // shared by those that accept, so that a gate outlasts them
    std::map<std::uint16_t, Parts*> gates;
  };
  static Guarded& guarded() {
    static Guarded guarded;
    return guarded;
  }

  int accept(int listener, sockaddr_in& peer, int flags);
  int accept_by_spare(int listener, int flags);
  bool is_full() const { return connections.size() >= limits.connections_max; }
  bool makes_room();
  bool admit(in_addr_t peer);
  std::size_t count_of(in_addr_t peer, bool only_waiting) const;
  void forget_closed();
  void cut(int descriptor, GatedConnection& connection);
  bool cut_oldest(const in_addr_t* peer);
  void take_spare() {
    if (!spare.is_open()) spare.reset(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  }

  const std::uint16_t port;
  const GateLimits limits;
  std::mutex mutex;  // guards what follows
  std::map<int, GatedConnection> connections;
  std::map<in_addr_t, GateMoment> refused_peers;  // at most one for each connection
  FileDescriptor spare;  // given up to refuse a connection when there is no descriptor left
  GateFigures figures;
};

// Those that their owners have closed. A descriptor that is another socket's by now is none of
// ours.
void ConnectionGate::Parts::forget_closed() {
  std::erase_if(connections,
                [](const auto& known) { return inode_of(known.first) != known.second.inode; });
}

std::size_t ConnectionGate::Parts::count_of(in_addr_t peer, bool only_waiting) const {
  return static_cast<std::size_t>(
      std::count_if(connections.begin(), connections.end(), [&](const auto& known) {
        const GatedConnection& connection = known.second;
        return connection.peer == peer && (!only_waiting || connection.is_waiting());
      }));
}

// Whether there will be room as soon as an owner has closed what was cut.
bool ConnectionGate::Parts::makes_room() {
  const auto now = Clock::now();
  const bool is_due = std::any_of(connections.begin(), connections.end(), [&](const auto& known) {
    return known.second.is_cut && now < known.second.since + close_timeout;
  });
  return is_due || cut_oldest(nullptr);
}

// Whether this peer may have one more; who of it waits longest makes room, for this or the next.
bool ConnectionGate::Parts::admit(in_addr_t peer) {
  const auto has_too_many = [&] {
    return !is_loopback_peer(peer) && count_of(peer, false) >= limits.per_peer_max;
  };
  const auto is_crowded = [&] { return count_of(peer, true) >= limits.unproven_max; };
  if (has_too_many() || is_crowded()) forget_closed();
  const bool is_over = has_too_many();
  if (is_over || is_crowded()) cut_oldest(&peer);
  return !is_over;
}

// The owner reads the end of the stream and closes it. Through a copy of the descriptor, which
// stays what it is when another thread closes the original meanwhile.
void ConnectionGate::Parts::cut(int descriptor, GatedConnection& connection) {
  connection.is_cut = true;
  connection.since = Clock::now();
  FileDescriptor copy(::fcntl(descriptor, F_DUPFD_CLOEXEC, 0));
  if (!copy.is_open()) {
    spare.reset();
    copy.reset(::fcntl(descriptor, F_DUPFD_CLOEXEC, 0));
  }
  if (copy.is_open() && inode_of(copy.number()) == connection.inode) {
    ::shutdown(copy.number(), SHUT_RDWR);
    ++figures.cut;
  }
  copy.reset();
  take_spare();
}

bool ConnectionGate::Parts::cut_oldest(const in_addr_t* peer) {
  auto oldest = connections.end();
  for (auto it = connections.begin(); it != connections.end(); ++it) {
    const GatedConnection& connection = it->second;
    if (connection.is_cut || (peer != nullptr && connection.peer != *peer)) continue;
    if (connection.is_proven && limits.idle_max.count() == 0) continue;
    if (connection.activities > 0) continue;
    const auto rank = [](const GatedConnection& of) { return std::pair(of.is_proven, of.since); };
    if (oldest == connections.end() || rank(connection) < rank(oldest->second)) oldest = it;
  }
  if (oldest == connections.end()) return false;
  cut(oldest->first, oldest->second);
  return true;
}

// A connection that is not taken from the queue would wake its listener for ever.
int ConnectionGate::Parts::accept_by_spare(int listener, int flags) {
  spare.reset();
  const int accepted = system_accept(listener, nullptr, nullptr, flags);
  const int error = errno;
  if (accepted >= 0) ::close(accepted);
  take_spare();
  errno = error;
  return accepted;
}

int ConnectionGate::Parts::accept(int listener, sockaddr_in& peer, int flags) {
  const std::lock_guard lock(mutex);
  take_spare();
  for (int i = 0; i < refusals_per_call; ++i) {
    if (is_full()) forget_closed();
    // What waits stays in the listener's queue until there is room.
    if (is_full() && (!is_awaited(listener) || makes_room())) break;
    socklen_t bytes = sizeof(peer);
    const int accepted = system_accept(listener, as_address(peer), &bytes, flags);
    if (accepted < 0) {
      if (errno != EMFILE && errno != ENFILE) return accepted;
      if (accept_by_spare(listener, flags) < 0) return -1;
      ++figures.refused;
      cut_oldest(nullptr);
      continue;
    }
    if (!is_full() && admit(peer.sin_addr.s_addr)) {
      connections[accepted] = {inode_of(accepted), peer.sin_addr.s_addr, Clock::now()};
      ++figures.accepted;
      return accepted;
    }
    ++figures.refused;
    ::close(accepted);
  }
  errno = EAGAIN;
  return -1;
}

ConnectionGate::ConnectionGate(int listener, GateLimits limits)
    : ConnectionGate(port_of(listener), limits) {}

ConnectionGate::ConnectionGate(std::uint16_t port, GateLimits limits)
    : parts_(std::make_unique<Parts>(port, limits)) {
  TRACEBED_CHECK(port != 0, "a gate guards an IPv4 port");
  Parts::Guarded& guarded = Parts::guarded();
  const std::lock_guard lock(guarded.mutex);
  guarded.gates[port] = parts_.get();
}

ConnectionGate::~ConnectionGate() {
  Parts::Guarded& guarded = Parts::guarded();
  const std::lock_guard lock(guarded.mutex);
  const auto found = guarded.gates.find(parts_->port);
  if (found != guarded.gates.end() && found->second == parts_.get()) guarded.gates.erase(found);
}

void ConnectionGate::prove(int connection) {
  const std::lock_guard lock(parts_->mutex);
  const auto found = parts_->connections.find(connection);
  if (found == parts_->connections.end()) return;
  found->second.is_proven = true;
  found->second.since = Clock::now();
}

ConnectionGate::Activity::Activity(ConnectionGate& gate, int connection)
    : gate_(gate), connection_(connection) {
  const std::lock_guard lock(gate_.parts_->mutex);
  const auto found = gate_.parts_->connections.find(connection);
  if (found == gate_.parts_->connections.end()) return;
  inode_ = found->second.inode;
  ++found->second.activities;
}

// The descriptor may be another connection's by now.
ConnectionGate::Activity::~Activity() {
  const std::lock_guard lock(gate_.parts_->mutex);
  const auto found = gate_.parts_->connections.find(connection_);
  const bool is_same = found != gate_.parts_->connections.end() && found->second.inode == inode_;
  if (!is_same) return;
  --found->second.activities;
  found->second.since = Clock::now();
}

void ConnectionGate::refuse_unproven(const std::string& address) {
  in_addr peer = {};
  if (::inet_pton(AF_INET, address.c_str(), &peer) != 1) return;
  const std::lock_guard lock(parts_->mutex);
  if (parts_->count_of(peer.s_addr, true) > 0) parts_->refused_peers[peer.s_addr] = Clock::now();
}

void ConnectionGate::sweep(Clock::time_point now) {
  const std::lock_guard lock(parts_->mutex);
  parts_->take_spare();
  parts_->forget_closed();
  const GateLimits& limits = parts_->limits;
  const auto is_due = [&](const GatedConnection& connection) {
    const auto age = now - connection.since;
    const auto timeout = connection.is_proven ? limits.idle_max : limits.proof_timeout;
    if (timeout.count() > 0 && age >= timeout) return true;
    const auto refused = parts_->refused_peers.find(connection.peer);
    return !connection.is_proven && refused != parts_->refused_peers.end() &&
           connection.since <= refused->second && age >= refusal_pause;
  };
  for (auto& [descriptor, connection] : parts_->connections) {
    const bool is_active = connection.activities > 0;
    if (!connection.is_cut && !is_active && is_due(connection)) {
      parts_->cut(descriptor, connection);
    }
  }
  std::erase_if(parts_->refused_peers,
                [&](const auto& refused) { return now - refused.second >= 2 * refusal_pause; });
}

GateFigures ConnectionGate::figures() const {
  const std::lock_guard lock(parts_->mutex);
  parts_->forget_closed();
  GateFigures figures = parts_->figures;
  figures.connections = parts_->connections.size();
  return figures;
}

int ConnectionGate::accept(int listener, sockaddr* address, socklen_t* bytes, int flags) {
  const std::uint16_t port = port_of(listener);
  Parts::Guarded& guarded = Parts::guarded();
  std::shared_lock lock(guarded.mutex);
  const auto gate = port == 0 ? guarded.gates.end() : guarded.gates.find(port);
  if (gate == guarded.gates.end()) {
    lock.unlock();
    return system_accept(listener, address, bytes, flags);
  }
  sockaddr_in peer = {};
  const int accepted = gate->second->accept(listener, peer, flags);
  if (accepted >= 0 && address != nullptr && bytes != nullptr) {
    std::memcpy(address, &peer, std::min<std::size_t>(*bytes, sizeof(peer)));
    *bytes = sizeof(peer);
  }
  return accepted;
}

}  // namespace tracebed

// What the libraries of this process call: a program's own definition comes before the C library's
// (ld.so(8)).
extern "C" int accept4(int listener, sockaddr* address, socklen_t* bytes, int flags) {
  return tracebed::ConnectionGate::accept(listener, address, bytes, flags);
}

extern "C" int accept(int listener, sockaddr* address, socklen_t* bytes) {
  return tracebed::ConnectionGate::accept(listener, address, bytes, 0);
}
