// One client's connection to a StreamServer: what it sent and was not taken yet, what is to be sent
// to it, and when it has been too slow. The server's thread alone uses it.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "system/file_descriptor.h"

struct event;
struct event_base;

namespace tracebed {

class ConnectionGate;

// What a client and a server say to each other: one object for each connection.
class StreamProtocol {
 public:
  virtual ~StreamProtocol() = default;
  // Takes whole requests from the beginning of the unread bytes, for as long as the connection
  // takes_more(), and returns how many bytes they had: 0 if more must arrive first. It bounds what
  // one request may have, as the unread bytes are kept until then.
  virtual std::size_t take(std::span<const std::byte> unread) = 0;
};

struct StreamLimits {
  // Of one client: no further request is taken while this many bytes are to be sent to it, or this
  // many replies are awaited.
  std::size_t unsent_bytes_max = std::size_t{1} << 20;
  std::size_t awaited_replies_max = 128;
  // Of all clients together: who needs more than a small part beyond these is cut off.
  std::size_t buffered_bytes_max = std::size_t{256} << 20;
  // How long a request may take to arrive from its first byte on, and a client to accept any of
  // what is to be sent to it.
  std::chrono::milliseconds progress_timeout = std::chrono::seconds(30);
};

// What the connections of a server share.
struct StreamLoop {
  event_base* base = nullptr;
  ConnectionGate* gate = nullptr;
  StreamLimits limits;
  std::size_t buffered_bytes = 0;
  std::uint64_t too_slow = 0;
  std::span<std::byte> scratch;  // to receive into
  event* reap = nullptr;         // destroys those that have closed
  std::vector<std::uint64_t> closed;
};

class StreamConnection {
 public:
  using Clock = std::chrono::steady_clock;

  StreamConnection(StreamLoop& loop, FileDescriptor socket, std::uint64_t number,
                   std::string address);
  ~StreamConnection();
  StreamConnection(const StreamConnection&) = delete;
  StreamConnection& operator=(const StreamConnection&) = delete;

  // ---- for the protocol ----
  // Never given twice by a server.
  std::uint64_t number() const { return number_; }
  // The client's, IPv4.
  const std::string& address() const { return address_; }
  // Where the client has reached the server.
  std::string own_address() const;
  // What is to be sent is appended.
  std::string& out() { return out_; }
  // The client has sent a whole request: an idle connection is cut before this one.
  void prove();
  // Whether another request may be taken.
  bool takes_more() const;
  // A reply comes later: by StreamServer::reply().
  void await_reply() { ++awaited_replies_; }
  // Nothing more is taken. The connection is closed when all that is to be sent has been sent and
  // accepted, and all awaited replies have come.
  void end() { is_ending_ = true; }

  // ---- for the server ----
  void serve(std::unique_ptr<StreamProtocol> protocol) { protocol_ = std::move(protocol); }
  void start();
  void receive();
  // Sends, and takes requests from the unread bytes. `replies`: how many of the awaited ones have
  // come since the last call.
  void proceed(std::size_t replies = 0);
  // Cuts it if it has been too slow.
  void check(Clock::time_point now);

 private:
  struct FreeEvent {
    void operator()(event* event) const;
  };
  using Event = std::unique_ptr<event, FreeEvent>;

  bool has_ended() const { return is_ending_ || has_client_ended_; }
  std::size_t take_all(std::span<const std::byte> unread);
  void send();
  void settle();
  void settle_events();
  void settle_deadline();
  void settle_memory();
  void close();

  StreamLoop& loop_;
  FileDescriptor socket_;
  const std::uint64_t number_;
  const std::string address_;
  std::unique_ptr<StreamProtocol> protocol_;
  Event readable_;
  Event writable_;
  bool is_reading_ = false;
  bool is_writing_ = false;

  std::string unread_;
  std::string out_;
  std::size_t awaited_replies_ = 0;
  std::size_t buffered_bytes_ = 0;  // as the loop has counted them
  bool has_progressed_ = false;     // since the deadline was set
  Clock::time_point deadline_ = Clock::time_point::max();
  bool is_ending_ = false;
  bool has_client_ended_ = false;  // sends nothing more
  bool is_lingering_ = false;      // all is sent; what the client still sends is dropped
  bool is_closed_ = false;
};

}  // namespace tracebed
