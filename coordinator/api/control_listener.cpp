#include "coordinator/api/control_listener.h"

#include <arpa/inet.h>
#include <cerrno>
#include <event2/event.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <thrift/transport/TSocket.h>
#include <unistd.h>

#include "core/input_error.h"

namespace tracebed {
namespace {

constexpr int clients_waiting_max = 128;

FileDescriptor listen_on(const std::string& address, std::uint16_t port) {
  FileDescriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  sockaddr_in place = {};
  place.sin_family = AF_INET;
  place.sin_port = htons(port);
  const void* const bytes = &place;
  const int yes = 1;
  if (::inet_pton(AF_INET, address.c_str(), &place.sin_addr) == 1 && socket.is_open() &&
      ::setsockopt(socket.number(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes)) == 0 &&
      ::bind(socket.number(), static_cast<const sockaddr*>(bytes), sizeof(place)) == 0 &&
      ::listen(socket.number(), clients_waiting_max) == 0) {
    return socket;
  }
  throw EnvironmentError(fmt::format("cannot listen on {}:{} for the control service: {}", address,
                                     port, error_text(errno)));
}

std::uint16_t bound_port(const FileDescriptor& socket) {
  sockaddr_in place = {};
  socklen_t bytes = sizeof(place);
  void* const written = &place;
  ::getsockname(socket.number(), static_cast<sockaddr*>(written), &bytes);
  return ntohs(place.sin_port);
}

}  // namespace

ControlListener::ControlListener(const std::string& address, std::uint16_t port,
                                 const GateLimits& limits)
    : listener_(listen_on(address, port)),
      port_(bound_port(listener_)),
      gate_(std::make_unique<ConnectionGate>(port_, limits)),
      bell_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK | EFD_SEMAPHORE)),
      bell_for_thrift_(::fcntl(bell_.number(), F_DUPFD_CLOEXEC, 0)) {
  if (!bell_.is_open() || bell_for_thrift_ < 0) {
    throw EnvironmentError("not enough resources for the control service: " + error_text(errno));
  }
}

ControlListener::~ControlListener() = default;

void ControlListener::FreeEvent::operator()(event* event) const {
  event_free(event);
}

void ControlListener::accept_in(event_base* base) {
  accept_event_.reset(event_new(
      base, listener_.number(), EV_READ | EV_PERSIST,
      [](evutil_socket_t, short, void* self) { static_cast<ControlListener*>(self)->accept_all(); },
      this));
  event_add(accept_event_.get(), nullptr);
  sweep_event_.reset(event_new(
      base, -1, EV_PERSIST,
      [](evutil_socket_t, short, void* gate) { static_cast<ConnectionGate*>(gate)->sweep(); },
      gate_.get()));
  constexpr timeval sweep_period{.tv_sec = 0, .tv_usec = 250'000};
  event_add(sweep_event_.get(), &sweep_period);
}

// What is left is accepted when the loop comes round again.
void ControlListener::accept_all() {
  for (int i = 0; i < clients_waiting_max; ++i) {
    FileDescriptor accepted(
        ConnectionGate::accept(listener_.number(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!accepted.is_open()) return;
    accepted_.push_back(std::move(accepted));
    const std::uint64_t one = 1;
    static_cast<void>(::write(bell_.number(), &one, sizeof(one)));
  }
}

std::shared_ptr<apache::thrift::transport::TSocket> ControlListener::acceptImpl() {
  std::uint64_t one = 0;
  static_cast<void>(::read(bell_.number(), &one, sizeof(one)));
  // The bell rings once for each.
  const auto connection =
      std::make_shared<apache::thrift::transport::TSocket>(accepted_.front().release());
  accepted_.pop_front();
  return connection;
}

}  // namespace tracebed
