// One end of a SEQPACKET connection that never blocks: packets that the other side does not take
// yet are queued here.
#pragma once

#include <array>
#include <cstddef>
#include <deque>
#include <span>
#include <string>
#include <vector>

#include "agents/launcher/messages.h"
#include "system/file_descriptor.h"

namespace tracebed::launcher {

class PacketChannel {
 public:
  PacketChannel() = default;
  explicit PacketChannel(FileDescriptor socket) : socket_(std::move(socket)) {}

  bool is_open() const { return socket_.is_open(); }
  int number() const { return socket_.number(); }
  // Forgets what was not sent.
  void close();

  // Sends, or keeps for flush(). A broken connection is noticed by receive().
  void send(std::vector<std::byte> packet);
  void flush();
  bool has_unsent() const { return !unsent_.empty(); }

  enum class Received { packet, nothing, malformed, closed };
  // The next packet is in `packet`; the reason why one is malformed in `error`.
  Received receive(Packet& packet, std::string& error);

 private:
  FileDescriptor socket_;
  std::deque<std::vector<std::byte>> unsent_;
  std::array<std::byte, packet_bytes_max> buffer_;
};

}  // namespace tracebed::launcher
