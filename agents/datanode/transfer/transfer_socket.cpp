#include "agents/datanode/transfer/transfer_socket.h"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <cerrno>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <optional>
#include <poll.h>
#include <sys/socket.h>
#include <utility>

#include "system/io_parts.h"

namespace tracebed {
namespace {

TransferError error_of(int error_number) {
  const bool is_end =
      error_number == ECONNRESET || error_number == EPIPE || error_number == ENOTCONN;
  return {is_end ? TransferFailure::ended : TransferFailure::failed, error_text(error_number)};
}

void set_option(int socket, int level, int name, int value) {
  setsockopt(socket, level, name, &value, sizeof(value));
}

const sockaddr* as_address(const sockaddr_in& address) {
  return reinterpret_cast<const sockaddr*>(&address);
}

bool fill_address(const SocketPlace& place, sockaddr_in& address) {
  address.sin_family = AF_INET;
  address.sin_port = htons(place.port);
  return inet_pton(AF_INET, place.address.c_str(), &address.sin_addr) == 1;
}

std::string peer_of(int socket) {
  sockaddr_in address{};
  socklen_t bytes = sizeof(address);
  std::array<char, INET_ADDRSTRLEN> text{};
  if (getpeername(socket, reinterpret_cast<sockaddr*>(&address), &bytes) != 0) return {};
  inet_ntop(AF_INET, &address.sin_addr, text.data(), text.size());
  return text.data();
}

}  // namespace

TransferSocket::TransferSocket(FileDescriptor socket, OpenSockets& open)
    : socket_(std::move(socket)), open_(open), peer_(peer_of(socket_.number())) {
  // Packets and their acks are small now and then, and each is waited for.
  set_option(socket_.number(), IPPROTO_TCP, TCP_NODELAY, 1);
  open_.add(socket_.number());
}

TransferSocket::TransferSocket(OpenSockets& open)
    : TransferSocket(
          FileDescriptor(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)), open) {}

TransferSocket::~TransferSocket() {
  open_.remove(socket_.number());
}

TransferStatus TransferSocket::connect(const SocketPlace& place, const std::string& from,
                                       std::chrono::milliseconds timeout) {
  sockaddr_in own{};
  sockaddr_in other{};
  if (!fill_address(place, other) || (!from.empty() && !fill_address({from, 0}, own))) {
    return TransferError{TransferFailure::failed, "not an IPv4 address: " + place.address};
  }
  peer_ = place.address;
  if (!from.empty()) {
    // The kernel chooses the port when it knows the peer's, so that one port serves many.
    set_option(socket_.number(), IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, 1);
    if (bind(socket_.number(), as_address(own), sizeof(own)) != 0) return error_of(errno);
  }
  if (::connect(socket_.number(), as_address(other), sizeof(other)) == 0) return transferred();
  if (errno != EINPROGRESS) return error_of(errno);
  if (TransferStatus ready = wait(POLLOUT, Clock::now() + timeout); !ready) return ready;
  int error_number = 0;
  socklen_t bytes = sizeof(error_number);
  getsockopt(socket_.number(), SOL_SOCKET, SO_ERROR, &error_number, &bytes);
  return error_number == 0 ? transferred() : TransferStatus(error_of(error_number));
}

TransferStatus TransferSocket::wait(short events, Clock::time_point deadline) {
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
    if (left.count() <= 0) return TransferError{TransferFailure::timed_out, "timed out"};
    pollfd polled{socket_.number(), events, 0};
    const int ready =
        poll(&polled, 1, static_cast<int>(std::min<std::int64_t>(left.count(), 3'600'000)));
    if (ready > 0) return transferred();
    if (ready < 0 && errno != EINTR) return error_of(errno);
  }
}

TransferStatus TransferSocket::send(std::span<iovec> parts, std::chrono::milliseconds timeout) {
  std::optional<Clock::time_point> deadline;
  msghdr message{};
  while (!parts.empty()) {
    message.msg_iov = parts.data();
    message.msg_iovlen = parts.size();
    const ssize_t count = sendmsg(socket_.number(), &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count < 0) {
      if (errno == EINTR) continue;
      if (errno != EAGAIN) return error_of(errno);
      if (!deadline) deadline = Clock::now() + timeout;
      if (TransferStatus ready = wait(POLLOUT, *deadline); !ready) return ready;
      continue;
    }
    parts = without_first(parts, static_cast<std::size_t>(count));
  }
  return transferred();
}

TransferStatus TransferSocket::send(hdfs::Bytes bytes, std::chrono::milliseconds timeout) {
  iovec part = part_of(bytes);
  return send(std::span(&part, 1), timeout);
}

TransferStatus TransferSocket::send(std::string_view text, std::chrono::milliseconds timeout) {
  return send(std::as_bytes(std::span(text)), timeout);
}

TransferResult<std::size_t> TransferSocket::receive(std::span<std::byte> buffer,
                                                    Clock::time_point deadline) {
  for (;;) {
    const ssize_t count = recv(socket_.number(), buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (count > 0) return static_cast<std::size_t>(count);
    if (count == 0) return TransferError{TransferFailure::ended, "the connection was closed"};
    if (errno == EINTR) continue;
    if (errno != EAGAIN) return error_of(errno);
    if (TransferStatus ready = wait(POLLIN, deadline); !ready) return ready.error();
  }
}

void TransferSocket::shut_down() {
  shutdown(socket_.number(), SHUT_RDWR);
}

void TransferSocket::drain(std::chrono::milliseconds timeout) {
  shutdown(socket_.number(), SHUT_WR);
  const Clock::time_point deadline = Clock::now() + timeout;
  std::array<std::byte, 4'096> dropped;
  while (Clock::now() < deadline && receive(dropped, deadline)) {
  }
}

}  // namespace tracebed
