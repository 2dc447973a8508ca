#include "hdfs_client/connection.h"

#include <arpa/inet.h>
#include <array>
#include <cerrno>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <optional>
#include <poll.h>
#include <sys/socket.h>
#include <utility>

namespace tracebed::hdfs {
namespace {

std::optional<sockaddr_in> socket_address(const std::string& address, std::uint16_t port) {
  sockaddr_in result{};
  result.sin_family = AF_INET;
  result.sin_port = htons(port);
  if (inet_pton(AF_INET, address.c_str(), &result.sin_addr) != 1) return std::nullopt;
  return result;
}

ClientFailure interruption() {
  return {ClientFailureKind::interrupted, "the operation was interrupted", {}};
}

// poll(2) of both, again after signals: false when the deadline has passed.
ClientResult<bool> poll_until(pollfd& socket, int interrupt, const Deadline& deadline) {
  std::array<pollfd, 2> polled{socket, pollfd{interrupt, POLLIN, 0}};
  while (true) {
    const int ready = ::poll(polled.data(), polled.size(), deadline.poll_timeout());
    if (ready < 0 && errno != EINTR) {
      return ClientFailure{ClientFailureKind::connection, "poll: " + error_text(errno), {}};
    }
    if (ready > 0 && polled[1].revents != 0) return interruption();
    socket.revents = polled[0].revents;
    if (ready > 0) return true;
    if (ready == 0 && deadline.has_passed()) return false;
  }
}

bool would_wait(int error_number) {
  return error_number == EAGAIN || error_number == EINTR;
}

}  // namespace

ClientStatus pause(std::chrono::milliseconds time, int interrupt) {
  pollfd none{-1, 0, 0};
  const ClientResult<bool> waited = poll_until(none, interrupt, Deadline::after(time));
  if (!waited) return waited.error();
  return client_success();
}

Connection::Connection(FileDescriptor socket, Endpoint peer, int interrupt)
    : socket_(std::move(socket)), peer_(std::move(peer)), interrupt_(interrupt) {}

ClientFailure Connection::failed(int error_number, const char* action) const {
  return {ClientFailureKind::connection,
          peer_.text() + ": " + action + ": " + error_text(error_number),
          {}};
}

ClientFailure Connection::timed_out(const char* action) const {
  return {ClientFailureKind::timeout, peer_.text() + ": " + action + ": timed out", {}};
}

ClientResult<Connection> Connection::open(const Endpoint& peer, const ConnectionOptions& options) {
  constexpr int enabled = 1;
  const auto address = socket_address(peer.address, peer.port);
  Connection connection(
      FileDescriptor(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)), peer,
      options.interrupt);
  const int socket = connection.socket_.number();
  if (socket < 0) return connection.failed(errno, "a socket");
  if (!address) return connection.failed(EAFNOSUPPORT, "an IPv4 address in digits is expected");
  if (!options.local_address.empty()) {
    const auto local = socket_address(options.local_address, 0);
    // The port is chosen when the peer is known, so that one may serve several connections.
    ::setsockopt(socket, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &enabled, sizeof(enabled));
    if (!local || ::bind(socket, reinterpret_cast<const sockaddr*>(&*local), sizeof(*local)) != 0) {
      const int error_number = local ? errno : EAFNOSUPPORT;
      return connection.failed(error_number, ("from " + options.local_address).c_str());
    }
  }
  ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &enabled, sizeof(enabled));
  const auto* place = reinterpret_cast<const sockaddr*>(&*address);
  if (::connect(socket, place, sizeof(*address)) != 0 && errno != EINPROGRESS) {
    return connection.failed(errno, "connect");
  }
  const ClientStatus connected =
      connection.finish_connecting(Deadline::after(options.connect_timeout));
  if (!connected) return connected.error();
  return connection;
}

ClientStatus Connection::finish_connecting(const Deadline& deadline) const {
  const ClientResult<Readiness> ready = wait({.to_send = true}, deadline);
  if (!ready) return ready.error();
  if (!ready->to_send) return timed_out("connect");
  int error_number = 0;
  socklen_t size = sizeof(error_number);
  ::getsockopt(socket_.number(), SOL_SOCKET, SO_ERROR, &error_number, &size);
  if (error_number != 0) return failed(error_number, "connect");
  return client_success();
}

ClientResult<Connection::Readiness> Connection::wait(Readiness wanted,
                                                     const Deadline& deadline) const {
  pollfd polled{socket_.number(), 0, 0};
  if (wanted.to_receive) polled.events |= POLLIN;
  if (wanted.to_send) polled.events |= POLLOUT;
  const ClientResult<bool> waited = poll_until(polled, interrupt_, deadline);
  if (!waited) return waited.error();
  const bool is_broken = (polled.revents & (POLLERR | POLLHUP | POLLNVAL)) != 0;
  return Readiness{wanted.to_receive && (is_broken || (polled.revents & POLLIN) != 0),
                   wanted.to_send && (is_broken || (polled.revents & POLLOUT) != 0)};
}

ClientResult<std::size_t> Connection::try_receive(std::span<std::byte> out) {
  const ssize_t count = ::recv(socket_.number(), out.data(), out.size(), 0);
  if (count > 0) return static_cast<std::size_t>(count);
  if (count < 0 && would_wait(errno)) return std::size_t{0};
  if (count < 0) return failed(errno, "receive");
  return ClientFailure{ClientFailureKind::connection, peer_.text() + ": closed the connection", {}};
}

ClientResult<std::size_t> Connection::try_send(Bytes bytes) {
  const ssize_t count = ::send(socket_.number(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
  if (count >= 0) return static_cast<std::size_t>(count);
  if (would_wait(errno)) return std::size_t{0};
  return failed(errno, "send");
}

ClientResult<std::size_t> Connection::receive(std::span<std::byte> out, const Deadline& deadline) {
  while (true) {
    const ClientResult<Readiness> ready = wait({.to_receive = true}, deadline);
    if (!ready) return ready.error();
    if (!ready->to_receive) return timed_out("receive");
    const ClientResult<std::size_t> received = try_receive(out);
    if (!received || *received > 0) return received;
  }
}

ClientStatus Connection::send(Bytes bytes, const Deadline& deadline) {
  while (!bytes.empty()) {
    const ClientResult<Readiness> ready = wait({.to_send = true}, deadline);
    if (!ready) return ready.error();
    if (!ready->to_send) return timed_out("send");
    const ClientResult<std::size_t> sent = try_send(bytes);
    if (!sent) return sent.error();
    bytes = bytes.subspan(*sent);
  }
  return client_success();
}

}  // namespace tracebed::hdfs
