#include "coordinator/thrift/thrift_server.h"

#include <event2/event.h>
#include <fmt/format.h>
#include <future>
#include <spdlog/spdlog.h>
#include <thrift/TProcessor.h>
#include <thrift/concurrency/ThreadFactory.h>
#include <thrift/concurrency/ThreadManager.h>
#include <thrift/protocol/TBinaryProtocol.h>
#include <thrift/server/TNonblockingServer.h>
#include <thrift/transport/TSocket.h>

#include "coordinator/thrift/thrift_listener.h"
#include "core/input_error.h"

namespace tracebed {
namespace {

using apache::thrift::concurrency::ThreadFactory;
using apache::thrift::concurrency::ThreadManager;
using apache::thrift::protocol::TBinaryProtocolFactory;
using apache::thrift::server::TNonblockingServer;
using apache::thrift::transport::TSocket;

// A client has one connection for as long as it looks at a run.
constexpr std::size_t connections_max = 256;
constexpr std::size_t connections_per_peer_max = 64;
constexpr std::size_t unproven_max = 32;

// Calls that are worked on at a time. Each connection has one at most, which bounds how many wait.
constexpr std::size_t workers_max = 4;

class Processors final : public apache::thrift::TProcessorFactory {
 public:
  Processors(ThriftServer::MakeProcessor make, ServiceGuard& guard)
      : make_(std::move(make)), guard_(guard) {}
  std::shared_ptr<apache::thrift::TProcessor> getProcessor(
      const apache::thrift::TConnectionInfo& connection) override {
    const auto socket = std::dynamic_pointer_cast<TSocket>(connection.transport);
    ThriftClient client;
    if (socket) {
      client = {static_cast<int>(socket->getSocketFD()),
                fmt::format("{}:{}", socket->getPeerAddress(), socket->getPeerPort())};
    }
    return make_(client, guard_);
  }

 private:
  const ThriftServer::MakeProcessor make_;
  ServiceGuard& guard_;
};

}  // namespace

void ServiceGuard::count_refusal(const ThriftClient& client) {
  if (refused_++ > 0) return;
  spdlog::warn(
      "refused a connection to {} without a valid token ({}); further ones are only counted",
      purpose_, client.peer);
}

ThriftServer::ThriftServer(const ThriftServerOptions& options, MakeProcessor make)
    : guard_(options.purpose, options.tokens.all), events_(event_base_new()) {
  if (!events_) throw EnvironmentError("not enough resources for " + options.purpose);
  GateLimits limits;
  limits.connections_max = connections_max;
  limits.per_peer_max = connections_per_peer_max;
  limits.unproven_max = unproven_max;
  limits.proof_timeout = options.proof_timeout;
  limits.idle_max = options.idle_max;
  listener_ =
      std::make_shared<ThriftListener>(options.address, options.port, options.purpose, limits);
  guard_.watch(listener_->gate());
  port_ = static_cast<std::uint16_t>(listener_->getPort());
  const auto processors = std::make_shared<Processors>(std::move(make), guard_);
  // Strict reading, with the protocol's own bounds on what a frame may claim to hold.
  const auto protocol = std::make_shared<TBinaryProtocolFactory>(
      options.frame_bytes_max, options.frame_bytes_max, true, true);
  server_ = std::make_unique<TNonblockingServer>(processors, protocol, listener_);
  workers_ = ThreadManager::newSimpleThreadManager(workers_max);
  workers_->threadFactory(std::make_shared<ThreadFactory>(false));  // joined by stop()
  workers_->start();
  server_->setThreadManager(workers_);
  server_->setMaxFrameSize(static_cast<std::size_t>(options.frame_bytes_max));
  server_->setIdleBufferMemLimit(1 << 16);  // a large frame's memory does not stay
  // Events are registered by the thread that serves: Thrift's stop() wakes the loop only if it is
  // called by another thread than registered them.
  std::promise<void> listening;
  std::future<void> is_listening = listening.get_future();
  thread_ = std::thread([this, listening = std::move(listening)]() mutable {
    try {
      listener_->accept_in(events_.get());
      server_->registerEvents(events_.get());
    } catch (const apache::thrift::TException&) {
      listening.set_exception(std::current_exception());
      return;
    }
    listening.set_value();
    server_->serve();
  });
  try {
    is_listening.get();
  } catch (const apache::thrift::TException& error) {
    thread_.join();
    throw EnvironmentError(fmt::format("{} at {}:{} cannot start: {}", options.purpose,
                                       options.address, options.port, error.what()));
  }
}

GateFigures ThriftServer::connections() const {
  return listener_->gate().figures();
}

void ThriftServer::FreeEvents::operator()(event_base* base) const {
  event_base_free(base);
}

ThriftServer::~ThriftServer() {
  server_->stop();
  thread_.join();
  workers_->stop();  // while everything that their calls use is still there
}

}  // namespace tracebed
