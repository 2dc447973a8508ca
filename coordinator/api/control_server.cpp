#include "coordinator/api/control_server.h"

#include <event2/event.h>
#include <fmt/format.h>
#include <future>
#include <spdlog/spdlog.h>
#include <sys/socket.h>
#include <thrift/TApplicationException.h>
#include <thrift/concurrency/ThreadFactory.h>
#include <thrift/concurrency/ThreadManager.h>
#include <thrift/protocol/TBinaryProtocol.h>
#include <thrift/server/TNonblockingServer.h>
#include <thrift/transport/TSocket.h>

#include "coordinator/api/audited_control.h"
#include "coordinator/api/control_listener.h"
#include "core/input_error.h"

namespace tracebed {
namespace {

using apache::thrift::TApplicationException;
using apache::thrift::concurrency::ThreadFactory;
using apache::thrift::concurrency::ThreadManager;
using apache::thrift::protocol::TBinaryProtocolFactory;
using apache::thrift::protocol::TProtocol;
using apache::thrift::server::TNonblockingServer;
using apache::thrift::transport::TSocket;

// A client has one connection for as long as it looks at a run.
constexpr std::size_t connections_max = 256;
constexpr std::size_t connections_per_peer_max = 64;
constexpr std::size_t unproven_max = 32;

// Calls that are worked on at a time. Each connection has one at most, which bounds how many wait.
constexpr std::size_t workers_max = 4;

// One connection's. Whatever the service can do, it does for those only who have said a token.
class GuardedProcessor final : public control::ControlProcessor {
 public:
  GuardedProcessor(std::shared_ptr<AuditedControl> service, const TokenSet& tokens,
                   std::atomic<std::uint64_t>& refused, ConnectionGate& gate, int connection)
      : ControlProcessor(service),
        service_(std::move(service)),
        tokens_(tokens),
        refused_(refused),
        gate_(gate),
        connection_(connection) {}

  // Whoever sends what is no call is cut off: Thrift does so only for calls that are worked on by
  // the thread that reads them.
  bool process(std::shared_ptr<TProtocol> in, std::shared_ptr<TProtocol> out,
               void* context) override {
    try {
      return ControlProcessor::process(std::move(in), std::move(out), context);
    } catch (const std::exception&) {
      ::shutdown(connection_, SHUT_RDWR);
      throw;
    }
  }

 protected:
  bool dispatchCall(TProtocol* in, TProtocol* out, const std::string& call, std::int32_t sequence,
                    void* context) override {
    if (call == "authenticate") return authenticate(in, out, sequence);
    if (is_let_in()) {
      prove();
      return ControlProcessor::dispatchCall(in, out, call, sequence, context);
    }
    count_refusal();
    in->skip(apache::thrift::protocol::T_STRUCT);
    end_reading(in);
    const TApplicationException error(TApplicationException::PROTOCOL_ERROR,
                                      "this coordinator requires a token (--token-file)");
    out->writeMessageBegin(call, apache::thrift::protocol::T_EXCEPTION, sequence);
    error.write(out);
    end_writing(out);
    return true;
  }

 private:
  // Tokens may have been changed since it was said.
  bool is_let_in() const { return tokens_.allows_all() || tokens_.name_of(token_); }

  bool authenticate(TProtocol* in, TProtocol* out, std::int32_t sequence) {
    control::Control_authenticate_args arguments;
    arguments.read(in);
    end_reading(in);
    control::Control_authenticate_result result;
    if (const std::optional<std::string> name = tokens_.name_of(arguments.token)) {
      token_ = arguments.token;
      service_->known_as(*name);
      prove();
    } else if (tokens_.allows_all()) {
      prove();
    } else {
      count_refusal();
      result.refused.message = "the token is not valid for this coordinator";
      result.__isset.refused = true;
    }
    out->writeMessageBegin("authenticate", apache::thrift::protocol::T_REPLY, sequence);
    result.write(out);
    end_writing(out);
    return true;
  }
  void prove() { gate_.prove(connection_); }
  void count_refusal() {
    if (refused_++ == 0) {
      spdlog::warn(
          "refused a control connection without a valid token ({}); further ones are only counted",
          service_->peer());
    }
  }
  static void end_reading(TProtocol* in) {
    in->readMessageEnd();
    in->getTransport()->readEnd();
  }
  static void end_writing(TProtocol* out) {
    out->writeMessageEnd();
    out->getTransport()->writeEnd();
    out->getTransport()->flush();
  }

  const std::shared_ptr<AuditedControl> service_;
  const TokenSet& tokens_;
  std::atomic<std::uint64_t>& refused_;
  ConnectionGate& gate_;
  const int connection_;
  std::string token_;
};

class GuardedProcessors final : public apache::thrift::TProcessorFactory {
 public:
  GuardedProcessors(control::ControlIf& service, AuditLog* audit, const TokenSet& tokens,
                    std::atomic<std::uint64_t>& refused, ConnectionGate& gate)
      : service_(service), audit_(audit), tokens_(tokens), refused_(refused), gate_(gate) {}
  std::shared_ptr<apache::thrift::TProcessor> getProcessor(
      const apache::thrift::TConnectionInfo& connection) override {
    const auto socket = std::dynamic_pointer_cast<TSocket>(connection.transport);
    const std::string peer =
        socket ? fmt::format("{}:{}", socket->getPeerAddress(), socket->getPeerPort()) : "";
    return std::make_shared<GuardedProcessor>(
        std::make_shared<AuditedControl>(service_, audit_, peer), tokens_, refused_, gate_,
        socket ? socket->getSocketFD() : -1);
  }

 private:
  control::ControlIf& service_;
  AuditLog* const audit_;
  const TokenSet& tokens_;
  std::atomic<std::uint64_t>& refused_;
  ConnectionGate& gate_;
};

}  // namespace

ControlServer::ControlServer(control::ControlIf& service, const ControlServerOptions& door,
                             AuditLog* audit)
    : tokens_(door.tokens.all), events_(event_base_new()) {
  if (!events_) throw EnvironmentError("not enough resources for the control service");
  GateLimits limits;
  limits.connections_max = connections_max;
  limits.per_peer_max = connections_per_peer_max;
  limits.unproven_max = unproven_max;
  limits.proof_timeout = door.proof_timeout;
  limits.idle_max = door.idle_max;
  listener_ = std::make_shared<ControlListener>(door.address, door.port, limits);
  port_ = static_cast<std::uint16_t>(listener_->getPort());
  const auto processors =
      std::make_shared<GuardedProcessors>(service, audit, tokens_, refused_, listener_->gate());
  // Strict reading, with the protocol's own bounds on what a frame may claim to hold.
  const auto protocol = std::make_shared<TBinaryProtocolFactory>(
      control_frame_bytes_max, control_frame_bytes_max, true, true);
  server_ = std::make_unique<TNonblockingServer>(processors, protocol, listener_);
  workers_ = ThreadManager::newSimpleThreadManager(workers_max);
  workers_->threadFactory(std::make_shared<ThreadFactory>(false));  // joined by stop()
  workers_->start();
  server_->setThreadManager(workers_);
  server_->setMaxFrameSize(control_frame_bytes_max);
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
    throw EnvironmentError(fmt::format("the control service at {}:{} cannot start: {}",
                                       door.address, door.port, error.what()));
  }
}

GateFigures ControlServer::connections() const {
  return listener_->gate().figures();
}

void ControlServer::FreeEvents::operator()(event_base* base) const {
  event_base_free(base);
}

ControlServer::~ControlServer() {
  server_->stop();
  thread_.join();
  workers_->stop();  // while everything that their calls use is still there
}

}  // namespace tracebed
