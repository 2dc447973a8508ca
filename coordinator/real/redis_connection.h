// A connection to Redis on which commands are sent ahead of their replies.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <hiredis/hiredis.h>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "core/result.h"

namespace tracebed {

struct FreeReply {
  void operator()(redisReply* reply) const { freeReplyObject(reply); }
};
using RedisReply = std::unique_ptr<redisReply, FreeReply>;

// A user of Redis' access control lists; without a user there is no login.
struct RedisLogin {
  std::string user;
  std::string password;
};

// What is done when Redis goes away: the connection waits for it, and sends every unanswered
// command again, in order. A command that had been executed is then executed twice, so users of
// such a connection send only repeatable ones: values rather than changes of values, and entries
// under ids of their own.
struct RedisReturn {
  std::chrono::milliseconds timeout{
      0};  // none: does not wait, neither then nor for the first answer
  std::function<void(const std::string& message)> notify;  // when it is back
  // Called every tenth of a second once Redis has been away for a second. An exception ends the
  // wait, and the connection must not be used any more.
  std::function<void()> look;
  std::function<void(const std::string& message)> lost;  // when it goes away, and is waited for
};

// Whether it is the address of a Redis, `unix:PATH` or `HOST:PORT` with a port from 1 to 65535.
bool is_redis_address(const std::string& address);

class RedisConnection {
 public:
  // An address is `unix:PATH`, or `HOST:PORT`. Throws InputError if it is neither, EnvironmentError
  // if no Redis answers there within `back.timeout` (one that loads its data does not answer yet),
  // or it rejects the login. From then on this process ignores SIGPIPE.
  explicit RedisConnection(std::string address, RedisLogin login = {}, RedisReturn back = {});

  const std::string& address() const { return address_; }

  // Queues a command after those in flight. If there are `in_flight_max`, it first waits until half
  // of them are answered; so memory is bounded, and a slow Redis slows its user down.
  void send(std::span<const std::string_view> arguments);
  void send(std::initializer_list<std::string_view> arguments) {
    send(std::span(arguments.begin(), arguments.size()));
  }
  // Passes what send() has gathered to the kernel, and takes the replies that have arrived.
  void flush();
  // Returns when everything sent is answered.
  void wait_for_replies();
  // Sends a command and returns its reply, which is not an error.
  RedisReply ask(std::initializer_list<std::string_view> arguments);

  std::uint64_t commands_sent() const { return sent_; }
  std::uint64_t commands_answered() const { return answered_; }
  // The number of times that Redis went away and came back.
  std::uint64_t returns() const { return returns_; }

  // Every function above throws EnvironmentError when Redis is away for longer than the timeout, or
  // leaves a command unanswered for half a minute (five seconds when the connection is made), with
  // its address and the number of unanswered commands; or when it answers a command with an error.

  static constexpr std::uint64_t in_flight_max = 4'096;
  static constexpr std::size_t gathered_bytes_max = std::size_t{64} << 10;

 private:
  struct CloseConnection {
    void operator()(redisContext* context) const { redisFree(context); }
  };
  using Context = std::unique_ptr<redisContext, CloseConnection>;

  Context open() const;
  // As open(), but tries again until `back.timeout` has passed since `lost_at`.
  Context open_within_timeout(std::chrono::steady_clock::time_point lost_at) const;
  void ask_first(redisContext& context, std::initializer_list<std::string> words) const;
  Status write_all(redisContext& context, std::chrono::milliseconds timeout) const;
  Result<RedisReply> read_one(redisContext& context, std::chrono::milliseconds timeout) const;
  bool wait_for(const redisContext& context, short events, std::chrono::milliseconds timeout) const;
  void append(const std::string& command);
  void write_gathered();
  RedisReply take_reply();
  void take_replies_there();
  void check_answer(const redisReply& reply);
  // Returns when Redis is back and every unanswered command was sent again. Throws if there is no
  // timeout, or it expires.
  void survive_loss(const std::string& what);
  void say_lost(const std::string& what) const;
  void say_returned(const std::string& what, std::chrono::steady_clock::time_point lost_at,
                    const std::string& consequence) const;
  Error went_away(const redisContext& context) const;
  Error is_late() const;
  std::uint64_t in_flight() const { return sent_ - answered_; }

  std::string address_;
  RedisLogin login_;
  RedisReturn return_;
  Context context_;
  std::uint64_t sent_ = 0;
  std::uint64_t answered_ = 0;
  std::uint64_t returns_ = 0;
  std::uint64_t repeated_up_to_ = 0;    // commands up to this one were sent again
  std::deque<std::string> unanswered_;  // as they were sent; kept only if there is a timeout
};

}  // namespace tracebed
