#include "coordinator/api/control_server.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <future>
#include <spdlog/spdlog.h>
#include <thrift/TApplicationException.h>
#include <thrift/protocol/TBinaryProtocol.h>
#include <thrift/server/TNonblockingServer.h>
#include <thrift/transport/TNonblockingServerSocket.h>

#include "core/input_error.h"
#include "system/token.h"

namespace tracebed {
namespace {

using apache::thrift::TApplicationException;
using apache::thrift::protocol::TBinaryProtocolFactory;
using apache::thrift::protocol::TProtocol;
using apache::thrift::server::TNonblockingServer;
using apache::thrift::transport::TNonblockingServerSocket;

constexpr std::size_t connections_max = 64;

// Thrift opens its sockets without O_CLOEXEC; daemons that the coordinator starts must not hold
// them.
void close_on_exec(int socket) {
  ::fcntl(socket, F_SETFD, FD_CLOEXEC);
}

// Thrift shares ownership by its interface, but the service is the caller's.
template <class T>
std::shared_ptr<T> unowned(T& object) {
  return std::shared_ptr<T>(&object, [](T*) {});
}

// One connection's. Whatever the service can do, it does for those only who have said the token.
class GuardedProcessor final : public control::ControlProcessor {
 public:
  GuardedProcessor(control::ControlIf& service, const std::string& token,
                   std::atomic<std::uint64_t>& refused)
      : ControlProcessor(unowned(service)),
        token_(token),
        refused_(refused),
        is_open_(token.empty()) {}

 protected:
  bool dispatchCall(TProtocol* in, TProtocol* out, const std::string& call, std::int32_t sequence,
                    void* context) override {
    if (call == "authenticate") return authenticate(in, out, sequence);
    if (is_open_) return ControlProcessor::dispatchCall(in, out, call, sequence, context);
    count_refusal();
    in->skip(apache::thrift::protocol::T_STRUCT);
    end_reading(in);
    const TApplicationException error(TApplicationException::PROTOCOL_ERROR,
                                      "this coordinator wants its token first (--token-file)");
    out->writeMessageBegin(call, apache::thrift::protocol::T_EXCEPTION, sequence);
    error.write(out);
    end_writing(out);
    return true;
  }

 private:
  bool authenticate(TProtocol* in, TProtocol* out, std::int32_t sequence) {
    control::Control_authenticate_args arguments;
    arguments.read(in);
    end_reading(in);
    control::Control_authenticate_result result;
    if (token_.empty() || is_same_token(arguments.token, token_)) {
      is_open_ = true;
    } else {
      count_refusal();
      result.refused.message = "the token is not this coordinator's";
      result.__isset.refused = true;
    }
    out->writeMessageBegin("authenticate", apache::thrift::protocol::T_REPLY, sequence);
    result.write(out);
    end_writing(out);
    return true;
  }
  void count_refusal() {
    if (refused_++ == 0) {
      spdlog::warn(
          "a control connection without the right token was refused; further ones are "
          "only counted");
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

  const std::string& token_;
  std::atomic<std::uint64_t>& refused_;
  bool is_open_;
};

class GuardedProcessors final : public apache::thrift::TProcessorFactory {
 public:
  GuardedProcessors(control::ControlIf& service, std::string token,
                    std::atomic<std::uint64_t>& refused)
      : service_(service), token_(std::move(token)), refused_(refused) {}
  std::shared_ptr<apache::thrift::TProcessor> getProcessor(
      const apache::thrift::TConnectionInfo&) override {
    return std::make_shared<GuardedProcessor>(service_, token_, refused_);
  }

 private:
  control::ControlIf& service_;
  const std::string token_;
  std::atomic<std::uint64_t>& refused_;
};

}  // namespace

ControlServer::ControlServer(control::ControlIf& service, const ControlDoor& door) {
  const auto socket = std::make_shared<TNonblockingServerSocket>(door.address, door.port);
  socket->setListenCallback(close_on_exec);
  socket->setAcceptCallback(close_on_exec);
  const auto processors = std::make_shared<GuardedProcessors>(service, door.token, refused_);
  // Strict reading, with the protocol's own bounds on what a frame may claim to hold.
  const auto protocol = std::make_shared<TBinaryProtocolFactory>(
      control_frame_bytes_max, control_frame_bytes_max, true, true);
  server_ = std::make_unique<TNonblockingServer>(processors, protocol, socket);
  server_->setMaxFrameSize(control_frame_bytes_max);
  server_->setMaxConnections(connections_max);
  server_->setOverloadAction(apache::thrift::server::T_OVERLOAD_CLOSE_ON_ACCEPT);
  server_->setIdleBufferMemLimit(1 << 16);  // a large frame's memory does not stay
  // Events are registered by the thread that serves: Thrift's stop() wakes the loop only if it is
  // called by another thread than registered them.
  std::promise<std::uint16_t> listening;
  std::future<std::uint16_t> listening_port = listening.get_future();
  thread_ = std::thread([this, listening = std::move(listening)]() mutable {
    try {
      server_->registerEvents(nullptr);
    } catch (const apache::thrift::TException&) {
      listening.set_exception(std::current_exception());
      return;
    }
    listening.set_value(static_cast<std::uint16_t>(server_->getListenPort()));
    server_->serve();
  });
  try {
    port_ = listening_port.get();
  } catch (const apache::thrift::TException& error) {
    thread_.join();
    throw EnvironmentError(fmt::format("cannot listen on {}:{} for the control service: {}",
                                       door.address, door.port, error.what()));
  }
}

ControlServer::~ControlServer() {
  server_->stop();
  thread_.join();
}

}  // namespace tracebed
