#include "system/service_notice.h"

#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstdlib>
#include <sys/socket.h>
#include <sys/un.h>

#include "core/input_error.h"

namespace tracebed {
namespace {

FileDescriptor connect_to(const std::string& path) {
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  if (path.size() < 2 || path.size() >= sizeof(address.sun_path)) {
    throw EnvironmentError("NOTIFY_SOCKET: expected the path of a socket, got '" + path + "'");
  }
  path.copy(address.sun_path, path.size());
  if (path.front() == '@') address.sun_path[0] = '\0';  // in the abstract namespace
  const auto bytes = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + path.size());
  FileDescriptor socket_end(socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (!socket_end.is_open() ||
      connect(socket_end.number(), reinterpret_cast<const sockaddr*>(&address), bytes) != 0) {
    throw EnvironmentError("NOTIFY_SOCKET: " + path +
                           " cannot be connected to: " + error_text(errno));
  }
  return socket_end;
}

}  // namespace

ServiceNotice::ServiceNotice() {
  const char* const path = std::getenv("NOTIFY_SOCKET");
  if (path == nullptr) return;
  socket_ = connect_to(path);
  const char* const watchdog = std::getenv("WATCHDOG_USEC");
  if (watchdog == nullptr) return;
  const std::string_view text = watchdog;
  std::int64_t microseconds = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), microseconds);
  if (parsed.ec != std::errc{} || parsed.ptr != text.data() + text.size() || microseconds <= 0) {
    throw EnvironmentError("WATCHDOG_USEC: expected microseconds, got '" + std::string(text) + "'");
  }
  turn_max_ =
      std::chrono::floor<std::chrono::milliseconds>(std::chrono::microseconds(microseconds) / 3);
}

void ServiceNotice::ready() {
  send("READY=1");
}

void ServiceNotice::status(const std::string& text) {
  if (text == status_) return;
  status_ = text;
  send("STATUS=" + text);
}

void ServiceNotice::stopping() {
  send("STOPPING=1");
}

void ServiceNotice::turn() {
  if (!socket_.is_open() || turn_max_ == std::chrono::milliseconds::max()) return;
  const auto now = std::chrono::steady_clock::now();
  if (now < next_turn_) return;
  next_turn_ = now + turn_max_ / 2;
  send("WATCHDOG=1");
}

// A manager that does not listen now is told again the next time; there is nobody else to tell.
void ServiceNotice::send(std::string_view message) {
  if (!socket_.is_open()) return;
  static_cast<void>(
      ::send(socket_.number(), message.data(), message.size(), MSG_NOSIGNAL | MSG_DONTWAIT));
}

}  // namespace tracebed
