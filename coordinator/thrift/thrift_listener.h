// Where clients of a Thrift service connect. Thrift's own listener throws if nothing can be
// accepted, which Thrift's loop does not catch: out of descriptors, it ends the process. This one
// accepts through a gate and wakes Thrift's loop only when it has a connection to hand over.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <thrift/transport/TNonblockingServerTransport.h>

#include "system/connection_gate.h"
#include "system/file_descriptor.h"

struct event;
struct event_base;

namespace tracebed {

class ThriftListener final : public apache::thrift::transport::TNonblockingServerTransport {
 public:
  // Binds to an IPv4 address; port 0 is a free one. Throws EnvironmentError, which says what was to
  // be served, if the port cannot be bound.
  ThriftListener(const std::string& address, std::uint16_t port, const std::string& purpose,
                 const GateLimits& limits);
  ~ThriftListener() override;

  // Called by the thread that runs the loop, before it does; the base outlives the listener.
  void accept_in(event_base* base);
  ConnectionGate& gate() { return *gate_; }

  void listen() override {}
  THRIFT_SOCKET getSocketFD() override { return bell_for_thrift_; }
  int getPort() override { return port_; }
  int getListenPort() override { return port_; }
  void close() override {}

 protected:
  std::shared_ptr<apache::thrift::transport::TSocket> acceptImpl() override;

 private:
  struct FreeEvent {
    void operator()(event* event) const;
  };

  void accept_all();

  FileDescriptor listener_;
  std::uint16_t port_ = 0;
  std::unique_ptr<ConnectionGate> gate_;
  FileDescriptor bell_;       // an event for each connection that waits
  int bell_for_thrift_ = -1;  // which closes it
  std::deque<FileDescriptor> accepted_;
  std::unique_ptr<event, FreeEvent> accept_event_;
  std::unique_ptr<event, FreeEvent> sweep_event_;
};

}  // namespace tracebed
