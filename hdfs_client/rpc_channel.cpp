#include "hdfs_client/rpc_channel.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/visit.h"
#include "protocol/hdfs/rpc_client.h"
#include "system/drawn_number.h"

namespace tracebed::hdfs {
namespace {

constexpr std::size_t buffer_bytes = 8'192;

RpcClientId random_client_id(Random& random) {
  RpcClientId id;
  for (char& byte : id.bytes) byte = static_cast<char>(random.next());
  id.size = RpcClientId::bytes_max;
  return id;
}

// org.apache.hadoop.io.retry.RetryPolicies.FailoverOnNetworkExceptionRetry.shouldRetry
bool may_succeed_again(const ClientFailure& failure) {
  switch (failure.kind) {
    case ClientFailureKind::connection:
    case ClientFailureKind::timeout:
      return true;
    case ClientFailureKind::remote:
      return failure.exception_class == "org.apache.hadoop.ipc.RetriableException" ||
             failure.exception_class == "org.apache.hadoop.ipc.StandbyException";
    case ClientFailureKind::interrupted:
    case ClientFailureKind::protocol:
    case ClientFailureKind::corrupt:
    case ClientFailureKind::slow:
    case ClientFailureKind::exhausted:
      return false;
  }
  return false;
}

Bytes view(const std::string& text) {
  return std::as_bytes(std::span(text));
}

}  // namespace

std::chrono::milliseconds BackOff::before(unsigned attempt, Random& random) const {
  constexpr unsigned doublings_max = 20;
  const auto whole = std::min(first * (std::int64_t{1} << std::min(attempt, doublings_max)), most);
  return std::chrono::milliseconds(random.between(whole.count() / 2, whole.count() * 3 / 2));
}

RpcChannel::RpcChannel(Endpoint server, std::string protocol, RpcOptions options)
    : server_(std::move(server)),
      protocol_(std::move(protocol)),
      options_(std::move(options)),
      random_(drawn_number()),
      client_id_(random_client_id(random_)),
      received_(buffer_bytes) {}

// A server closes connections that are idle; one with unread bytes has sent what nobody asked for.
bool RpcChannel::has_idle_connection() {
  if (!connection_) return false;
  const auto ready = connection_->wait({.to_receive = true}, Deadline(Deadline::Clock::now()));
  return ready && !ready->to_receive && received_.unread().empty();
}

ClientStatus RpcChannel::connect() {
  received_ = ReceiveBuffer(buffer_bytes);
  ClientResult<Connection> connection = Connection::open(server_, options_.connection);
  if (!connection) return connection.error();
  connection_ = *std::move(connection);
  std::string opening;
  append_connection(opening, options_.user, protocol_, client_id_);
  return connection_->send(view(opening), Deadline::after(options_.connection.write_timeout));
}

ClientResult<Bytes> RpcChannel::call_once(const std::string& bytes, const RpcCallKey& key) {
  if (!has_idle_connection()) {
    if (const ClientStatus connected = connect(); !connected) return connected.error();
  }
  const ClientStatus sent =
      connection_->send(view(bytes), Deadline::after(options_.connection.write_timeout));
  if (!sent) return sent.error();
  const auto parse = [&](Bytes unread) { return parse_reply(unread, options_.reply_bytes_max); };
  auto reply = receive_value(*connection_, received_,
                             Deadline::after(options_.connection.read_timeout), parse);
  if (!reply) return reply.error();
  answered_bytes_ = reply->bytes;
  return visit_all(
      reply->value.result,
      [&](Bytes response) -> ClientResult<Bytes> {
        if (reply->value.key.call_id == key.call_id) return response;
        return ClientFailure{ClientFailureKind::protocol,
                             server_.text() + ": answered a call that was not made",
                             {}};
      },
      [&](RpcError& error) -> ClientResult<Bytes> {
        const std::string whole = error.exception_class + ": " + error.message;
        if (closes_connection(error.code)) connection_.reset();
        return ClientFailure{ClientFailureKind::remote, server_.text() + ": " + whole,
                             std::move(error.exception_class)};
      });
}

ClientResult<Bytes> RpcChannel::call(std::string_view method,
                                     const google::protobuf::MessageLite& request) {
  received_.consume(std::exchange(answered_bytes_, 0));
  RpcCallKey key{next_call_id_, 0, client_id_};
  next_call_id_ = next_call_id_ == std::numeric_limits<std::int32_t>::max() ? 0 : next_call_id_ + 1;
  for (unsigned attempt = 0;; ++attempt) {
    key.retry_count = static_cast<std::int32_t>(attempt);
    std::string bytes;
    append_call(bytes, key, method, protocol_, request);
    ClientResult<Bytes> answer = call_once(bytes, key);
    if (answer) return answer;
    if (answer.error().kind == ClientFailureKind::remote) {
      received_.consume(std::exchange(answered_bytes_, 0));
    } else {
      // An answer that is late must not be taken for that of another call.
      connection_.reset();
      answered_bytes_ = 0;
    }
    if (!may_succeed_again(answer.error()) || attempt + 1 >= options_.attempts_max) return answer;
    const ClientStatus paused =
        pause(options_.back_off.before(attempt, random_), options_.connection.interrupt);
    if (!paused) return paused.error();
  }
}

}  // namespace tracebed::hdfs
