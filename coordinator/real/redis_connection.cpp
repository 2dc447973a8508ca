#include "coordinator/real/redis_connection.h"

#include <cerrno>
#include <charconv>
#include <csignal>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <vector>

#include "core/input_error.h"

namespace tracebed {

namespace {

constexpr std::string_view unix_prefix = "unix:";

// Redis is on this machine or next to it; a connection that takes longer will not come.
constexpr timeval connect_patience{.tv_sec = 5, .tv_usec = 0};
// A busy disk keeps Redis from answering for a while (appendfsync).
constexpr timeval answer_patience{.tv_sec = 30, .tv_usec = 0};

redisContext* connect(const std::string& address) {
  if (address.starts_with(unix_prefix)) {
    return redisConnectUnixWithTimeout(address.c_str() + unix_prefix.size(), connect_patience);
  }
  const std::size_t colon = address.rfind(':');
  std::uint16_t port = 0;
  const char* const end = address.data() + address.size();
  if (colon == std::string::npos || colon == 0 ||
      std::from_chars(address.data() + colon + 1, end, port).ptr != end || port == 0) {
    throw InputError("expected the address of a Redis, unix:PATH or HOST:PORT, got '" + address +
                     "'");
  }
  return redisConnectWithTimeout(address.substr(0, colon).c_str(), port, connect_patience);
}

}  // namespace

RedisConnection::RedisConnection(std::string address, const RedisLogin& login)
    : address_(std::move(address)) {
  context_.reset(connect(address_));
  if (!context_ || context_->err != 0) {
    throw EnvironmentError(fmt::format("no Redis answers at {}: {}", address_,
                                       context_ ? context_->errstr : "out of memory"));
  }
  // hiredis does not, and the socket must not reach the programs started later.
  fcntl(context_->fd, F_SETFD, FD_CLOEXEC);
  // Nor does hiredis write without the signal: a Redis that went away is an error, not our end.
  std::signal(SIGPIPE, SIG_IGN);
  redisSetTimeout(context_.get(), connect_patience);
  if (!login.user.empty()) ask({"AUTH", login.user, login.password});
  ask({"PING"});
  redisSetTimeout(context_.get(), answer_patience);
}

void RedisConnection::send(std::span<const std::string_view> arguments) {
  if (in_flight() >= in_flight_max) {
    write_gathered();
    while (in_flight() > in_flight_max / 2) take_reply();
  }
  std::vector<const char*> texts;
  std::vector<std::size_t> sizes;
  texts.reserve(arguments.size());
  sizes.reserve(arguments.size());
  for (const std::string_view argument : arguments) {
    texts.push_back(argument.data());
    sizes.push_back(argument.size());
  }
  if (redisAppendCommandArgv(context_.get(), static_cast<int>(texts.size()), texts.data(),
                             sizes.data()) != REDIS_OK) {
    fail(context_->errstr);
  }
  ++sent_;
  if (sdslen(context_->obuf) >= gathered_bytes_max) flush();
}

void RedisConnection::flush() {
  write_gathered();
  take_replies_there();
}

void RedisConnection::wait_for_replies() {
  write_gathered();
  while (in_flight() > 0) take_reply();
}

RedisReply RedisConnection::ask(std::initializer_list<std::string_view> arguments) {
  wait_for_replies();
  send(arguments);
  write_gathered();
  return take_reply();
}

void RedisConnection::write_gathered() {
  int is_done = 0;
  while (is_done == 0) {
    if (redisBufferWrite(context_.get(), &is_done) != REDIS_OK) fail(context_->errstr);
  }
}

RedisReply RedisConnection::take_reply() {
  void* pointer = nullptr;
  if (redisGetReply(context_.get(), &pointer) != REDIS_OK) fail(context_->errstr);
  RedisReply reply(static_cast<redisReply*>(pointer));
  ++answered_;
  if (reply->type == REDIS_REPLY_ERROR) {
    throw EnvironmentError(fmt::format("Redis at {} refused a command: {}", address_, reply->str));
  }
  return reply;
}

void RedisConnection::take_replies_there() {
  while (in_flight() > 0) {
    pollfd readiness{.fd = context_->fd, .events = POLLIN, .revents = 0};
    if (poll(&readiness, 1, 0) <= 0) return;
    // Takes all that the socket holds into the reader, then what is whole out of it.
    if (redisBufferRead(context_.get()) != REDIS_OK) fail(context_->errstr);
    for (;;) {
      void* pointer = nullptr;
      if (redisGetReplyFromReader(context_.get(), &pointer) != REDIS_OK) fail(context_->errstr);
      const RedisReply reply(static_cast<redisReply*>(pointer));
      if (!reply) break;
      ++answered_;
      if (reply->type == REDIS_REPLY_ERROR) {
        throw EnvironmentError(
            fmt::format("Redis at {} refused a command: {}", address_, reply->str));
      }
    }
  }
}

void RedisConnection::fail(const std::string& what) const {
  // hiredis passes on the errno of a read that timed out.
  const bool is_late = context_->err == REDIS_ERR_IO && errno == EAGAIN;
  throw EnvironmentError(fmt::format(
      "Redis at {} {}; {} commands had no answer and may be lost", address_,
      is_late ? "does not answer in time" : fmt::format("went away ({})", what), in_flight()));
}

}  // namespace tracebed
