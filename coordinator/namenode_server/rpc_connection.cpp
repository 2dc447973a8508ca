#include "coordinator/namenode_server/rpc_connection.h"

#include <algorithm>
#include <utility>

#include "coordinator/namenode_server/task_umbilical.h"
#include "core/visit.h"
#include "protocol/hdfs/task_umbilical.h"

namespace tracebed {
namespace {

using namespace hdfs;

// The run's thread waits for so many answers at most.
constexpr int calls_at_a_time = 128;

std::optional<RpcError> unknown(const RpcCall& call) {
  const bool is_known =
      call.protocol == client_protocol || call.protocol == task_umbilical_protocol;
  if (!is_known) return no_such_protocol(call.protocol);
  if (call.protocol_version == protocol_version) return std::nullopt;
  return RpcError{RpcErrorCode::rpc_version_mismatch, "org.apache.hadoop.ipc.RPC$VersionMismatch",
                  "Protocol " + std::string(call.protocol) +
                      " version mismatch. (client = " + std::to_string(call.protocol_version) +
                      ", server = " + std::to_string(protocol_version) + ")"};
}

// Clients without an id of their own repeat nothing.
std::optional<CallIdentity> identity_of(const RpcCallKey& key) {
  CallIdentity identity{.call_id = key.call_id};
  if (key.client_id.size != identity.client_id.size()) return std::nullopt;
  std::transform(key.client_id.bytes.begin(), key.client_id.bytes.end(), identity.client_id.begin(),
                 [](char c) { return static_cast<std::uint8_t>(c); });
  return identity;
}

}  // namespace

RpcConnection::RpcConnection(RpcDesk& desk, StreamConnection& stream)
    : desk_(desk), stream_(stream) {
  caller_.address = stream.address();
  caller_.connection = stream.number();
}

std::optional<RpcConnection::Input> RpcConnection::next(std::span<const std::byte> unread) {
  if (!stream_.takes_more()) return std::nullopt;
  auto result = reader_.next(unread);
  if (auto* input = std::get_if<Input>(&result)) return std::move(*input);
  return std::nullopt;
}

std::size_t RpcConnection::take(std::span<const std::byte> unread) {
  std::size_t taken = 0;
  std::optional<Input> input = next(unread);
  const bool has_input = input.has_value();
  while (input) {
    taken += input->bytes;
    if (std::holds_alternative<RpcCall>(input->value)) {
      input = answer_calls(*input, unread, taken);
      continue;
    }
    visit_all(
        input->value, Ignore<RpcNothing, RpcCall>{},
        [&](const RpcConnectionContext& context) { meet(context); },
        [&](const RpcImmediateReply& reply) {
          stream_.out() += reply.bytes;
          if (reply.closes_connection) stream_.end();
        });
    input = next(unread.subspan(taken));
  }
  if (has_input) stream_.prove();
  return taken;
}

// Nobody is a proxy user here, as in HDFS without hadoop.proxyuser.*.
void RpcConnection::meet(const RpcConnectionContext& context) {
  caller_.user = context.effective_user.empty() ? context.real_user : context.effective_user;
  if (context.real_user.empty() || context.real_user == context.effective_user) return;
  refuse(
      {connection_context_call_id, -1, {}},
      {RpcErrorCode::unauthorized, std::string(authorization_class),
       "User: " + context.real_user + " is not allowed to impersonate " + context.effective_user});
}

void RpcConnection::refuse(const RpcCallKey& key, const RpcError& error) {
  desk_.writer.failure(stream_.out(), key, error);
  if (closes_connection(error.code)) stream_.end();
}

std::optional<RpcConnection::Input> RpcConnection::answer_calls(const Input& first,
                                                                std::span<const std::byte> unread,
                                                                std::size_t& taken) {
  std::optional<Input> after;
  const bool is_open = desk_.gate.read(
      [&](const StorageGate::View& view) { after = answer_now(view, first, unread, taken); });
  if (is_open) return after;
  refuse(std::get<RpcCall>(first.value).key, no_run_failure());
  return next(unread.subspan(taken));
}

std::optional<RpcConnection::Input> RpcConnection::answer_now(const StorageGate::View& view,
                                                              const Input& first,
                                                              std::span<const std::byte> unread,
                                                              std::size_t& taken) {
  const HdfsCallContext context(view, desk_.ids, caller_);
  answer(context, std::get<RpcCall>(first.value));
  for (int i = 1; i < calls_at_a_time; ++i) {
    std::optional<Input> following = next(unread.subspan(taken));
    if (!following) return std::nullopt;
    const RpcCall* call = std::get_if<RpcCall>(&following->value);
    if (call == nullptr) return following;
    taken += following->bytes;
    answer(context, *call);
  }
  return std::nullopt;
}

void RpcConnection::answer(const HdfsCallContext& context, const RpcCall& call) {
  if (const auto error = unknown(call)) return refuse(call.key, *error);
  if (call.protocol == task_umbilical_protocol) {
    const auto error =
        answer_task(desk_.gate.map_outputs(), caller_.address, call, {desk_.writer, stream_.out()});
    if (error) refuse(call.key, *error);
    return;
  }
  const std::optional<NamenodeMethod> method = namenode_method(call.method);
  if (!method) return refuse(call.key, no_such_method(call.method, call.protocol));
  auto outcome = desk_.methods.begin(*method, context, call, {desk_.writer, stream_.out()});
  if (const auto* error = std::get_if<RpcError>(&outcome)) return refuse(call.key, *error);
  auto* begun = std::get_if<NamenodeMethods::Begun>(&outcome);
  if (begun == nullptr) return;
  stream_.await_reply();
  desk_.submit({stream_.number(), caller_, call.key, context.view.pool, begun->finish},
               {{.user = caller_.user,
                 .group = {},
                 .client = std::move(begun->change.client),
                 .address = caller_.address,
                 .node = context.reader.node,
                 .identity = identity_of(call.key)},
                std::move(begun->change.operation)});
}

}  // namespace tracebed
