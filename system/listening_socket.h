// A TCP socket that listens on an IPv4 address.
#pragma once

#include <cstdint>
#include <netinet/in.h>
#include <string>
#include <string_view>

#include "system/file_descriptor.h"

namespace tracebed {

// Neither blocks nor is inherited; port 0 is a free one. Throws EnvironmentError, which names the
// address and what was to be served ("the control service"), if the port cannot be bound.
FileDescriptor listening_socket(const std::string& address, std::uint16_t port,
                                std::string_view purpose);

// The port that it is bound to.
std::uint16_t bound_port(const FileDescriptor& socket);

// "127.0.0.1"
std::string ipv4_text(in_addr address);

}  // namespace tracebed
