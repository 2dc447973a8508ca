#include "coordinator/real/router_socket.h"

#include <array>
#include <cerrno>
#include <poll.h>

#include "core/input_error.h"
#include "protocol/wire_messages.h"

namespace tracebed {

namespace {

// Batches to one agent that it did not take yet; and heartbeats of all agents not looked at yet.
constexpr int messages_queued_max = 10'000;
// ZeroMQ cuts the connection of a peer that announces more than this. Between wire's limit and this
// one, a message is received, counted and dropped.
constexpr std::int64_t received_bytes_max = 4 * static_cast<std::int64_t>(wire::message_bytes_max);
// How long what was sent last may take to leave when the socket is closed.
constexpr int linger_milliseconds = 500;

void check_endpoint(const std::string& endpoint, bool has_keys) {
  if (endpoint.starts_with("ipc://") || endpoint.starts_with("tcp://127.")) return;
  if (!endpoint.starts_with("tcp://")) {
    throw InputError("expected ipc://PATH or tcp://ADDRESS:PORT, got " + endpoint);
  }
  if (has_keys) return;
  throw InputError("expected an endpoint of this machine (ipc://PATH or tcp://127.0.0.1:PORT), " +
                   ("as there are no keys for others, got " + endpoint));
}

// A peer that has vanished without a word is let go of.
constexpr int keepalive_idle_seconds = 60;

// Connections that wait to be taken; the kernel allows at most net.core.somaxconn. Those beyond are
// tried again by TCP after 1, 3, 7, 15 s, and ZeroMQ's own 100 are few where a whole lab comes at
// once.
constexpr int connections_waiting_max = 4'096;

}  // namespace

RouterSocket::RouterSocket(const std::string& endpoint, std::optional<RouterKeys> keys) {
  check_endpoint(endpoint, keys.has_value());
  try {
    if (keys) {
      guard_.emplace(context_, std::move(keys->agents));
      public_key_ = keys->own.public_key;
    }
    socket_ = zmq::socket_t(context_, zmq::socket_type::router);
    if (keys) {
      socket_.set(zmq::sockopt::curve_server, true);
      socket_.set(zmq::sockopt::curve_secretkey, keys->own.secret_key);
      socket_.set(zmq::sockopt::zap_domain, "agents");
    }
    socket_.set(zmq::sockopt::backlog, connections_waiting_max);
    socket_.set(zmq::sockopt::tcp_keepalive, 1);
    socket_.set(zmq::sockopt::tcp_keepalive_idle, keepalive_idle_seconds);
    socket_.set(zmq::sockopt::sndhwm, messages_queued_max);
    socket_.set(zmq::sockopt::rcvhwm, messages_queued_max);
    socket_.set(zmq::sockopt::maxmsgsize, received_bytes_max);
    socket_.set(zmq::sockopt::router_mandatory, true);
    socket_.set(zmq::sockopt::linger, linger_milliseconds);
    socket_.bind(endpoint);
    endpoint_ = socket_.get(zmq::sockopt::last_endpoint);
  } catch (const zmq::error_t& error) {
    throw EnvironmentError("the coordinator cannot listen on " + endpoint + ": " + error.what());
  }
}

RouterSocket::Wait RouterSocket::wait_until(WallMoment moment) {
  std::array<pollfd, 2> readiness{
      pollfd{.fd = socket_.get(zmq::sockopt::fd), .events = POLLIN, .revents = 0},
      pollfd{.fd = guard_ ? guard_->number() : -1, .events = POLLIN, .revents = 0}};
  for (;;) {
    if (guard_) guard_->answer();
    if (!delivered_.empty()) return Wait::message;
    // ZeroMQ's descriptor only tells that its state may have changed; the state is asked for.
    if ((socket_.get(zmq::sockopt::events) & ZMQ_POLLIN) != 0) return Wait::message;
    const WallDuration left = moment - std::chrono::steady_clock::now();
    if (left <= WallDuration::zero()) return Wait::deadline;
    const auto whole_seconds = std::chrono::duration_cast<std::chrono::seconds>(left);
    const timespec timeout{.tv_sec = whole_seconds.count(),
                           .tv_nsec = (left - whole_seconds).count()};
    if (ppoll(readiness.data(), readiness.size(), &timeout, nullptr) < 0 && errno == EINTR) {
      return Wait::signal;
    }
  }
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
