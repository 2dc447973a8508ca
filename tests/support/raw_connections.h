// Connections of a peer that says nothing, or what a test has it say.
#pragma once

#include <arpa/inet.h>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <netinet/in.h>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <vector>

#include "system/file_descriptor.h"

namespace tracebed::test {

// Not open if nobody listens there. `from` is a loopback address of the peer's.
inline FileDescriptor raw_connection(std::uint16_t port, const char* from = "127.0.0.1") {
  FileDescriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const auto place = [](const char* address, std::uint16_t at) {
    sockaddr_in made{};
    made.sin_family = AF_INET;
    made.sin_port = htons(at);
    ::inet_pton(AF_INET, address, &made.sin_addr);
    return made;
  };
  const sockaddr_in own = place(from, 0);
  const sockaddr_in other = place("127.0.0.1", port);
  const auto as_address = [](const sockaddr_in& address) {
    return reinterpret_cast<const sockaddr*>(&address);
  };
  if (::bind(socket.number(), as_address(own), sizeof(own)) != 0 ||
      ::connect(socket.number(), as_address(other), sizeof(other)) != 0) {
    socket.reset();
  }
  return socket;
}

inline std::vector<FileDescriptor> raw_connections(std::uint16_t port, std::size_t count) {
  std::vector<FileDescriptor> connections;
  for (std::size_t i = 0; i < count; ++i) connections.push_back(raw_connection(port));
  return connections;
}

// Of "tcp://ADDRESS:PORT".
inline std::uint16_t port_of_endpoint(const std::string& endpoint) {
  return static_cast<std::uint16_t>(std::stoi(endpoint.substr(endpoint.rfind(':') + 1)));
}

// Whether the other end has closed it, without waiting.
inline bool is_closed_by_peer(const FileDescriptor& connection) {
  char byte = 0;
  for (;;) {
    const ssize_t got = ::recv(connection.number(), &byte, 1, MSG_DONTWAIT);
    if (got == 0) return true;
    if (got < 0) return errno != EAGAIN;
  }
}

}  // namespace tracebed::test
