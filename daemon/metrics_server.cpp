#include "daemon/metrics_server.h"

#include <csignal>
#include <cstring>
#include <event2/buffer.h>
#include <event2/event.h>
#include <event2/http.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

#include "core/input_error.h"
#include "system/file_descriptor.h"
#include "system/token.h"

namespace tracebed {
namespace {

template <auto Free>
struct FreeBy {
  void operator()(auto* thing) const { Free(thing); }
};
using Base = std::unique_ptr<event_base, FreeBy<event_base_free>>;
using Http = std::unique_ptr<evhttp, FreeBy<evhttp_free>>;
using Event = std::unique_ptr<event, FreeBy<event_free>>;

// A monitor sends a line and a handful of headers; who sends more, or nothing, is let go of.
constexpr int header_bytes_max = 8'192;
constexpr int body_bytes_max = 0;
constexpr int patience_seconds = 5;

void end_loop(evutil_socket_t, short, void* base) {
  event_base_loopexit(static_cast<event_base*>(base), nullptr);
}

}  // namespace

struct MetricsServer::Parts {
  std::string token;
  std::function<std::string()> page;
  FileDescriptor stop;
  std::uint16_t port = 0;
  // In this order: what is declared last goes first.
  Base base;
  Event stop_event;
  Http http;
  std::thread thread;

  bool is_authorised(evhttp_request* request) const {
    if (token.empty()) return true;
    const char* given =
        evhttp_find_header(evhttp_request_get_input_headers(request), "Authorization");
    constexpr std::string_view scheme = "Bearer ";
    const std::string_view text = given == nullptr ? "" : given;
    return text.starts_with(scheme) && is_same_token(text.substr(scheme.size()), token);
  }

  void answer(evhttp_request* request) const {
    evkeyvalq* headers = evhttp_request_get_output_headers(request);
    if (!is_authorised(request)) {
      evhttp_add_header(headers, "WWW-Authenticate", "Bearer");
      return evhttp_send_error(request, 401, "Unauthorized");
    }
    const std::string text = page();
    evhttp_add_header(headers, "Content-Type", "text/plain; version=0.0.4; charset=utf-8");
    evbuffer_add(evhttp_request_get_output_buffer(request), text.data(), text.size());
    evhttp_send_reply(request, HTTP_OK, "OK", nullptr);
  }
};

MetricsServer::MetricsServer(const MetricsDoor& door, std::function<std::string()> page)
    : parts_(std::make_unique<Parts>()) {
  Parts& parts = *parts_;
  parts.token = door.token;
  parts.page = std::move(page);
  parts.stop.reset(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  parts.base.reset(event_base_new());
  if (parts.base) parts.http.reset(evhttp_new(parts.base.get()));
  if (!parts.http || !parts.stop.is_open()) {
    throw EnvironmentError("there is no room for a server of metrics");
  }
  evhttp* const http = parts.http.get();
  evhttp_set_allowed_methods(http, EVHTTP_REQ_GET | EVHTTP_REQ_HEAD);
  evhttp_set_max_headers_size(http, header_bytes_max);
  evhttp_set_max_body_size(http, body_bytes_max);
  evhttp_set_timeout(http, patience_seconds);
  evhttp_set_cb(
      http, "/metrics",
      [](evhttp_request* request, void* server) { static_cast<Parts*>(server)->answer(request); },
      &parts);
  evhttp_bound_socket* const bound =
      evhttp_bind_socket_with_handle(http, door.address.c_str(), door.port);
  if (bound == nullptr) {
    throw EnvironmentError(fmt::format("cannot listen on {}:{} for metrics: {}", door.address,
                                       door.port, error_text(errno)));
  }
  sockaddr_in address = {};
  socklen_t bytes = sizeof(address);
  void* const place = &address;
  ::getsockname(evhttp_bound_socket_get_fd(bound), static_cast<sockaddr*>(place), &bytes);
  parts.port = ntohs(address.sin_port);
  parts.stop_event.reset(
      event_new(parts.base.get(), parts.stop.number(), EV_READ, end_loop, parts.base.get()));
  event_add(parts.stop_event.get(), nullptr);
  // Signals are for the daemon's own loop.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  parts.thread = std::thread([base = parts.base.get()] { event_base_dispatch(base); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

MetricsServer::~MetricsServer() {
  const std::uint64_t one = 1;
  static_cast<void>(::write(parts_->stop.number(), &one, sizeof(one)));
  if (parts_->thread.joinable()) parts_->thread.join();
}

std::uint16_t MetricsServer::port() const {
  return parts_->port;
}

}  // namespace tracebed
