// A namenode that answers each method with what a test states.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "hdfs_client/loopback_peer.h"
#include "hdfs_client/namenode_calls.h"
#include "hdfs_client/rpc_channel.h"
#include "protocol/hdfs/delimited.h"
#include "protocol/hdfs/rpc_reply.h"
#include "protocol/hdfs/rpc_server_reader.h"

namespace tracebed::hdfs::test {

class ScriptedNamenode {
 public:
  ScriptedNamenode() : peer_([this](PeerConnection& client, int) { serve(client); }) {}

  // `answer` is called with the request, one call at a time; it returns the response, or throws an
  // RpcError.
  template <class Request>
  void on(std::function<typename CallOf<Request>::Response(const Request&)> answer) {
    on_named<Request, typename CallOf<Request>::Response>(method_name(CallOf<Request>::method),
                                                          std::move(answer));
  }
  // A method that is none of the namenode's.
  template <class Request, class Response>
  void on_named(std::string_view method, std::function<Response(const Request&)> answer) {
    const std::lock_guard lock(mutex_);
    answers_[std::string(method)] = [answer](RpcReplyWriter& replies, std::string& out,
                                             const RpcCall& call) {
      Request request;
      parse_message(call.request, request);
      replies.success(out, call.key, answer(request));
    };
  }
  // The next calls, of whatever method, are executed but not answered: the connection is closed.
  void lose_answers(int count) {
    const std::lock_guard lock(mutex_);
    lost_ = count;
  }

  const Endpoint& endpoint() const { return peer_.endpoint(); }
  LoopbackPeer& peer() { return peer_; }
  struct Called {
    std::string method;
    RpcCallKey key;
  };
  std::vector<Called> calls() const {
    const std::lock_guard lock(mutex_);
    return calls_;
  }
  std::size_t count(const std::string& method) const {
    std::size_t count = 0;
    for (const Called& call : calls()) count += call.method == method;
    return count;
  }

 private:
  using Answer = std::function<void(RpcReplyWriter&, std::string&, const RpcCall&)>;

  void serve(PeerConnection& client) {
    RpcServerReader reader;
    RpcReplyWriter replies;
    while (true) {
      auto input = reader.next(client.unread());
      if (const auto* more = std::get_if<NeedMore>(&input)) {
        if (!client.receive(more->bytes)) return;
        continue;
      }
      auto& parsed = std::get<Parsed<RpcInput>>(input);
      if (const auto* call = std::get_if<RpcCall>(&parsed.value)) {
        const std::string out = answer(replies, *call);
        if (out.empty() || !client.send(out)) return;
      }
      client.consume(parsed.bytes);
    }
  }

  std::string answer(RpcReplyWriter& replies, const RpcCall& call) {
    const std::lock_guard lock(mutex_);
    calls_.push_back({std::string(call.method), call.key});
    std::string out;
    const auto found = answers_.find(std::string(call.method));
    if (found == answers_.end()) {
      replies.failure(out, call.key, no_such_method(call.method, call.protocol));
    } else {
      try {
        found->second(replies, out, call);
      } catch (const RpcError& error) {
        out.clear();
        replies.failure(out, call.key, error);
      }
    }
    if (lost_ > 0) {
      --lost_;
      return {};
    }
    return out;
  }

  mutable std::mutex mutex_;
  std::map<std::string, Answer> answers_;
  std::vector<Called> calls_;
  int lost_ = 0;
  LoopbackPeer peer_;  // last: its threads use all before
};

inline RpcOptions quick_rpc() {
  RpcOptions options;
  options.user = "alice";
  options.back_off = {std::chrono::milliseconds(1), std::chrono::milliseconds(5)};
  return options;
}

}  // namespace tracebed::hdfs::test
