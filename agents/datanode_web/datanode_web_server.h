// The datanode's door for WebHDFS (org.apache.hadoop.hdfs.server.datanode.web.webhdfs): OPEN,
// CREATE, APPEND and GETFILECHECKSUM, to which the namenode redirects. It is a client of HDFS
// itself: it reads a file's blocks from their datanodes, the nearest first, and is the writer of
// what it is sent.
//
// Each connection has a thread. libevent's evhttp, which serves pages elsewhere, keeps a request's
// whole body in memory before it calls anybody, so an upload of any size would need as much. Here a
// body goes into the pipeline as it comes, and the client waits while the pipeline does.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

#include "agents/datanode/transfer/connection_server.h"
#include "hdfs_client/connection.h"
#include "system/event_descriptor.h"

namespace tracebed {

struct DatanodeWebOptions {
  SocketPlace place;  // where it listens, and from where it connects to datanodes and namenode
  std::size_t connections_max = 256;
  // For what a client is to send or to take next, and between two requests.
  std::chrono::milliseconds timeout = std::chrono::seconds(60);
};

class DatanodeWebServer {
 public:
  // Throws EnvironmentError if it cannot listen.
  explicit DatanodeWebServer(const DatanodeWebOptions& options);
  // Ends all requests, within moments.
  ~DatanodeWebServer();
  DatanodeWebServer(const DatanodeWebServer&) = delete;
  DatanodeWebServer& operator=(const DatanodeWebServer&) = delete;

  std::uint16_t port() const { return server_.port(); }
  // That of the run. Another one that a request names (`namenoderpcaddress`) counts for nothing: no
  // client makes a datanode connect to wherever it likes. None: requests fail.
  void set_namenode(std::optional<hdfs::Endpoint> namenode);

 private:
  std::optional<hdfs::Endpoint> namenode() const;

  const DatanodeWebOptions options_;
  EventDescriptor ending_;    // interrupts the clients of HDFS
  mutable std::mutex mutex_;  // guards the next
  std::optional<hdfs::Endpoint> namenode_;
  OpenSockets sockets_;
  ConnectionServer server_;  // last: its threads use what is above
};

}  // namespace tracebed
