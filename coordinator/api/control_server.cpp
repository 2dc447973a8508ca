#include "coordinator/api/control_server.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <future>
#include <thrift/protocol/TBinaryProtocol.h>
#include <thrift/server/TNonblockingServer.h>
#include <thrift/transport/TNonblockingServerSocket.h>

#include "core/input_error.h"

namespace tracebed {
namespace {

using apache::thrift::protocol::TBinaryProtocolFactory;
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

}  // namespace

ControlServer::ControlServer(control::ControlIf& service, std::uint16_t port) {
  const auto socket = std::make_shared<TNonblockingServerSocket>("127.0.0.1", port);
  socket->setListenCallback(close_on_exec);
  socket->setAcceptCallback(close_on_exec);
  const auto processor = std::make_shared<control::ControlProcessor>(unowned(service));
  // Strict reading, with the protocol's own bounds on what a frame may claim to hold.
  const auto protocol = std::make_shared<TBinaryProtocolFactory>(
      control_frame_bytes_max, control_frame_bytes_max, true, true);
  server_ = std::make_unique<TNonblockingServer>(processor, protocol, socket);
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
    throw EnvironmentError(fmt::format("cannot listen on 127.0.0.1:{} for the control service: {}",
                                       port, error.what()));
  }
}

ControlServer::~ControlServer() {
  server_->stop();
  thread_.join();
}

}  // namespace tracebed
