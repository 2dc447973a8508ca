#include "daemon/http_server.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/keyvalq_struct.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <optional>
#include <spdlog/spdlog.h>
#include <string_view>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <utility>

#include "core/input_error.h"
#include "system/connection_gate.h"
#include "system/file_descriptor.h"
#include "system/thread_without_signals.h"
#include "system/token_set.h"

namespace tracebed {
namespace {

template <auto Free>
struct FreeBy {
  void operator()(auto* thing) const { Free(thing); }
};
using Base = std::unique_ptr<event_base, FreeBy<event_base_free>>;
using Http = std::unique_ptr<evhttp, FreeBy<evhttp_free>>;
using Event = std::unique_ptr<event, FreeBy<event_free>>;

// All that there are: what is left out here the library answers with 501, as if unknown.
constexpr ev_uint16_t methods = EVHTTP_REQ_GET | EVHTTP_REQ_HEAD | EVHTTP_REQ_POST |
                                EVHTTP_REQ_PUT | EVHTTP_REQ_DELETE | EVHTTP_REQ_OPTIONS |
                                EVHTTP_REQ_TRACE | EVHTTP_REQ_CONNECT | EVHTTP_REQ_PATCH;

// A client sends a line, a handful of headers and perhaps a body; who sends more headers, or
// nothing for so long, loses the connection.
constexpr int header_bytes_max = 8'192;
constexpr int silence_seconds = 5;
// Between two looks for an answer that was not there.
constexpr timeval look_again{.tv_sec = 0, .tv_usec = 20'000};

GateLimits limits_of(const HttpServerOptions& door) {
  GateLimits limits;
  limits.connections_max = 64;
  limits.per_peer_max = 32;
  limits.unproven_max = 16;
  limits.proof_timeout = door.request_timeout;
  limits.idle_max = 3 * door.request_timeout;  // an answer may be long, and is taken before
  return limits;
}

void end_loop(evutil_socket_t, short, void* base) {
  event_base_loopexit(static_cast<event_base*>(base), nullptr);
}

void sweep_gate(evutil_socket_t, short, void* gate) {
  static_cast<ConnectionGate*>(gate)->sweep();
}

std::vector<std::string_view> segments_of(std::string_view path) {
  std::vector<std::string_view> segments;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    segments.push_back(path.substr(begin, end - begin));
    begin = end + 1;
  }
  return segments;
}

std::string decoded(std::string_view text) {
  std::size_t bytes = 0;
  const std::unique_ptr<char, FreeBy<std::free>> made(
      evhttp_uridecode(std::string(text).c_str(), 0, &bytes));
  return made ? std::string(made.get(), bytes) : std::string();
}

// The parts of a path that stand in places of the route; nothing if it is another path.
std::optional<std::vector<std::string>> match(const std::vector<std::string_view>& route,
                                              const std::vector<std::string>& path) {
  if (route.size() != path.size()) return std::nullopt;
  std::vector<std::string> found;
  for (std::size_t i = 0; i < route.size(); ++i) {
    if (route[i].starts_with('{') && !path[i].empty()) {
      found.push_back(path[i]);
    } else if (route[i] != path[i]) {
      return std::nullopt;
    }
  }
  return found;
}

std::string header_of(evhttp_request* request, const char* name) {
  const char* const value = evhttp_find_header(evhttp_request_get_input_headers(request), name);
  return value == nullptr ? std::string() : std::string(value);
}

std::string body_of(evhttp_request* request) {
  evbuffer* const buffer = evhttp_request_get_input_buffer(request);
  std::string body(evbuffer_get_length(buffer), '\0');
  evbuffer_copyout(buffer, body.data(), body.size());
  return body;
}

std::string peer_of(evhttp_request* request) {
  char* address = nullptr;
  ev_uint16_t port = 0;
  evhttp_connection_get_peer(evhttp_request_get_connection(request), &address, &port);
  return fmt::format("{}:{}", address == nullptr ? "" : address, port);
}

bool is_read(evhttp_cmd_type command) {
  return command == EVHTTP_REQ_GET || command == EVHTTP_REQ_HEAD;
}

// None for a method that no page answers.
std::optional<HttpMethod> method_of(evhttp_cmd_type command) {
  if (is_read(command)) return HttpMethod::get;
  return command == EVHTTP_REQ_PUT ? std::optional(HttpMethod::put) : std::nullopt;
}

const char* names_of(HttpMethod method) {
  switch (method) {
    case HttpMethod::get:
      return "GET, HEAD";
    case HttpMethod::put:
      return "PUT";
  }
  return "";
}

void read_query(const char* text, HttpRequest& request) {
  evkeyvalq pairs = {};
  if (text == nullptr || evhttp_parse_query_str(text, &pairs) != 0) return;
  for (const evkeyval* pair = pairs.tqh_first; pair != nullptr; pair = pair->next.tqe_next) {
    request.query.emplace(pair->key, pair->value);
  }
  evhttp_clear_headers(&pairs);
}

}  // namespace

struct HttpServer::Parts {
  struct Route {
    std::vector<std::string_view> segments;  // of the page's key
    const HttpRoute* key = nullptr;
    const Page* page = nullptr;
  };
  // The pages of the path that a request is for, by their methods.
  struct Found {
    std::vector<std::string> path_parameters;
    std::vector<const Route*> routes;
  };
  // A request whose answer is not there yet.
  struct Pending {
    evhttp_request* request = nullptr;
    std::function<std::optional<HttpResponse>()> look;
  };

