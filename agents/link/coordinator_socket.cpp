#include "agents/link/coordinator_socket.h"

#include <cerrno>
#include <charconv>
#include <cstring>
#include <string_view>

#include "core/input_error.h"
#include "protocol/wire_messages.h"
#include "system/thread_room.h"

namespace tracebed::agent {
namespace {

constexpr int messages_queued_max = 1'000;
// ZeroMQ cuts the connection of a peer that announces more. Between the wire's limit and this one a
// message is received, counted and dropped.
constexpr std::int64_t received_bytes_max = 4 * std::int64_t{wire::message_bytes_max};
constexpr int linger_milliseconds = 500;
constexpr int reconnect_milliseconds = 50;
constexpr int reconnect_milliseconds_max = 1'000;
// A connection over which nothing comes any more is given up, and a new one tried at once: the old
// one would wait for up to two minutes after a broken link has healed, before it sends again.
constexpr int ping_milliseconds = 3'000;
constexpr int silence_milliseconds = 6'000;
constexpr int connect_milliseconds = 3'000;

constexpr const char* monitor_endpoint = "inproc://coordinator-link";
constexpr int handshake_failures = ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL |
                                   ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL |
                                   ZMQ_EVENT_HANDSHAKE_FAILED_AUTH;
constexpr int monitored_events = ZMQ_EVENT_CONNECTED | ZMQ_EVENT_CLOSED | ZMQ_EVENT_DISCONNECTED |
                                 ZMQ_EVENT_HANDSHAKE_SUCCEEDED | handshake_failures;

// Its first socket starts ZeroMQ's threads.
zmq::context_t make_context() {
  constexpr std::size_t zeromq_threads = 2;
  check_room_for_threads(zeromq_threads, "the connection to the coordinator");
  return zmq::context_t(1);
}

// "tcp://source:0;destination:port", ZeroMQ's form for a connection from a given address.
std::string with_source(const std::string& endpoint, const std::string& source_address) {
  constexpr std::string_view tcp = "tcp://";
  if (source_address.empty() || !endpoint.starts_with(tcp)) return endpoint;
  return std::string(tcp) + source_address + ":0;" + endpoint.substr(tcp.size());
}

}  // namespace

void check_endpoint(const std::string& endpoint) {
  constexpr std::string_view tcp = "tcp://";
  if (!endpoint.starts_with(tcp)) return;  // the socket reports what is wrong with other ones
  const std::size_t colon = endpoint.rfind(':');
  const char* const end = endpoint.data() + endpoint.size();
  std::uint16_t port = 0;
  const auto parsed = std::from_chars(endpoint.data() + colon + 1, end, port);
  if (parsed.ec == std::errc{} && parsed.ptr == end && port > 0 && colon > tcp.size()) return;
  throw InputError("the coordinator's endpoint: expected tcp://ADDRESS:PORT with a port from 1 " +
                   ("to 65535, got " + endpoint));
}

CoordinatorSocket::CoordinatorSocket(const std::string& endpoint, const std::string& source_address,
                                     const std::optional<LinkKeys>& keys)
    : context_(make_context()),
      socket_(context_, zmq::socket_type::dealer),
      events_(context_, zmq::socket_type::pair) {
  try {
    if (zmq_socket_monitor(socket_.handle(), monitor_endpoint, monitored_events) != 0) {
      throw zmq::error_t();
    }
    events_.set(zmq::sockopt::linger, 0);
    events_.connect(monitor_endpoint);
    socket_.set(zmq::sockopt::sndhwm, messages_queued_max);
    socket_.set(zmq::sockopt::rcvhwm, messages_queued_max);
    socket_.set(zmq::sockopt::maxmsgsize, received_bytes_max);
    socket_.set(zmq::sockopt::linger, linger_milliseconds);
    socket_.set(zmq::sockopt::reconnect_ivl, reconnect_milliseconds);
    socket_.set(zmq::sockopt::reconnect_ivl_max, reconnect_milliseconds_max);
    socket_.set(zmq::sockopt::heartbeat_ivl, ping_milliseconds);
    socket_.set(zmq::sockopt::heartbeat_timeout, silence_milliseconds);
    socket_.set(zmq::sockopt::connect_timeout, connect_milliseconds);
    if (keys) {
      socket_.set(zmq::sockopt::curve_serverkey, keys->coordinator);
      socket_.set(zmq::sockopt::curve_publickey, keys->own.public_key);
      socket_.set(zmq::sockopt::curve_secretkey, keys->own.secret_key);
    }
    socket_.connect(with_source(endpoint, source_address));
  } catch (const zmq::error_t& error) {
    throw InputError("the coordinator's endpoint and --address: expected tcp://ADDRESS:PORT or " +
                     ("ipc://PATH, and an address of this machine, got " + endpoint) + " and '" +
                     source_address + "': " + error.what());
  }
}

bool CoordinatorSocket::send(std::span<const std::byte> payload) {
  return socket_.send(zmq::buffer(payload.data(), payload.size()), zmq::send_flags::dontwait)
      .has_value();
}

void CoordinatorSocket::take_events() {
  zmq::message_t event;
  while (events_.recv(event, zmq::recv_flags::dontwait)) {
    std::uint16_t kind = 0;
    if (event.size() >= sizeof(kind)) std::memcpy(&kind, event.data(), sizeof(kind));
    while (event.more()) static_cast<void>(events_.recv(event));
    if (kind == ZMQ_EVENT_CONNECTED) is_open_ = true;
    if (kind == ZMQ_EVENT_HANDSHAKE_SUCCEEDED) state_ = LinkState::connected;
    if ((kind & handshake_failures) != 0) state_ = LinkState::handshake_failed;
    // A connection that could not be made is closed without having been open.
    if (kind == ZMQ_EVENT_CLOSED && !is_open_) state_ = LinkState::unreachable;
    if (kind == ZMQ_EVENT_DISCONNECTED) {
      is_open_ = false;
      if (state_ == LinkState::connected) state_ = LinkState::unreachable;
    }
  }
}

CoordinatorSocket::Received CoordinatorSocket::receive(zmq::message_t& payload) {
  try {
    if (!socket_.recv(payload, zmq::recv_flags::dontwait)) {
      take_events();
      return Received::nothing;
    }
  } catch (const zmq::error_t& error) {
    if (error.num() == EINTR) return Received::nothing;
    throw EnvironmentError(std::string("the socket to the coordinator failed: ") + error.what());
  }
  if (!payload.more()) return Received::message;
  zmq::message_t further;
  do {
    static_cast<void>(socket_.recv(further));  // the parts of a message arrive together
  } while (further.more());
  return Received::malformed;
}

void CoordinatorSocket::close(Unsent unsent) {
  if (unsent == Unsent::dropped) socket_.set(zmq::sockopt::linger, 0);
  socket_.close();
  events_.close();
  context_.close();
}

}  // namespace tracebed::agent
