#include "agents/datanode_web/datanode_web_server.h"

#include "agents/datanode_web/web_connection.h"

namespace tracebed {

DatanodeWebServer::DatanodeWebServer(const DatanodeWebOptions& options)
    : options_(options),
      server_({.place = options.place,
               .connections_max = options.connections_max,
               .purpose = "the datanode's WebHDFS"},
              sockets_, [this](TransferSocket& socket) {
                const WebEnvironment environment{.address = options_.place.address,
                                                 .timeout = options_.timeout,
                                                 .namenode = namenode(),
                                                 .interrupt = ending_.number()};
                DatanodeWebConnection(environment, socket).run();
              }) {}

DatanodeWebServer::~DatanodeWebServer() {
  ending_.ring();
}

void DatanodeWebServer::set_namenode(std::optional<hdfs::Endpoint> namenode) {
  const std::lock_guard lock(mutex_);
  namenode_ = std::move(namenode);
}

std::optional<hdfs::Endpoint> DatanodeWebServer::namenode() const {
  const std::lock_guard lock(mutex_);
  return namenode_;
}

}  // namespace tracebed