  TokenSet tokens{{}};
  Pages pages;
  std::vector<Route> routes;  // into pages, in their order
  FileDescriptor stop;
  std::uint16_t port = 0;
  std::vector<Pending> pending;
  // In this order: what is declared last goes first.
  std::optional<ConnectionGate> gate;
  Base base;
  Event stop_event;
  Event sweep_event;
  Event look_event;
  Http http;
  std::thread thread;

  // The name of the token that it was sent with, or none if it may not ask.
  std::optional<std::string> authorised(evhttp_request* request) const {
    if (tokens.allows_all()) return "";
    constexpr std::string_view scheme = "Bearer ";
    const std::string given = header_of(request, "Authorization");
    if (!given.starts_with(scheme)) return std::nullopt;
    return tokens.name_of(std::string_view(given).substr(scheme.size()));
  }

  // Not by evhttp_send_error, which would drop the header.
  static void refuse(evhttp_request* request, int status, const char* header, const char* value) {
    evhttp_add_header(evhttp_request_get_output_headers(request), header, value);
    evhttp_send_reply(request, status, nullptr, nullptr);
  }

  Found find(const char* path) const {
    std::vector<std::string> segments;
    for (const std::string_view segment : segments_of(path == nullptr ? "" : path)) {
      segments.push_back(decoded(segment));
    }
    Found found;
    for (const Route& route : routes) {
      if (!found.routes.empty()) {
        if (route.key->path == found.routes.front()->key->path) found.routes.push_back(&route);
        continue;
      }
      std::optional<std::vector<std::string>> parameters = match(route.segments, segments);
      if (!parameters) continue;
      found.path_parameters = *std::move(parameters);
      found.routes.push_back(&route);
    }
    return found;
  }

  void answer(evhttp_request* request) {
    const evhttp_uri* const uri = evhttp_request_get_evhttp_uri(request);
    Found found = find(uri == nullptr ? nullptr : evhttp_uri_get_path(uri));
    if (found.routes.empty()) return evhttp_send_error(request, HTTP_NOTFOUND, nullptr);
    std::optional<std::string> token = authorised(request);
    if (!token) return refuse(request, 401, "WWW-Authenticate", "Bearer");
    gate->prove(bufferevent_getfd(
        evhttp_connection_get_bufferevent(evhttp_request_get_connection(request))));
    const evhttp_cmd_type command = evhttp_request_get_command(request);
    const std::optional<HttpMethod> method = method_of(command);
    const auto route = std::find_if(found.routes.begin(), found.routes.end(),
                                    [&](const Route* one) { return one->key->method == method; });
    if (route == found.routes.end()) {
      std::string allowed;
      for (const Route* one : found.routes) {
        allowed += (allowed.empty() ? "" : ", ") + std::string(names_of(one->key->method));
      }
      return refuse(request, HTTP_BADMETHOD, "Allow", allowed.c_str());
    }
    if (is_read(command) && evbuffer_get_length(evhttp_request_get_input_buffer(request)) > 0) {
      return evhttp_send_error(request, HTTP_ENTITYTOOLARGE, nullptr);
    }
    HttpRequest asked{std::move(found.path_parameters), {}, header_of(request, "Accept")};
    read_query(evhttp_uri_get_query(uri), asked);
    asked.content_type = header_of(request, "Content-Type");
    asked.body = body_of(request);
    asked.peer = peer_of(request);
    asked.token_name = *std::move(token);
    const Page& page = *(*route)->page;
    send(request, [&] { return std::optional(page(asked)); });
  }

