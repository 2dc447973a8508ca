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

// A user of Redis' access control lists; without a user nobody logs in.
struct RedisLogin {
  std::string user;
  std::string password;
};

// What is done when Redis goes away: it is waited for, and whatever had no answer is sent again, in
// order. What had been carried out before is then done twice, so users of such a connection send
// only what may be: values rather than changes of values, and entries under ids of their own.
struct RedisReturn {
  std::chrono::milliseconds timeout{0};                  // none: it is not waited for
  std::function<void(const std::string& message)> told;  // when it is back
  // Called every tenth of a second once Redis has been waited for a second. What it throws ends the
  // wait, and the connection is of no more use.
  std::function<void()> look;
  std::function<void(const std::string& message)> lost;  // when it goes, and is waited for
};

class RedisConnection {
 public:
  // An address is `unix:PATH`, or `HOST:PORT`. Throws InputError if it is neither, EnvironmentError
  // if no Redis answers there, or none that takes the login. From then on this process ignores
  // SIGPIPE.
  explicit RedisConnection(std::string address, RedisLogin login = {}, RedisReturn back = {});

  const std::string& address() const { return address_; }

  // Sends a command behind those under way. When `in_flight_max` are, it first waits until half of
  // them are answered; so memory is bounded, and a slow Redis slows its user down.
  void send(std::span<const std::string_view> arguments);
  void send(std::initializer_list<std::string_view> arguments) {
    send(std::span(arguments.begin(), arguments.size()));
  }
  // Hands what send() has gathered to the kernel, and takes the replies that are there.
  void flush();
  // Returns when everything sent is answered.
  void wait_for_replies();
  // Sends a command and returns its reply, which is not an error.
  RedisReply ask(std::initializer_list<std::string_view> arguments);

  std::uint64_t commands_sent() const { return sent_; }
  std::uint64_t commands_answered() const { return answered_; }
  // How often Redis went away and came back.
  std::uint64_t returns() const { return returns_; }

  // Every function above throws EnvironmentError when Redis goes away for longer than it is waited
  // for, or leaves a command without an answer for half a minute (five seconds when the connection
  // is made), with its address and how many commands had no answer; or when it answers a command
  // with an error.

  static constexpr std::uint64_t in_flight_max = 4'096;
  static constexpr std::size_t gathered_bytes_max = std::size_t{64} << 10;

 private:
  struct CloseConnection {
    void operator()(redisContext* context) const { redisFree(context); }
  };
  using Context = std::unique_ptr<redisContext, CloseConnection>;

  Context open() const;
  void ask_first(redisContext& context, std::initializer_list<std::string> words) const;
  Status write_all(redisContext& context, std::chrono::milliseconds timeout) const;
  Result<RedisReply> read_one(redisContext& context, std::chrono::milliseconds timeout) const;
  bool wait_for(const redisContext& context, short events, std::chrono::milliseconds timeout) const;
  void append(const std::string& command);
  void write_gathered();
  RedisReply take_reply();
  void take_replies_there();
  void check_answer(const redisReply& reply);
  // Returns when Redis is back and has been sent again what had no answer. Throws if it is not
  // waited for, or does not come.
  void survive_loss(const std::string& what);
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
  std::deque<std::string> unanswered_;  // as they are sent; kept only if Redis is waited for
};

}  // namespace tracebed
