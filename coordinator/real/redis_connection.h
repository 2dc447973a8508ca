// A connection to Redis on which commands are sent ahead of their replies.
#pragma once

#include <cstddef>
#include <cstdint>
#include <hiredis/hiredis.h>
#include <memory>
#include <span>
#include <string>
#include <string_view>

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

class RedisConnection {
 public:
  // An address is `unix:PATH`, or `HOST:PORT`. Throws InputError if it is neither, EnvironmentError
  // if no Redis answers there, or none that takes the login. From then on this process ignores
  // SIGPIPE.
  explicit RedisConnection(std::string address, const RedisLogin& login = {});

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

  // Every function above throws EnvironmentError when Redis goes away or leaves a command without
  // an answer for half a minute (five seconds when the connection is made), with its address and
  // how many commands had no answer; or when it answers a command with an error.

  static constexpr std::uint64_t in_flight_max = 4'096;
  static constexpr std::size_t gathered_bytes_max = std::size_t{64} << 10;

 private:
  struct CloseConnection {
    void operator()(redisContext* context) const { redisFree(context); }
  };

  void write_gathered();
  RedisReply take_reply();
  void take_replies_there();
  [[noreturn]] void fail(const std::string& what) const;
  std::uint64_t in_flight() const { return sent_ - answered_; }

  std::string address_;
  std::unique_ptr<redisContext, CloseConnection> context_;
  std::uint64_t sent_ = 0;
  std::uint64_t answered_ = 0;
};

}  // namespace tracebed