  // Sends what `make` returns, or asks again later. No exception may pass through the C library
  // that called this. Returns whether the request is answered.
  template <class Make>
  bool send(evhttp_request* request, Make make) {
    try {
      std::optional<HttpResponse> made = make();
      if (made && made->later) {
        pending.push_back({request, std::move(made->later)});
        // A request ends with its connection.
        evhttp_connection_set_closecb(evhttp_request_get_connection(request), forget, this);
        event_add(look_event.get(), &look_again);
        return false;
      }
      if (!made) return false;
      evhttp_add_header(evhttp_request_get_output_headers(request), "Content-Type",
                        made->type.c_str());
      if (evhttp_request_get_command(request) != EVHTTP_REQ_HEAD) {
        evbuffer_add(evhttp_request_get_output_buffer(request), made->body.data(),
                     made->body.size());
      }
      evhttp_send_reply(request, made->status, nullptr, nullptr);
    } catch (const std::exception& error) {
      spdlog::warn("cannot produce a page requested over HTTP: {}", error.what());
      evhttp_send_error(request, HTTP_INTERNAL, nullptr);
    }
    return true;
  }

  static void forget(evhttp_connection* connection, void* server) {
    std::erase_if(static_cast<Parts*>(server)->pending, [&](const Pending& one) {
      return evhttp_request_get_connection(one.request) == connection;
    });
  }

  void look() {
    // Sending may close a connection, and so change the list.
    for (const Pending& one : std::exchange(pending, {})) {
      evhttp_connection_set_closecb(evhttp_request_get_connection(one.request), nullptr, nullptr);
      if (send(one.request, one.look)) continue;
      pending.push_back(one);
      evhttp_connection_set_closecb(evhttp_request_get_connection(one.request), forget, this);
    }
    if (!pending.empty()) event_add(look_event.get(), &look_again);
  }
};

HttpServer::HttpServer(const HttpServerOptions& door, const Pages& pages)
    : parts_(std::make_unique<Parts>()) {
  Parts& parts = *parts_;
  parts.tokens.replace(door.tokens.all);
  parts.pages = pages;
  for (const auto& [route, page] : parts.pages) {
    parts.routes.push_back({segments_of(route.path), &route, &page});
  }
  parts.stop.reset(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  parts.base.reset(event_base_new());
  if (parts.base) parts.http.reset(evhttp_new(parts.base.get()));
  if (!parts.http || !parts.stop.is_open()) {
    throw EnvironmentError("not enough resources for an HTTP server");
  }
  evhttp* const http = parts.http.get();
  evhttp_set_allowed_methods(http, methods);
  evhttp_set_max_headers_size(http, header_bytes_max);
  evhttp_set_max_body_size(http, static_cast<ev_ssize_t>(door.body_bytes_max));
  // A body that is too long is read to its end, and not kept: else its sender, which is still
  // writing, would find the connection reset and no answer.
  if (door.body_bytes_max > 0) evhttp_set_flags(http, EVHTTP_SERVER_LINGERING_CLOSE);
  evhttp_set_timeout(http, silence_seconds);
  evhttp_set_gencb(
      http,
      [](evhttp_request* request, void* server) { static_cast<Parts*>(server)->answer(request); },
      &parts);
  evhttp_bound_socket* const bound =
      evhttp_bind_socket_with_handle(http, door.address.c_str(), door.port);
  if (bound == nullptr) {
    throw EnvironmentError(fmt::format("cannot listen on {}:{} for HTTP: {}", door.address,
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
  parts.gate.emplace(static_cast<int>(evhttp_bound_socket_get_fd(bound)), limits_of(door));
  parts.sweep_event.reset(event_new(parts.base.get(), -1, EV_PERSIST, sweep_gate, &*parts.gate));
  constexpr timeval sweep_period{.tv_sec = 0, .tv_usec = 250'000};
  event_add(parts.sweep_event.get(), &sweep_period);
  parts.look_event.reset(event_new(
      parts.base.get(), -1, 0,
      [](evutil_socket_t, short, void* server) { static_cast<Parts*>(server)->look(); }, &parts));
  // Signals are for the daemon's own loop.
  parts.thread = thread_without_signals([base = parts.base.get()] { event_base_dispatch(base); });
}

HttpServer::~HttpServer() {
  const std::uint64_t one = 1;
  static_cast<void>(::write(parts_->stop.number(), &one, sizeof(one)));
  if (parts_->thread.joinable()) parts_->thread.join();
}

void HttpServer::take_tokens(std::vector<NamedToken> tokens) {
  parts_->tokens.replace(std::move(tokens));
}

std::uint16_t HttpServer::port() const {
  return parts_->port;
}

}  // namespace tracebed
