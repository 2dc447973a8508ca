#include "coordinator/namenode_server/webhdfs_server.h"

#include <map>
#include <utility>
#include <vector>

#include "coordinator/namenode_server/call_desk.h"
#include "coordinator/namenode_server/web_operations.h"

namespace tracebed {
namespace {

// Answers come in the order of requests, so that the next one waits for a change.
StreamServerOptions web_options(const ClientServerOptions& options) {
  StreamServerOptions made = stream_options(options, "WebHDFS");
  made.streams.awaited_replies_max = 1;
  return made;
}

}  // namespace

class WebHdfsServer::Desk final : public WebDesk {
 public:
  Desk(StorageGate& run, const ClientServerOptions& options, NamenodeAddress namenode_of_run)
      : WebDesk(run, std::move(namenode_of_run)),
        server_(web_options(options),
                [this](StreamConnection& stream) {
                  return std::make_unique<WebConnection>(*this, stream);
                }),
        calls_(run, server_, [this](const std::vector<CallDesk::Reply>& replies) {
          for (const CallDesk::Reply& reply : replies) answer(reply);
        }) {
    server_.start();
  }
  ~Desk() override { server_.stop(); }

  void submit(const WebChange& change, StorageCall call) override {
    changes_.emplace(calls_.call(std::move(call)), change);
  }
  const StreamServer& server() const { return server_; }

 private:
  void answer(const CallDesk::Reply& reply) {
    const WebChange change = changes_.extract(reply.ticket).mapped();
    StreamConnection* stream = server_.find(change.connection);
    if (stream == nullptr) return;
    const auto* failure = std::get_if<StorageFailure>(&reply.reply);
    if (failure != nullptr) {
      WebConnection::write(*stream,
                           webhdfs::failure_response(
                               {std::string(exception_class(failure->kind)), failure->message}),
                           change.closes_connection);
    } else {
      webhdfs::WebResponse answer = webhdfs::json_response(changed_body(reply.reply));
      if (answer.body.empty()) answer.type = webhdfs::WebResponse().type;
      WebConnection::write(*stream, std::move(answer), change.closes_connection);
    }
    server_.reply(*stream, 1);
  }

  std::map<std::uint64_t, WebChange> changes_;  // by ticket
  StreamServer server_;
  CallDesk calls_;
};

WebHdfsServer::WebHdfsServer(StorageGate& gate, const ClientServerOptions& options,
                             NamenodeAddress namenode)
    : desk_(std::make_unique<Desk>(gate, options, std::move(namenode))) {}
WebHdfsServer::~WebHdfsServer() = default;

std::uint16_t WebHdfsServer::port() const {
  return desk_->server().port();
}

StreamFigures WebHdfsServer::figures() const {
  return desk_->server().figures();
}

}  // namespace tracebed
