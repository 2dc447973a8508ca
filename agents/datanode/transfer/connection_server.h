// Accepts connections, and serves each on a thread of its own with a small stack, up to a bound
// (org.apache.hadoop.hdfs.server.datanode.DataXceiverServer).
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <list>
#include <mutex>
#include <optional>
#include <string_view>
#include <thread>

#include "agents/datanode/transfer/open_sockets.h"
#include "agents/datanode/transfer/transfer_socket.h"
#include "system/event_descriptor.h"
#include "system/small_thread.h"

namespace tracebed {

class ConnectionServer {
 public:
  struct Options {
    SocketPlace place;                    // port 0: a free one
    std::size_t connections_max = 4'096;  // further ones are closed at once
    std::string_view purpose;             // for messages
  };
  // Returns when the connection is of no more use, and soon after its socket was shut down.
  using Serve = std::function<void(TransferSocket&)>;

  // Listens at once. Throws EnvironmentError if that is not possible.
  ConnectionServer(const Options& options, OpenSockets& sockets, Serve serve);
  // Shuts all of `sockets` down, and waits for the threads.
  ~ConnectionServer();
  ConnectionServer(const ConnectionServer&) = delete;
  ConnectionServer& operator=(const ConnectionServer&) = delete;

  std::uint16_t port() const { return port_; }
  // Until there are no connections, for so long at most.
  void wait_for_end(std::chrono::milliseconds timeout);
  // At this moment; HDFS calls them xceivers.
  std::size_t connections() const;
  // Of those that were closed at once, for lack of room or threads.
  std::uint64_t refused() const;

 private:
  struct Connection {
    std::optional<TransferSocket> socket;
    std::optional<SmallThread> thread;
  };
  using Connections = std::list<Connection>;

  void accept_all();
  void accept_one();
  void start(FileDescriptor socket);
  void serve(Connections::iterator connection);
  // Joins the threads of connections that have ended.
  void clear_ended();

  const std::size_t connections_max_;
  OpenSockets& sockets_;
  const Serve serve_;
  FileDescriptor listener_;
  std::uint16_t port_;
  EventDescriptor woken_;
  mutable std::mutex mutex_;  // guards what follows
  bool is_ending_ = false;
  Connections connections_;
  Connections ended_;
  std::condition_variable connection_ended_;
  std::uint64_t refused_ = 0;
  std::jthread acceptor_;  // last: it uses what is above
};

}  // namespace tracebed
