// A server on a loopback address whose behaviour a test states: a function that is called, on a
// thread of its own, for each connection.
#pragma once

#include <arpa/inet.h>
#include <array>
#include <atomic>
#include <functional>
#include <list>
#include <mutex>
#include <netinet/in.h>
#include <optional>
#include <poll.h>
#include <stdexcept>
#include <string>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <variant>

#include "hdfs_client/connection.h"
#include "system/event_descriptor.h"
#include "system/file_descriptor.h"

namespace tracebed::hdfs::test {

// The peer's end. Everything ends early, with false or nothing, when the test ends.
class PeerConnection {
 public:
  PeerConnection(FileDescriptor socket, int end) : socket_(std::move(socket)), end_(end) {}

  bool send(Bytes bytes) {
    while (!bytes.empty() && wait(POLLOUT)) {
      const ssize_t count =
          ::send(socket_.number(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
      if (count < 0) return false;
      bytes = bytes.subspan(static_cast<std::size_t>(count));
    }
    return bytes.empty();
  }
  bool send(const std::string& bytes) { return send(std::as_bytes(std::span(bytes))); }

  // What has been received and not consumed.
  Bytes unread() const { return std::as_bytes(std::span(received_)); }
  void consume(std::size_t count) { received_.erase(0, count); }
  // Until that many bytes are unread; false if the client closes before.
  bool receive(std::size_t count) {
    std::array<char, 1 << 16> piece;
    while (received_.size() < count) {
      if (!wait(POLLIN)) return false;
      const ssize_t got = ::recv(socket_.number(), piece.data(), piece.size(), 0);
      if (got <= 0) return false;
      received_.append(piece.data(), static_cast<std::size_t>(got));
    }
    return true;
  }
  // The next value that `parse` finds; nothing if the client closes before, or sends nonsense.
  template <class Parse>
  auto next(const Parse& parse)
      -> std::optional<std::decay_t<decltype(std::get<1>(parse(Bytes())).value)>> {
    while (true) {
      auto result = parse(unread());
      if (auto* parsed = std::get_if<1>(&result)) {
        consume_later_ = parsed->bytes;
        return std::move(parsed->value);
      }
      const auto* more = std::get_if<NeedMore>(&result);
      if (more == nullptr || !receive(more->bytes)) return std::nullopt;
    }
  }
  // Of the value that next() returned last, which views the bytes.
  void done() { consume(std::exchange(consume_later_, 0)); }

  // Says and hears nothing until the client closes.
  void hang() {
    std::array<char, 1 << 16> piece;
    while (wait(POLLIN) && ::recv(socket_.number(), piece.data(), piece.size(), 0) > 0) {
    }
  }
  // As hang(), but does not even receive.
  void freeze() {
    pollfd end{end_, POLLIN, 0};
    ::poll(&end, 1, -1);
  }

 private:
  bool wait(short events) const {
    std::array<pollfd, 2> polled{pollfd{socket_.number(), events, 0}, pollfd{end_, POLLIN, 0}};
    return ::poll(polled.data(), polled.size(), -1) > 0 && polled[1].revents == 0;
  }

  FileDescriptor socket_;
  int end_;
  std::string received_;
  std::size_t consume_later_ = 0;
};

class LoopbackPeer {
 public:
  // `number` is that of the connection, from 0.
  using Behaviour = std::function<void(PeerConnection& client, int number)>;

  explicit LoopbackPeer(Behaviour behaviour, const std::string& address = "127.0.0.1")
      : behaviour_(std::move(behaviour)),
        listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in place{};
    place.sin_family = AF_INET;
    inet_pton(AF_INET, address.c_str(), &place.sin_addr);
    socklen_t size = sizeof(place);
    if (::bind(listener_.number(), reinterpret_cast<sockaddr*>(&place), size) != 0 ||
        ::listen(listener_.number(), 64) != 0) {
      throw std::runtime_error("no port on " + address);
    }
    ::getsockname(listener_.number(), reinterpret_cast<sockaddr*>(&place), &size);
    endpoint_ = {address, ntohs(place.sin_port)};
    acceptor_ = std::thread([this] { accept_all(); });
  }
  ~LoopbackPeer() { stop(); }
  LoopbackPeer(const LoopbackPeer&) = delete;
  LoopbackPeer& operator=(const LoopbackPeer&) = delete;

  // Connections are refused from now on, and those that there are, closed.
  void stop() {
    end_.ring();
    if (acceptor_.joinable()) acceptor_.join();
    listener_.reset();
    for (std::thread& served : served_) served.join();
    served_.clear();
  }

  const Endpoint& endpoint() const { return endpoint_; }
  int connections() const { return connections_; }
  // Of the last client, in digits.
  std::string client_address() const {
    const std::lock_guard lock(mutex_);
    return client_address_;
  }

 private:
  void accept_all() {
    while (true) {
      std::array<pollfd, 2> polled{pollfd{listener_.number(), POLLIN, 0},
                                   pollfd{end_.number(), POLLIN, 0}};
      ::poll(polled.data(), polled.size(), -1);
      if (polled[1].revents != 0) return;
      sockaddr_in client{};
      socklen_t size = sizeof(client);
      FileDescriptor socket(
          ::accept4(listener_.number(), reinterpret_cast<sockaddr*>(&client), &size, SOCK_CLOEXEC));
      if (!socket.is_open()) continue;
      std::array<char, INET_ADDRSTRLEN> text{};
      inet_ntop(AF_INET, &client.sin_addr, text.data(), text.size());
      {
        const std::lock_guard lock(mutex_);
        client_address_ = text.data();
      }
      const int number = connections_++;
      served_.emplace_back([this, number, socket = std::move(socket)]() mutable {
        PeerConnection connection(std::move(socket), end_.number());
        behaviour_(connection, number);
      });
    }
  }

  Behaviour behaviour_;
  FileDescriptor listener_;
  EventDescriptor end_;
  Endpoint endpoint_;
  std::atomic<int> connections_ = 0;
  mutable std::mutex mutex_;
  std::string client_address_;
  std::list<std::thread> served_;
  std::thread acceptor_;
};

}  // namespace tracebed::hdfs::test
