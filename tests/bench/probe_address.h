// Where signal_probe tells its bench what it sees: a datagram socket with an abstract name, which a
// container can reach whatever its user.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <sys/socket.h>
#include <sys/un.h>

namespace tracebed {

struct ProbeAddress {
  sockaddr_un address = {};
  socklen_t bytes = 0;

  ProbeAddress() {
    constexpr std::string_view name = "tracebed-order-bench";
    address.sun_family = AF_UNIX;
    std::copy(name.begin(), name.end(), address.sun_path + 1);  // the first byte stays 0
    bytes = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  }
  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&address); }
};

}  // namespace tracebed
