#include "coordinator/namenode_server/namenode_rpc_server.h"

#include <map>
#include <utility>
#include <vector>

#include "coordinator/namenode_server/call_desk.h"
#include "coordinator/namenode_server/rpc_connection.h"

namespace tracebed {

class NamenodeRpcServer::Desk final : public RpcDesk {
 public:
  Desk(StorageGate& run, const ClientServerOptions& options)
      : RpcDesk(run),
        server_(stream_options(options, "Hadoop RPC"),
                [this](StreamConnection& stream) {
                  return std::make_unique<RpcConnection>(*this, stream);
                }),
        calls_(run, server_,
               [this](std::vector<CallDesk::Reply> replies) { reply_to_all(std::move(replies)); }) {
    server_.start();
  }
  ~Desk() override { server_.stop(); }

  void submit(RpcChange change, StorageCall call) override {
    changes_.emplace(calls_.call(std::move(call)), std::move(change));
  }
  const StreamServer& server() const { return server_; }

 private:
  void reply_to_all(std::vector<CallDesk::Reply> replies) {
    const bool is_open = gate.read([&](const StorageGate::View& view) {
      for (const CallDesk::Reply& reply : replies) write(reply, &view);
    });
    for (const CallDesk::Reply& reply : replies) {
      if (!is_open) write(reply, nullptr);
      const auto change = changes_.extract(reply.ticket);
      if (StreamConnection* stream = server_.find(change.mapped().connection)) {
        server_.reply(*stream, 1);
      }
    }
  }

  // `view` is null if no run is open.
  void write(const CallDesk::Reply& reply, const StorageGate::View* view) {
    const RpcChange& change = changes_.at(reply.ticket);
    StreamConnection* stream = server_.find(change.connection);
    if (stream == nullptr) return;
    if (const auto* failure = std::get_if<StorageFailure>(&reply.reply)) {
      writer.failure(stream->out(), change.key, hdfs_failure(*failure));
    } else if (view == nullptr || view->pool != change.pool) {
      writer.failure(stream->out(), change.key, no_run_failure());
    } else {
      change.finish(HdfsCallContext(*view, ids, change.caller), change.key, reply.reply,
                    {writer, stream->out()});
    }
  }

  std::map<std::uint64_t, RpcChange> changes_;  // by ticket
  StreamServer server_;
  CallDesk calls_;
};

NamenodeRpcServer::NamenodeRpcServer(StorageGate& gate, const ClientServerOptions& options)
    : desk_(std::make_unique<Desk>(gate, options)) {}
NamenodeRpcServer::~NamenodeRpcServer() = default;

std::uint16_t NamenodeRpcServer::port() const {
  return desk_->server().port();
}

StreamFigures NamenodeRpcServer::figures() const {
  return desk_->server().figures();
}

}  // namespace tracebed
