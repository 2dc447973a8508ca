#include "daemon/stream_server.h"

#include <atomic>
#include <event2/event.h>
#include <list>
#include <map>
#include <netinet/in.h>
#include <optional>
#include <sys/socket.h>
#include <thread>
#include <vector>

#include "core/input_error.h"
#include "system/event_descriptor.h"
#include "system/listening_socket.h"
#include "system/thread_without_signals.h"

namespace tracebed {
namespace {

constexpr std::size_t scratch_bytes = std::size_t{256} << 10;
constexpr int accepted_at_a_time = 64;
constexpr timeval sweep_period{.tv_sec = 0, .tv_usec = 250'000};

template <auto Free>
struct Freed {
  void operator()(auto* thing) const { Free(thing); }
};
using LoopBase = std::unique_ptr<event_base, Freed<event_base_free>>;
using LoopEvent = std::unique_ptr<event, Freed<event_free>>;

}  // namespace

struct StreamServer::Parts {
  struct Watched {
    std::function<void()> react;
    LoopEvent event;
  };

  Parts(const StreamServerOptions& options, MakeProtocol make)
      : listener(listening_socket(options.address, options.port, options.purpose)),
        port(bound_port(listener)),
        make_protocol(std::move(make)),
        gate(port, options.connections),
        base(event_base_new()) {
    if (!base) throw EnvironmentError("not enough resources for " + options.purpose);
    scratch.resize(scratch_bytes);
    reaper = make_event(
        -1, 0, [](evutil_socket_t, short, void* self) { static_cast<Parts*>(self)->reap(); }, this);
    loop = {base.get(), &gate, options.streams, 0, 0, scratch, reaper.get(), {}};
  }

  LoopEvent make_event(int descriptor, short what, void (*call)(evutil_socket_t, short, void*),
                       void* argument) {
    LoopEvent made(event_new(base.get(), descriptor, what, call, argument));
    if (!made) throw EnvironmentError("not enough resources for a server's events");
    return made;
  }
  void accept_all();
  void sweep();
  void reap();

  FileDescriptor listener;
  const std::uint16_t port;
  MakeProtocol make_protocol;
  ConnectionGate gate;
  EventDescriptor stop;
  std::vector<std::byte> scratch;
  LoopBase base;
  LoopEvent reaper;
  StreamLoop loop;
  std::list<Watched> watched;  // whose elements stay in place
  std::vector<LoopEvent> events;
  std::map<std::uint64_t, StreamConnection> connections;
  std::uint64_t last_number = 0;
  std::atomic<std::uint64_t> too_slow = 0;
  std::thread thread;
};

void StreamServer::Parts::accept_all() {
  for (int i = 0; i < accepted_at_a_time; ++i) {
    sockaddr_in peer = {};
    socklen_t bytes = sizeof(peer);
    void* const place = &peer;
    FileDescriptor accepted(ConnectionGate::accept(listener.number(), static_cast<sockaddr*>(place),
                                                   &bytes, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!accepted.is_open()) return;
    const std::uint64_t number = ++last_number;
    StreamConnection& connection =
        connections.try_emplace(number, loop, std::move(accepted), number, ipv4_text(peer.sin_addr))
            .first->second;
    connection.serve(make_protocol(connection));
    connection.start();
  }
}

void StreamServer::Parts::sweep() {
  gate.sweep();
  const auto now = StreamConnection::Clock::now();
  for (auto& [number, connection] : connections) connection.check(now);
  too_slow = loop.too_slow;
}

void StreamServer::Parts::reap() {
  for (const std::uint64_t number : loop.closed) connections.erase(number);
  loop.closed.clear();
}

StreamServer::StreamServer(const StreamServerOptions& options, MakeProtocol make)
    : parts_(std::make_unique<Parts>(options, std::move(make))) {}

StreamServer::~StreamServer() {
  stop();
}

void StreamServer::stop() {
  parts_->stop.ring();
  if (parts_->thread.joinable()) parts_->thread.join();
}

void StreamServer::watch(int descriptor, std::function<void()> react) {
  Parts::Watched& watched = parts_->watched.emplace_back();
  watched.react = std::move(react);
  watched.event = parts_->make_event(
      descriptor, EV_READ | EV_PERSIST,
      [](evutil_socket_t, short, void* self) { static_cast<Parts::Watched*>(self)->react(); },
      &watched);
  event_add(watched.event.get(), nullptr);
}

void StreamServer::start() {
  Parts& parts = *parts_;
  parts.events.push_back(parts.make_event(
      parts.stop.number(), EV_READ,
      [](evutil_socket_t, short, void* base) {
        event_base_loopbreak(static_cast<event_base*>(base));
      },
      parts.base.get()));
  event_add(parts.events.back().get(), nullptr);
  parts.events.push_back(parts.make_event(
      parts.listener.number(), EV_READ | EV_PERSIST,
      [](evutil_socket_t, short, void* self) { static_cast<Parts*>(self)->accept_all(); }, &parts));
  event_add(parts.events.back().get(), nullptr);
  parts.events.push_back(parts.make_event(
      -1, EV_PERSIST,
      [](evutil_socket_t, short, void* self) { static_cast<Parts*>(self)->sweep(); }, &parts));
  event_add(parts.events.back().get(), &sweep_period);
  // Signals are for the daemon's own loop.
  parts.thread = thread_without_signals([base = parts.base.get()] { event_base_dispatch(base); });
}

StreamConnection* StreamServer::find(std::uint64_t number) {
  const auto found = parts_->connections.find(number);
  return found == parts_->connections.end() ? nullptr : &found->second;
}

void StreamServer::reply(StreamConnection& connection, std::size_t replies) {
  connection.proceed(replies);
}

std::uint16_t StreamServer::port() const {
  return parts_->port;
}

StreamFigures StreamServer::figures() const {
  return {parts_->gate.figures(), parts_->too_slow};
}

}  // namespace tracebed
