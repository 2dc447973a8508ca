#include "agents/shuffle_link/packet_socket.h"

#include <cerrno>
#include <cstring>
#include <sys/socket.h>

#include "agents/shuffle_link/shuffle_messages.h"

namespace tracebed {

PacketState receive_packet(const FileDescriptor& socket, std::vector<std::byte>& packet) {
  packet.resize(shuffle_packet_bytes_max);
  for (;;) {
    const ssize_t count = ::recv(socket.number(), packet.data(), packet.size(), MSG_DONTWAIT);
    // A peer that closed before it had read all leaves ECONNRESET, once, before what it sent last.
    if (count < 0 && (errno == EINTR || errno == ECONNRESET)) continue;
    packet.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
    if (count > 0) return PacketState::packet;
    return count < 0 && errno == EAGAIN ? PacketState::nothing : PacketState::closed;
  }
}

SendState send_packet(const FileDescriptor& socket, std::span<const std::byte> packet) {
  for (;;) {
    const ssize_t count =
        ::send(socket.number(), packet.data(), packet.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (count >= 0) return SendState::sent;
    if (errno == EINTR) continue;
    return errno == EAGAIN || errno == ENOBUFS ? SendState::full : SendState::closed;
  }
}

void wipe(std::span<std::byte> bytes) {
  explicit_bzero(bytes.data(), bytes.size());
}

}  // namespace tracebed
