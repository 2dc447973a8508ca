// Who may call a Thrift service: clients with one of its tokens, if it has any. Whatever a service
// can do, only they may ask for it.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <poll.h>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <thrift/TApplicationException.h>
#include <thrift/protocol/TProtocol.h>
#include <thrift/transport/TTransportException.h>
#include <utility>
#include <vector>

#include "system/connection_gate.h"
#include "system/token_set.h"

namespace tracebed {

// A connection of a client's.
struct ThriftClient {
  int connection = -1;
  std::string peer;  // ADDRESS:PORT

  // It has closed the connection: nobody waits for what it asked for.
  bool has_left() const {
    pollfd looked_at{.fd = connection, .events = POLLRDHUP, .revents = 0};
    return ::poll(&looked_at, 1, 0) == 1;
  }
};

// Of a service, for all of its connections. Any thread.
class ServiceGuard {
 public:
  // `purpose`: "the control service".
  ServiceGuard(std::string purpose, std::vector<NamedToken> tokens)
      : purpose_(std::move(purpose)), tokens_(std::move(tokens)) {}

  bool allows_all() const { return tokens_.allows_all(); }
  std::optional<std::string> name_of(std::string_view token) const {
    return tokens_.name_of(token);
  }
  void replace_tokens(std::vector<NamedToken> tokens) { tokens_.replace(std::move(tokens)); }

  // Connections are proven to this gate.
  void watch(ConnectionGate& gate) { gate_ = &gate; }
  void prove(const ThriftClient& client) { gate_->prove(client.connection); }
  // A call of this client is worked on as long as the value lives.
  ConnectionGate::Activity begin_call(const ThriftClient& client) {
    return {*gate_, client.connection};
  }
  void count_refusal(const ThriftClient& client);
  std::uint64_t refused() const { return refused_; }

 private:
  const std::string purpose_;
  TokenSet tokens_;
  ConnectionGate* gate_ = nullptr;
  std::atomic<std::uint64_t> refused_{0};
};

// One connection's. `Service` names what Thrift has generated: Processor, AuthenticateArguments and
// AuthenticateResult, whose `refused` has a message.
template <class Service>
class GuardedProcessor final : public Service::Processor {
 public:
  using KnownAs = std::function<void(const std::string& name)>;

  // `known_as` is called with the name of the client's token. The guard outlives it.
  GuardedProcessor(std::shared_ptr<typename Service::Interface> service, ServiceGuard& guard,
                   ThriftClient client, KnownAs known_as)
      : Service::Processor(std::move(service)),
        guard_(guard),
        client_(std::move(client)),
        known_as_(std::move(known_as)) {}

  // Whoever sends what is no call is cut off: Thrift does so only for calls that are worked on by
  // the thread that reads them.
  bool process(std::shared_ptr<apache::thrift::protocol::TProtocol> in,
               std::shared_ptr<apache::thrift::protocol::TProtocol> out, void* context) override {
    try {
      return Service::Processor::process(std::move(in), std::move(out), context);
    } catch (const std::exception&) {
      ::shutdown(client_.connection, SHUT_RDWR);
      throw;
    }
  }

 protected:
  using Protocol = apache::thrift::protocol::TProtocol;

  bool dispatchCall(Protocol* in, Protocol* out, const std::string& call, std::int32_t sequence,
                    void* context) override {
    if (call == "authenticate") return authenticate(in, out, sequence);
    if (is_let_in()) {
      guard_.prove(client_);
      // Calls wait for a thread, and one that nobody waits for any more is not worked on.
      if (client_.has_left()) {
        using apache::thrift::transport::TTransportException;
        throw TTransportException(TTransportException::END_OF_FILE, "the client has gone");
      }
      const ConnectionGate::Activity activity = guard_.begin_call(client_);
      return Service::Processor::dispatchCall(in, out, call, sequence, context);
    }
    guard_.count_refusal(client_);
    in->skip(apache::thrift::protocol::T_STRUCT);
    end_reading(in);
    const apache::thrift::TApplicationException error(
        apache::thrift::TApplicationException::PROTOCOL_ERROR,
        "this coordinator requires a token (--token-file)");
    out->writeMessageBegin(call, apache::thrift::protocol::T_EXCEPTION, sequence);
    error.write(out);
    end_writing(out);
    return true;
  }

 private:
  // Tokens may have changed since the client sent it.
  bool is_let_in() const { return guard_.allows_all() || guard_.name_of(token_); }

  bool authenticate(Protocol* in, Protocol* out, std::int32_t sequence) {
    typename Service::AuthenticateArguments arguments;
    arguments.read(in);
    end_reading(in);
    typename Service::AuthenticateResult result;
    if (const std::optional<std::string> name = guard_.name_of(arguments.token)) {
      token_ = arguments.token;
      known_as_(*name);
      guard_.prove(client_);
    } else if (guard_.allows_all()) {
      guard_.prove(client_);
    } else {
      guard_.count_refusal(client_);
      result.refused.message = "the token is not valid for this coordinator";
      result.__isset.refused = true;
    }
    out->writeMessageBegin("authenticate", apache::thrift::protocol::T_REPLY, sequence);
    result.write(out);
    end_writing(out);
    return true;
  }
  static void end_reading(Protocol* in) {
    in->readMessageEnd();
    in->getTransport()->readEnd();
  }
  static void end_writing(Protocol* out) {
    out->writeMessageEnd();
    out->getTransport()->writeEnd();
    out->getTransport()->flush();
  }

  ServiceGuard& guard_;
  const ThriftClient client_;
  const KnownAs known_as_;
  std::string token_;
};

}  // namespace tracebed
