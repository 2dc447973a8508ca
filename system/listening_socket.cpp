#include "system/listening_socket.h"

#include <arpa/inet.h>
#include <array>
#include <cerrno>
#include <fmt/format.h>
#include <sys/socket.h>

#include "core/input_error.h"

namespace tracebed {

FileDescriptor listening_socket(const std::string& address, std::uint16_t port,
                                std::string_view purpose) {
  FileDescriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  sockaddr_in place = {};
  place.sin_family = AF_INET;
  place.sin_port = htons(port);
  const void* const bytes = &place;
  const int yes = 1;
  if (::inet_pton(AF_INET, address.c_str(), &place.sin_addr) == 1 && socket.is_open() &&
      ::setsockopt(socket.number(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes)) == 0 &&
      ::bind(socket.number(), static_cast<const sockaddr*>(bytes), sizeof(place)) == 0 &&
      ::listen(socket.number(), SOMAXCONN) == 0) {
    return socket;
  }
  throw EnvironmentError(
      fmt::format("cannot listen on {}:{} for {}: {}", address, port, purpose, error_text(errno)));
}

std::uint16_t bound_port(const FileDescriptor& socket) {
  sockaddr_in place = {};
  socklen_t bytes = sizeof(place);
  void* const written = &place;
  ::getsockname(socket.number(), static_cast<sockaddr*>(written), &bytes);
  return ntohs(place.sin_port);
}

std::string ipv4_text(in_addr address) {
  std::array<char, INET_ADDRSTRLEN> text{};
  ::inet_ntop(AF_INET, &address, text.data(), text.size());
  return text.data();
}

}  // namespace tracebed
