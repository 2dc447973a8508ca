// One end of the connection between a daemon and its shuffle server.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "system/file_descriptor.h"

namespace tracebed {

enum class PacketState : std::uint8_t { packet, nothing, closed };

// Receives a packet without waiting. One that is longer than shuffle_packet_bytes_max is cut, which
// no decoder accepts.
PacketState receive_packet(const FileDescriptor& socket, std::vector<std::byte>& packet);

enum class SendState : std::uint8_t { sent, full, closed };
// Without waiting.
SendState send_packet(const FileDescriptor& socket, std::span<const std::byte> packet);

// Overwrites what may have been a key.
void wipe(std::span<std::byte> bytes);

}  // namespace tracebed
