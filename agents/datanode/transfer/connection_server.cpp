#include "agents/datanode/transfer/connection_server.h"

#include <cerrno>
#include <poll.h>
#include <sys/socket.h>

#include "agents/datanode/transfer/transfer_threads.h"
#include "system/listening_socket.h"

namespace tracebed {
namespace {

// Where there are no descriptors left, until some connection has ended.
constexpr int pause_milliseconds = 50;

}  // namespace

ConnectionServer::ConnectionServer(const Options& options, OpenSockets& sockets, Serve serve)
    : connections_max_(options.connections_max),
      sockets_(sockets),
      serve_(std::move(serve)),
      listener_(listening_socket(options.place.address, options.place.port, options.purpose)),
      port_(bound_port(listener_)),
      acceptor_([this] { accept_all(); }) {}

ConnectionServer::~ConnectionServer() {
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
  }
  woken_.ring();
  acceptor_.join();
  sockets_.end();
  {
    std::unique_lock lock(mutex_);
    connection_ended_.wait(lock, [this] { return connections_.empty(); });
  }
  clear_ended();
}

void ConnectionServer::wait_for_end(std::chrono::milliseconds timeout) {
  std::unique_lock lock(mutex_);
  connection_ended_.wait_for(lock, timeout, [this] { return connections_.empty(); });
}

std::size_t ConnectionServer::connections() const {
  const std::lock_guard lock(mutex_);
  return connections_.size();
}

std::uint64_t ConnectionServer::refused() const {
  const std::lock_guard lock(mutex_);
  return refused_;
}

void ConnectionServer::accept_all() {
  for (;;) {
    pollfd polled[] = {{listener_.number(), POLLIN, 0}, {woken_.number(), POLLIN, 0}};
    if (poll(polled, 2, -1) < 0) continue;
    if (polled[1].revents != 0) {
      woken_.clear();
      clear_ended();
      const std::lock_guard lock(mutex_);
      if (is_ending_) return;
    }
    if (polled[0].revents != 0) accept_one();
  }
}

void ConnectionServer::accept_one() {
  FileDescriptor socket(
      accept4(listener_.number(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
  if (socket.is_open()) {
    start(std::move(socket));
  } else if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
    pollfd polled{woken_.number(), POLLIN, 0};
    poll(&polled, 1, pause_milliseconds);
  }
}

void ConnectionServer::start(FileDescriptor socket) {
  const std::lock_guard lock(mutex_);
  if (connections_.size() + ended_.size() >= connections_max_) {
    ++refused_;
    return;
  }
  const auto connection = connections_.emplace(connections_.end());
  connection->socket.emplace(std::move(socket), sockets_);
  // The thread waits for the lock before it touches the list.
  connection->thread =
      SmallThread::start(transfer_stack_bytes, [this, connection] { serve(connection); });
  if (connection->thread) return;
  ++refused_;
  connections_.erase(connection);
}

void ConnectionServer::serve(Connections::iterator connection) {
  serve_(*connection->socket);
  connection->socket.reset();
  const std::lock_guard lock(mutex_);
  ended_.splice(ended_.end(), connections_, connection);
  connection_ended_.notify_all();
  woken_.ring();
}

void ConnectionServer::clear_ended() {
  Connections ended;
  {
    const std::lock_guard lock(mutex_);
    ended.splice(ended.end(), ended_);
  }
  // Their destructors join the threads, which have nothing left to do.
}

}  // namespace tracebed
