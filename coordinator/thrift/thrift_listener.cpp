#include "coordinator/thrift/thrift_listener.h"

#include <cerrno>
#include <event2/event.h>
#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <thrift/transport/TSocket.h>
#include <unistd.h>

#include "core/input_error.h"
#include "system/listening_socket.h"

namespace tracebed {
namespace {

constexpr int clients_waiting_max = 128;

}  // namespace

ThriftListener::ThriftListener(const std::string& address, std::uint16_t port,
                               const std::string& purpose, const GateLimits& limits)
    : listener_(listening_socket(address, port, purpose)),
      port_(bound_port(listener_)),
      gate_(std::make_unique<ConnectionGate>(port_, limits)),
      bell_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK | EFD_SEMAPHORE)),
      bell_for_thrift_(::fcntl(bell_.number(), F_DUPFD_CLOEXEC, 0)) {
  if (!bell_.is_open() || bell_for_thrift_ < 0) {
    throw EnvironmentError("not enough resources for " + purpose + ": " + error_text(errno));
  }
}

ThriftListener::~ThriftListener() = default;

void ThriftListener::FreeEvent::operator()(event* event) const {
  event_free(event);
}

void ThriftListener::accept_in(event_base* base) {
  accept_event_.reset(event_new(
      base, listener_.number(), EV_READ | EV_PERSIST,
      [](evutil_socket_t, short, void* self) { static_cast<ThriftListener*>(self)->accept_all(); },
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
void ThriftListener::accept_all() {
  for (int i = 0; i < clients_waiting_max; ++i) {
    FileDescriptor accepted(
        ConnectionGate::accept(listener_.number(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!accepted.is_open()) return;
    accepted_.push_back(std::move(accepted));
    const std::uint64_t one = 1;
    static_cast<void>(::write(bell_.number(), &one, sizeof(one)));
  }
}

std::shared_ptr<apache::thrift::transport::TSocket> ThriftListener::acceptImpl() {
  std::uint64_t one = 0;
  static_cast<void>(::read(bell_.number(), &one, sizeof(one)));
  // The bell rings once for each.
  const auto connection =
      std::make_shared<apache::thrift::transport::TSocket>(accepted_.front().release());
  accepted_.pop_front();
  return connection;
}

}  // namespace tracebed
