#include "coordinator/real/redis_connection.h"

#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <thread>
#include <vector>

#include "core/check.h"
#include "core/input_error.h"

namespace tracebed {

namespace {

constexpr std::string_view unix_prefix = "unix:";

// Redis is on this machine or next to it; a connection that takes longer will not come.
constexpr timeval connect_patience{.tv_sec = 5, .tv_usec = 0};
// A busy disk keeps Redis from answering for a while (appendfsync).
constexpr timeval answer_patience{.tv_sec = 30, .tv_usec = 0};

constexpr std::chrono::milliseconds pause_between_tries{200};

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

// A command that was sent again adds an entry that was added before its answer got lost.
bool says_done_before(const redisReply& reply) {
  constexpr std::string_view words = "ERR The ID specified in XADD is equal or smaller";
  return std::string_view(reply.str, reply.len).starts_with(words);
}

}  // namespace

RedisConnection::RedisConnection(std::string address, RedisLogin login, RedisReturn back)
    : address_(std::move(address)), login_(std::move(login)), return_(std::move(back)) {
  // hiredis writes without a care for the signal: a Redis that went away is an error, not our end.
  std::signal(SIGPIPE, SIG_IGN);
  context_ = open();
}

RedisConnection::Context RedisConnection::open() const {
  Context context(connect(address_));
  if (!context || context->err != 0) {
    throw EnvironmentError(fmt::format("no Redis answers at {}: {}", address_,
                                       context ? context->errstr : "out of memory"));
  }
  // hiredis does not, and the socket must not reach the programs started later.
  fcntl(context->fd, F_SETFD, FD_CLOEXEC);
  redisSetTimeout(context.get(), connect_patience);
  const auto ask_first = [&](auto... words) {
    const std::array<const char*, sizeof...(words)> arguments{words...};
    const RedisReply reply(static_cast<redisReply*>(
        redisCommandArgv(context.get(), static_cast<int>(arguments.size()),
                         const_cast<const char**>(arguments.data()), nullptr)));
    if (!reply) {
      throw EnvironmentError(what_happened(*context));
    }
    if (reply->type == REDIS_REPLY_ERROR) {
      throw EnvironmentError(
          fmt::format("Redis at {} refused a command: {}", address_, reply->str));
    }
  };
  if (!login_.user.empty()) ask_first("AUTH", login_.user.c_str(), login_.password.c_str());
  ask_first("PING");
  redisSetTimeout(context.get(), answer_patience);
  return context;
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
  char* formatted = nullptr;
  const long long bytes = redisFormatCommandArgv(&formatted, static_cast<int>(texts.size()),
                                                 texts.data(), sizes.data());
  TRACEBED_CHECK(bytes > 0, "a command has words");
  std::string command(formatted, static_cast<std::size_t>(bytes));
  redisFreeCommand(formatted);
  append(command);
  if (return_.patience.count() > 0) unanswered_.push_back(std::move(command));
  ++sent_;
  if (sdslen(context_->obuf) >= gathered_bytes_max) flush();
}

// Fails only for want of memory, or on a connection that has failed before: what is sent on that is
// lost with it.
void RedisConnection::append(const std::string& command) {
  static_cast<void>(redisAppendFormattedCommand(context_.get(), command.data(), command.size()));
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
    if (redisBufferWrite(context_.get(), &is_done) != REDIS_OK) {
      is_done = 0;
      survive_loss();
    }
  }
}

RedisReply RedisConnection::take_reply() {
  void* pointer = nullptr;
  while (redisGetReply(context_.get(), &pointer) != REDIS_OK) survive_loss();
  RedisReply reply(static_cast<redisReply*>(pointer));
  check_answer(*reply);
  return reply;
}

void RedisConnection::take_replies_there() {
  while (in_flight() > 0) {
    pollfd readiness{.fd = context_->fd, .events = POLLIN, .revents = 0};
    if (poll(&readiness, 1, 0) <= 0) return;
    // Takes all that the socket holds into the reader, then what is whole out of it.
    if (redisBufferRead(context_.get()) != REDIS_OK) return survive_loss();
    for (;;) {
      void* pointer = nullptr;
      if (redisGetReplyFromReader(context_.get(), &pointer) != REDIS_OK) return survive_loss();
      const RedisReply reply(static_cast<redisReply*>(pointer));
      if (!reply) break;
      check_answer(*reply);
    }
  }
}

void RedisConnection::check_answer(const redisReply& reply) {
  ++answered_;
  if (!unanswered_.empty()) unanswered_.pop_front();
  if (reply.type != REDIS_REPLY_ERROR) return;
  if (answered_ <= repeated_up_to_ && says_done_before(reply)) return;
  throw EnvironmentError(fmt::format("Redis at {} refused a command: {}", address_, reply.str));
}

std::string RedisConnection::what_happened(const redisContext& context) const {
  // hiredis passes on the errno of a read that timed out.
  const bool is_late = context.err == REDIS_ERR_IO && errno == EAGAIN;
  return fmt::format(
      "Redis at {} {}", address_,
      is_late ? "does not answer in time" : fmt::format("went away ({})", context.errstr));
}

void RedisConnection::survive_loss() {
  const std::string what = what_happened(*context_);
  const std::string unanswered =
      fmt::format("{} commands had no answer and may be lost", in_flight());
  if (return_.patience.count() == 0) {
    throw EnvironmentError(fmt::format("{}; {}", what, unanswered));
  }
  const auto lost_at = std::chrono::steady_clock::now();
  for (;;) {
    std::this_thread::sleep_for(pause_between_tries);
    try {
      context_ = open();
      break;
    } catch (const EnvironmentError& error) {
      if (std::chrono::steady_clock::now() < lost_at + return_.patience) continue;
      throw EnvironmentError(fmt::format("{}, and was not back after {} s: {}; {}", what,
                                         return_.patience.count() / 1'000, error.what(),
                                         unanswered));
    }
  }
  for (const std::string& command : unanswered_) append(command);
  repeated_up_to_ = sent_;
  ++returns_;
  const std::chrono::duration<double> away = std::chrono::steady_clock::now() - lost_at;
  if (return_.told) {
    return_.told(fmt::format("{} and was back after {:.1f} s; {} commands were sent again", what,
                             away.count(), in_flight()));
  }
}

}  // namespace tracebed
