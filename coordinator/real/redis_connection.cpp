#include "coordinator/real/redis_connection.h"

#include <cerrno>
#include <charconv>
#include <csignal>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <thread>
#include <vector>

#include "core/check.h"
#include "core/input_error.h"
#include "system/file_descriptor.h"

namespace tracebed {

namespace {

constexpr std::string_view unix_prefix = "unix:";

// Redis is on this machine or next to it; a connection that takes longer will not come.
constexpr std::chrono::milliseconds connect_timeout{5'000};
// A busy disk keeps Redis from answering for a while (appendfsync).
constexpr std::chrono::milliseconds answer_timeout{30'000};

constexpr std::chrono::milliseconds pause_between_tries{200};
// Whoever gave `look` is asked so often, and not before a wait has lasted so long.
constexpr std::chrono::milliseconds redis_look_period{100};
constexpr std::chrono::milliseconds look_after{1'000};

// Of HOST:PORT; 0 if it is none.
std::uint16_t redis_port(const std::string& address) {
  const std::size_t colon = address.rfind(':');
  if (colon == std::string::npos || colon == 0) return 0;
  std::uint16_t port = 0;
  const char* const end = address.data() + address.size();
  const auto parsed = std::from_chars(address.data() + colon + 1, end, port);
  return parsed.ec == std::errc() && parsed.ptr == end ? port : std::uint16_t{0};
}

// Not blocking, so that every wait is ours.
redisContext* connect(const std::string& address) {
  if (!is_redis_address(address)) {
    throw InputError("expected the address of a Redis, unix:PATH or HOST:PORT, got '" + address +
                     "'");
  }
  if (address.starts_with(unix_prefix)) {
    return redisConnectUnixNonBlock(address.c_str() + unix_prefix.size());
  }
  return redisConnectNonBlock(address.substr(0, address.rfind(':')).c_str(), redis_port(address));
}

// Why a connection that was being made was not; 0 if it was.
int connect_error(int socket) {
  int error = 0;
  socklen_t bytes = sizeof(error);
  return ::getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &bytes) == 0 ? error : errno;
}

// What a Redis answers that is up but not ready: it reads its data, or has no connection to the one
// that it copies.
bool says_not_yet(const redisReply& reply) {
  const std::string_view text(reply.str, reply.len);
  return text.starts_with("LOADING") || text.starts_with("MASTERDOWN");
}

// What it will answer again, for instance to a wrong password.
struct RedisRefusal : EnvironmentError {
  using EnvironmentError::EnvironmentError;
};

// A command that was sent again adds an entry that was added before its answer got lost.
bool says_done_before(const redisReply& reply) {
  constexpr std::string_view words = "ERR The ID specified in XADD is equal or smaller";
  return std::string_view(reply.str, reply.len).starts_with(words);
}

}  // namespace

bool is_redis_address(const std::string& address) {
  if (address.starts_with(unix_prefix)) return address.size() > unix_prefix.size();
  return redis_port(address) != 0;
}

RedisConnection::RedisConnection(std::string address, RedisLogin login, RedisReturn back)
    : address_(std::move(address)), login_(std::move(login)), return_(std::move(back)) {
  // hiredis writes without a care for the signal: a Redis that went away is an error, not our end.
  std::signal(SIGPIPE, SIG_IGN);
  const auto began = std::chrono::steady_clock::now();
  try {
    context_ = open();
    return;
  } catch (const RedisRefusal&) {
    throw;  // waiting would not change its mind
  } catch (const EnvironmentError& error) {
    if (return_.timeout.count() == 0) throw;
    say_lost(error.what());
  }
  context_ = open_within_timeout(began);
  say_returned(fmt::format("Redis at {} did not answer", address_), began, "");
}

void RedisConnection::say_lost(const std::string& what) const {
  if (!return_.lost) return;
  return_.lost(fmt::format("{}; the run waits {} s for it", what, return_.timeout.count() / 1'000));
}

void RedisConnection::say_returned(const std::string& what,
                                   std::chrono::steady_clock::time_point lost_at,
                                   const std::string& consequence) const {
  if (!return_.notify) return;
  const std::chrono::duration<double> away = std::chrono::steady_clock::now() - lost_at;
  return_.notify(fmt::format("{}; it returned after {:.1f} s{}", what, away.count(), consequence));
}

RedisConnection::Context RedisConnection::open_within_timeout(
    std::chrono::steady_clock::time_point lost_at) const {
  for (;;) {
    std::this_thread::sleep_for(pause_between_tries);
    if (return_.look) return_.look();
    try {
      return open();
    } catch (const EnvironmentError& error) {
      if (std::chrono::steady_clock::now() < lost_at + return_.timeout) continue;
      throw EnvironmentError(fmt::format("it did not return within {} s: {}",
                                         return_.timeout.count() / 1'000, error.what()));
    }
  }
}

RedisConnection::Context RedisConnection::open() const {
  Context context(connect(address_));
  const auto fail = [&](const std::string& why) {
    throw EnvironmentError(fmt::format("no Redis answers at {}: {}", address_, why));
  };
  if (!context) fail("out of memory");
  if (context->err != 0) fail(context->errstr);
  // hiredis does not, and the socket must not reach the programs started later.
  fcntl(context->fd, F_SETFD, FD_CLOEXEC);
  if (!wait_for(*context, POLLOUT, connect_timeout)) fail("the connection takes too long");
  if (const int error = connect_error(context->fd); error != 0) fail(error_text(error));
  if (!login_.user.empty()) ask_first(*context, {"AUTH", login_.user, login_.password});
  ask_first(*context, {"PING"});
  return context;
}

void RedisConnection::ask_first(redisContext& context,
                                std::initializer_list<std::string> words) const {
  std::vector<const char*> texts;
  for (const std::string& word : words) texts.push_back(word.c_str());
  redisAppendCommandArgv(&context, static_cast<int>(texts.size()), texts.data(), nullptr);
  if (const Status sent = write_all(context, connect_timeout); !sent) {
    throw EnvironmentError(sent.error().message);
  }
  const Result<RedisReply> reply = read_one(context, connect_timeout);
  if (!reply) throw EnvironmentError(reply.error().message);
  if ((*reply)->type != REDIS_REPLY_ERROR) return;
  const std::string why = fmt::format("Redis at {} refused a command: {}", address_, (*reply)->str);
  if (says_not_yet(**reply)) throw EnvironmentError(why);
  throw RedisRefusal(why);
}

bool RedisConnection::wait_for(const redisContext& context, short events,
                               std::chrono::milliseconds timeout) const {
  const auto begin = std::chrono::steady_clock::now();
  for (;;) {
    pollfd readiness{.fd = context.fd, .events = events, .revents = 0};
    if (poll(&readiness, 1, static_cast<int>(redis_look_period.count())) > 0) return true;
    const auto waited = std::chrono::steady_clock::now() - begin;
    if (waited >= look_after && return_.look) return_.look();
    if (waited >= timeout) return false;
  }
}

Status RedisConnection::write_all(redisContext& context, std::chrono::milliseconds timeout) const {
  for (;;) {
    int is_done = 0;
    if (redisBufferWrite(&context, &is_done) != REDIS_OK) return went_away(context);
    if (is_done != 0) return success();
    // A Redis that waits for its answers to be taken takes no more commands.
    if (!wait_for(context, POLLOUT | POLLIN, timeout)) return is_late();
    pollfd readiness{.fd = context.fd, .events = POLLIN, .revents = 0};
    if (poll(&readiness, 1, 0) > 0 && redisBufferRead(&context) != REDIS_OK) {
      return went_away(context);
    }
  }
}

Result<RedisReply> RedisConnection::read_one(redisContext& context,
                                             std::chrono::milliseconds timeout) const {
  for (;;) {
    void* pointer = nullptr;
    if (redisGetReplyFromReader(&context, &pointer) != REDIS_OK) return went_away(context);
    if (pointer != nullptr) return RedisReply(static_cast<redisReply*>(pointer));
    if (!wait_for(context, POLLIN, timeout)) return is_late();
    if (redisBufferRead(&context) != REDIS_OK) return went_away(context);
  }
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
  if (return_.timeout.count() > 0) unanswered_.push_back(std::move(command));
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
  for (;;) {
    const Status written = write_all(*context_, answer_timeout);
    if (written) return;
    survive_loss(written.error().message);
  }
}

RedisReply RedisConnection::take_reply() {
  for (;;) {
    Result<RedisReply> reply = read_one(*context_, answer_timeout);
    if (reply) {
      check_answer(**reply);
      return *std::move(reply);
    }
    survive_loss(reply.error().message);
    write_gathered();
  }
}

void RedisConnection::take_replies_there() {
  while (in_flight() > 0) {
    pollfd readiness{.fd = context_->fd, .events = POLLIN, .revents = 0};
    if (poll(&readiness, 1, 0) <= 0) return;
    // Takes all that the socket holds into the reader, then what is whole out of it.
    if (redisBufferRead(context_.get()) != REDIS_OK)
      return survive_loss(went_away(*context_).message);
    for (;;) {
      void* pointer = nullptr;
      if (redisGetReplyFromReader(context_.get(), &pointer) != REDIS_OK) {
        return survive_loss(went_away(*context_).message);
      }
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

Error RedisConnection::went_away(const redisContext& context) const {
  return {fmt::format("lost the connection to Redis at {} ({})", address_, context.errstr)};
}

Error RedisConnection::is_late() const {
  return {fmt::format("Redis at {} does not answer in time", address_)};
}

void RedisConnection::survive_loss(const std::string& what) {
  const std::string unanswered =
      fmt::format("{} commands had no answer and may be lost", in_flight());
  if (return_.timeout.count() == 0) {
    throw EnvironmentError(fmt::format("{}; {}", what, unanswered));
  }
  const auto lost_at = std::chrono::steady_clock::now();
  say_lost(what);
  try {
    context_ = open_within_timeout(lost_at);
  } catch (const EnvironmentError& error) {
    throw EnvironmentError(fmt::format("{}, and {}; {}", what, error.what(), unanswered));
  }
  for (const std::string& command : unanswered_) append(command);
  repeated_up_to_ = sent_;
  ++returns_;
  say_returned(what, lost_at, fmt::format(", and {} commands were sent again", in_flight()));
}

}  // namespace tracebed
