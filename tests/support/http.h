// Asking an HTTP server on this machine as a client does that knows no manners.
#pragma once

#include <arpa/inet.h>
#include <array>
#include <cstdint>
#include <netinet/in.h>
#include <string>
#include <sys/socket.h>
#include <unistd.h>

#include "system/file_descriptor.h"

namespace tracebed::test {

// What comes back until the server closes; empty if it does not answer.
inline std::string http_exchange(std::uint16_t port, const std::string& request) {
  const FileDescriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const auto* place = reinterpret_cast<const sockaddr*>(&address);
  if (::connect(socket.number(), place, sizeof(address)) != 0) return {};
  if (::send(socket.number(), request.data(), request.size(), MSG_NOSIGNAL) < 0) return {};
  std::string answer;
  std::array<char, 4096> piece;
  for (ssize_t got = 1; got > 0;) {
    got = ::recv(socket.number(), piece.data(), piece.size(), 0);
    if (got > 0) answer.append(piece.data(), static_cast<std::size_t>(got));
  }
  return answer;
}

// `headers` end with "\r\n" each.
inline std::string http_request(const std::string& method, const std::string& path,
                                const std::string& headers = {}) {
  return method + " " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n" + headers + "\r\n";
}

inline std::string http_get(std::uint16_t port, const std::string& path,
                            const std::string& headers = {}) {
  return http_exchange(port, http_request("GET", path, headers));
}

inline std::string bearer(const std::string& token) {
  return "Authorization: Bearer " + token + "\r\n";
}

// Of an answer; empty if there is none.
inline std::string http_body(const std::string& answer) {
  const std::size_t end = answer.find("\r\n\r\n");
  return end == std::string::npos ? std::string() : answer.substr(end + 4);
}

}  // namespace tracebed::test
