#include "agents/launcher/packet_channel.h"

#include <cerrno>
#include <sys/socket.h>

namespace tracebed::launcher {

void PacketChannel::close() {
  socket_.reset();
  unsent_.clear();
}

void PacketChannel::send(std::vector<std::byte> packet) {
  unsent_.push_back(std::move(packet));
  flush();
}

void PacketChannel::flush() {
  while (!unsent_.empty() && is_open()) {
    const std::vector<std::byte>& packet = unsent_.front();
    const ssize_t sent =
        ::send(number(), packet.data(), packet.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0 && (errno == EAGAIN || errno == ENOBUFS)) return;
    unsent_.pop_front();  // sent whole, or the connection is broken
  }
}

PacketChannel::Received PacketChannel::receive(Packet& packet, std::string& error) {
  // MSG_TRUNC gives the packet's real length, so that one that was cut is seen as too long.
  const auto take = [&] {
    return recv(number(), buffer_.data(), buffer_.size(), MSG_DONTWAIT | MSG_TRUNC);
  };
  ssize_t count = take();
  // A peer that closed before it had read all leaves this error, once, before what it sent last.
  if (count < 0 && errno == ECONNRESET) count = take();
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return Received::nothing;
  if (count <= 0) return Received::closed;
  const auto bytes = static_cast<std::size_t>(count);
  Result<Packet> decoded =
      bytes <= buffer_.size()
          ? decode(std::span(buffer_).first(bytes))
          : Result<Packet>(Error{"expected a packet of at most " + std::to_string(buffer_.size()) +
                                 " bytes, got " + std::to_string(bytes)});
  if (!decoded) {
    error = decoded.error().message;
    return Received::malformed;
  }
  packet = *decoded;
  return Received::packet;
}

}  // namespace tracebed::launcher
