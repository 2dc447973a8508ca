#include "coordinator/real/router_socket.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <poll.h>
#include <string_view>
#include <unistd.h>

#include "core/check.h"
#include "core/input_error.h"
#include "protocol/wire_messages.h"
#include "system/descriptor_limit.h"
#include "system/thread_room.h"

namespace tracebed {

namespace {

// Batches to one agent that it did not take yet; and heartbeats of all agents not looked at yet.
constexpr int messages_queued_max = 10'000;
// ZeroMQ cuts the connection of a peer that announces more than this. Between wire's limit and this
// one, a message is received, counted and dropped.
constexpr std::int64_t received_bytes_max = 4 * static_cast<std::int64_t>(wire::message_bytes_max);
// How long what was sent last may take to leave when the socket is closed.
constexpr int linger_milliseconds = 500;

constexpr std::string_view local_socket = "ipc://";

void check_endpoint(const std::string& endpoint, bool has_keys) {
  if (endpoint.starts_with(local_socket)) return;
  if (!endpoint.starts_with("tcp://")) {
    throw InputError("expected ipc://PATH or tcp://ADDRESS:PORT, got " + endpoint);
  }
  if (has_keys) return;
  throw InputError("expected keys ([keys]), or ipc://PATH: every user of a machine can connect " +
                   ("over TCP, to its loopback addresses too; got " + endpoint));
}

// The kernel reports whose process a peer of a UNIX socket is (SO_PEERCRED). Once there is one,
// only those on ZeroMQ's list are taken.
void admit_own_user_only(zmq::socket_t& socket) {
  for (const uid_t user : {geteuid(), uid_t{0}}) {
    if (zmq_setsockopt(socket.handle(), ZMQ_IPC_FILTER_UID, &user, sizeof(user)) != 0) {
      throw zmq::error_t();
    }
  }
}

// A peer that has vanished without a word is let go of.
constexpr int keepalive_idle_seconds = 60;

// Connections that wait to be taken; the kernel allows at most net.core.somaxconn. Those beyond are
// tried again by TCP after 1, 3, 7, 15 s, and ZeroMQ's own 100 are few where a whole lab comes at
// once.
constexpr int connections_waiting_max = 4'096;

// ZeroMQ's own, of a context.
constexpr std::size_t zeromq_threads = 2;

// Until a peer has shown its key, and until its first message.
constexpr int handshake_milliseconds = 10'000;
constexpr std::chrono::seconds first_message_timeout{30};
constexpr std::chrono::milliseconds sweep_period{250};

// What a run and the services beside it open: logs, Redis, files of the run, their connections.
constexpr std::uint64_t descriptors_reserved = 512;
constexpr std::uint64_t connections_most = 100'000;

GateLimits agent_gate_limits() {
  const std::uint64_t descriptors = descriptor_limit();
  const std::uint64_t reserved = std::min(descriptors_reserved, descriptors / 2);
  GateLimits limits;
  limits.connections_max = std::min(descriptors - reserved, connections_most);
  limits.per_peer_max = limits.connections_max / 2;
  limits.unproven_max = limits.connections_max / 2;
  limits.proof_timeout = first_message_timeout;
  return limits;
}

constexpr const char* monitor_endpoint = "inproc://agents-handshakes";

// Of "tcp://ADDRESS:PORT".
std::uint16_t port_in(const std::string& endpoint) {
  std::uint16_t port = 0;
  const std::size_t colon = endpoint.rfind(':');
  std::from_chars(endpoint.data() + colon + 1, endpoint.data() + endpoint.size(), port);
  return port;
}

}  // namespace

RouterSocket::RouterSocket(const std::string& endpoint, std::optional<RouterKeys> keys) {
  check_endpoint(endpoint, keys.has_value());
  try {
    check_room_for_threads(zeromq_threads, "the connections of agents");
    if (keys) {
      guard_.emplace(context_, std::move(keys->agents));
      public_key_ = keys->own.public_key;
    }
    socket_ = zmq::socket_t(context_, zmq::socket_type::router);
    if (keys) {
      socket_.set(zmq::sockopt::curve_server, true);
      socket_.set(zmq::sockopt::curve_secretkey, keys->own.secret_key);
      socket_.set(zmq::sockopt::zap_domain, "agents");
      // A peer that fails before its key is known is none that the guard is asked about.
      constexpr int failures =
          ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL | ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL;
      if (zmq_socket_monitor(socket_.handle(), monitor_endpoint, failures) != 0) {
        throw zmq::error_t();
      }
      events_.emplace(context_, zmq::socket_type::pair);
      events_->set(zmq::sockopt::linger, 0);
      events_->connect(monitor_endpoint);
    }
    socket_.set(zmq::sockopt::backlog, connections_waiting_max);
    socket_.set(zmq::sockopt::tcp_keepalive, 1);
    socket_.set(zmq::sockopt::tcp_keepalive_idle, keepalive_idle_seconds);
    socket_.set(zmq::sockopt::sndhwm, messages_queued_max);
    socket_.set(zmq::sockopt::rcvhwm, messages_queued_max);
    socket_.set(zmq::sockopt::maxmsgsize, received_bytes_max);
    socket_.set(zmq::sockopt::router_mandatory, true);
    socket_.set(zmq::sockopt::handshake_ivl, handshake_milliseconds);
    socket_.set(zmq::sockopt::linger, linger_milliseconds);
    if (!keys && endpoint.starts_with(local_socket)) admit_own_user_only(socket_);
    socket_.bind(endpoint);
    endpoint_ = socket_.get(zmq::sockopt::last_endpoint);
    if (endpoint_.starts_with("tcp://")) gate_.emplace(port_in(endpoint_), agent_gate_limits());
  } catch (const zmq::error_t& error) {
    throw EnvironmentError("the coordinator cannot listen on " + endpoint + ": " + error.what());
  }
}

RouterSocket::Wait RouterSocket::wait_until(WallMoment moment, std::span<const int> others) {
  TRACEBED_CHECK(others.size() <= others_max, "few descriptors are waited for beside the socket");
  std::array<pollfd, 2 + others_max> readiness;
  readiness.fill(pollfd{.fd = -1, .events = POLLIN, .revents = 0});
  readiness[0].fd = socket_.get(zmq::sockopt::fd);
  readiness[1].fd = guard_ ? guard_->number() : -1;
  for (std::size_t i = 0; i < others.size(); ++i) readiness[2 + i].fd = others[i];
  for (;;) {
    if (guard_) guard_->answer();
    look_after_connections();
    if (!delivered_.empty()) return Wait::message;
    // ZeroMQ's descriptor only shows that its state may have changed; the state is read.
    if ((socket_.get(zmq::sockopt::events) & ZMQ_POLLIN) != 0) return Wait::message;
    WallDuration left = moment - std::chrono::steady_clock::now();
    if (left <= WallDuration::zero()) return Wait::deadline;
    if (gate_) left = std::min<WallDuration>(left, sweep_period);
    const auto whole_seconds = std::chrono::duration_cast<std::chrono::seconds>(left);
    const timespec timeout{.tv_sec = whole_seconds.count(),
                           .tv_nsec = (left - whole_seconds).count()};
    if (ppoll(readiness.data(), readiness.size(), &timeout, nullptr) < 0 && errno == EINTR) {
      return Wait::signal;
    }
    const auto is_ready = [](const pollfd& other) { return other.revents != 0; };
    if (std::any_of(readiness.begin() + 2, readiness.end(), is_ready)) return Wait::other;
  }
}

std::string RouterSocket::last_refused() const {
  if (guard_ && guard_->refused() > 0) return guard_->last_refused();
  return "one that does not know the coordinator's key, or speaks another protocol";
}

void RouterSocket::count_failed_handshakes() {
  zmq::message_t event;
  while (events_ && events_->recv(event, zmq::recv_flags::dontwait)) {
    ++failed_handshakes_;
    while (event.more()) static_cast<void>(events_->recv(event));
  }
}

void RouterSocket::look_after_connections() {
  count_failed_handshakes();
  if (!gate_) return;
  if (guard_) {
    for (const std::string& address : guard_->take_refused()) gate_->refuse_unproven(address);
  }
  const WallMoment now = std::chrono::steady_clock::now();
  if (now < next_sweep_) return;
  next_sweep_ = now + sweep_period;
  gate_->sweep();
}

void RouterSocket::deliver_kept() {
  for (Received& received : kept_) delivered_.push_back(std::move(received));
  kept_.clear();
}

bool RouterSocket::receive(Received& received) {
  if (!delivered_.empty()) {
    received = std::move(delivered_.front());
    delivered_.pop_front();
    return true;
  }
  zmq::message_t peer;
  try {
    if (!socket_.recv(peer, zmq::recv_flags::dontwait)) return false;
    received.peer = peer.to_string();
    received.is_single = true;
    received.payload.rebuild();
    received.user.clear();
    if (!peer.more()) return true;
    static_cast<void>(socket_.recv(received.payload));
    if (guard_) {
      const std::string* const name = guard_->name_of(received.payload.gets("User-Id"));
      received.user = name != nullptr ? *name : unknown_user;
    }
    if (gate_ && received.user != unknown_user) {
      gate_->prove(zmq_msg_get(received.payload.handle(), ZMQ_SRCFD));
    }
    zmq::message_t further;
    for (bool more = received.payload.more(); more; more = further.more()) {
      received.is_single = false;
      static_cast<void>(socket_.recv(further));
    }
    return true;
  } catch (const zmq::error_t& error) {
    if (error.num() == EINTR) return false;
    throw EnvironmentError(std::string("the socket to the agents failed: ") + error.what());
  }
}

bool RouterSocket::send(const PeerId& peer, std::span<const std::byte> payload) {
  try {
    const auto flags = zmq::send_flags::dontwait;
    if (!socket_.send(zmq::buffer(peer), flags | zmq::send_flags::sndmore)) return false;
    return socket_.send(zmq::buffer(payload.data(), payload.size()), flags).has_value();
  } catch (const zmq::error_t& error) {
    if (error.num() == EHOSTUNREACH || error.num() == EINTR) return false;
    throw EnvironmentError(std::string("the socket to the agents failed: ") + error.what());
  }
}

}  // namespace tracebed
