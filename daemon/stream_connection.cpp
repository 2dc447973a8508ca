#include "daemon/stream_connection.h"

#include <cerrno>
#include <event2/event.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <utility>

#include "core/check.h"
#include "system/connection_gate.h"
#include "system/listening_socket.h"

namespace tracebed {
namespace {

// What a connection may have whatever the others have, and keeps for its next replies.
constexpr std::size_t small_bytes = std::size_t{64} << 10;
// Closing a socket with unread bytes resets the connection, and the client may lose the reply that
// it has not read. So what it still sends is dropped for so long.
constexpr std::chrono::seconds linger{2};

void set(event* of, bool& is_set, bool wanted) {
  if (is_set == wanted) return;
  is_set = wanted;
  if (wanted) {
    event_add(of, nullptr);
  } else {
    event_del(of);
  }
}

}  // namespace

void StreamConnection::FreeEvent::operator()(event* event) const {
  event_free(event);
}

StreamConnection::StreamConnection(StreamLoop& loop, FileDescriptor socket, std::uint64_t number,
                                   std::string address)
    : loop_(loop), socket_(std::move(socket)), number_(number), address_(std::move(address)) {
  const int yes = 1;
  ::setsockopt(socket_.number(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
}

StreamConnection::~StreamConnection() {
  loop_.buffered_bytes -= buffered_bytes_;
}

void StreamConnection::start() {
  readable_.reset(event_new(
      loop_.base, socket_.number(), EV_READ | EV_PERSIST,
      [](evutil_socket_t, short, void* self) { static_cast<StreamConnection*>(self)->receive(); },
      this));
  writable_.reset(event_new(
      loop_.base, socket_.number(), EV_WRITE | EV_PERSIST,
      [](evutil_socket_t, short, void* self) { static_cast<StreamConnection*>(self)->proceed(); },
      this));
  if (readable_ && writable_) {
    settle();
  } else {
    close();
  }
}

std::string StreamConnection::own_address() const {
  sockaddr_in place = {};
  socklen_t bytes = sizeof(place);
  void* const written = &place;
  ::getsockname(socket_.number(), static_cast<sockaddr*>(written), &bytes);
  return ipv4_text(place.sin_addr);
}

void StreamConnection::prove() {
  loop_.gate->prove(socket_.number());
}

bool StreamConnection::takes_more() const {
  return !is_ending_ && out_.size() < loop_.limits.unsent_bytes_max &&
         awaited_replies_ < loop_.limits.awaited_replies_max;
}

std::size_t StreamConnection::take_all(std::span<const std::byte> unread) {
  std::size_t taken = 0;
  while (takes_more()) {
    const std::size_t bytes = protocol_->take(unread.subspan(taken));
    if (bytes == 0) break;
    taken += bytes;
  }
  has_progressed_ |= taken > 0;
  return taken;
}

void StreamConnection::receive() {
  if (is_closed_) return;
  const ssize_t got = ::recv(socket_.number(), loop_.scratch.data(), loop_.scratch.size(), 0);
  if (got < 0) {
    if (errno != EAGAIN && errno != EINTR) close();
    return;
  }
  has_client_ended_ |= got == 0;
  if (got > 0 && !is_ending_) {
    const std::span<const std::byte> arrived = loop_.scratch.first(static_cast<std::size_t>(got));
    if (unread_.empty()) {
      const auto rest = arrived.subspan(take_all(arrived));
      unread_.assign(reinterpret_cast<const char*>(rest.data()), rest.size());
    } else {
      unread_.append(reinterpret_cast<const char*>(arrived.data()), arrived.size());
      unread_.erase(0, take_all(std::as_bytes(std::span(unread_))));
    }
  }
  proceed();
}

void StreamConnection::send() {
  while (!out_.empty() && !is_closed_) {
    const ssize_t sent =
        ::send(socket_.number(), out_.data(), out_.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0) {
      if (errno != EAGAIN && errno != EINTR) close();
      return;
    }
    has_progressed_ = true;
    if (static_cast<std::size_t>(sent) == out_.size()) {
      out_.clear();
    } else {
      out_.erase(0, static_cast<std::size_t>(sent));
    }
  }
}

void StreamConnection::proceed(std::size_t replies) {
  if (is_closed_) return;
  TRACEBED_CHECK(replies <= awaited_replies_, "a reply that comes was awaited");
  awaited_replies_ -= replies;
  send();
  // Requests that waited for room.
  while (!unread_.empty() && takes_more() && !is_closed_) {
    const std::size_t taken = take_all(std::as_bytes(std::span(unread_)));
    if (taken == 0) break;
    unread_.erase(0, taken);
    send();
  }
  settle();
}

void StreamConnection::settle() {
  if (is_closed_) return;
  if (is_ending_) unread_.clear();
  const bool is_done = has_ended() && out_.empty() && awaited_replies_ == 0;
  if (is_done && has_client_ended_) return close();
  if (is_done && !is_lingering_) {
    is_lingering_ = true;
    deadline_ = Clock::now() + linger;
    ::shutdown(socket_.number(), SHUT_WR);
  }
  settle_events();
  settle_deadline();
  settle_memory();
}

void StreamConnection::settle_events() {
  const bool reads = !has_client_ended_ && (is_lingering_ || takes_more());
  set(readable_.get(), is_reading_, reads);
  set(writable_.get(), is_writing_, !out_.empty());
}

void StreamConnection::settle_deadline() {
  if (is_lingering_) return;
  const bool is_awaited = !out_.empty() || (!unread_.empty() && takes_more());
  if (!is_awaited) {
    deadline_ = Clock::time_point::max();
  } else if (has_progressed_ || deadline_ == Clock::time_point::max()) {
    deadline_ = Clock::now() + loop_.limits.progress_timeout;
  }
  has_progressed_ = false;
}

void StreamConnection::settle_memory() {
  if (unread_.empty() && unread_.capacity() > small_bytes) unread_ = {};
  if (out_.empty() && out_.capacity() > small_bytes) out_ = {};
  const std::size_t bytes = unread_.capacity() + out_.capacity();
  loop_.buffered_bytes += bytes - buffered_bytes_;
  buffered_bytes_ = bytes;
  if (bytes > small_bytes && loop_.buffered_bytes > loop_.limits.buffered_bytes_max) close();
}

// It may be within a call of its own: the loop destroys it in its next round.
void StreamConnection::close() {
  is_closed_ = true;
  set(readable_.get(), is_reading_, false);
  set(writable_.get(), is_writing_, false);
  loop_.closed.push_back(number_);
  event_active(loop_.reap, EV_TIMEOUT, 0);
}

void StreamConnection::check(Clock::time_point now) {
  if (is_closed_ || now < deadline_) return;
  if (!is_lingering_) ++loop_.too_slow;
  close();
}

}  // namespace tracebed
