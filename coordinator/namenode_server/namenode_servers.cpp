#include "coordinator/namenode_server/namenode_servers.h"

#include "system/open_address.h"

namespace tracebed {
namespace {

const StorageServerOptions& checked(const StorageServerOptions& options) {
  if (options.tokens.all.empty()) check_is_loopback("the storage service", options.address);
  return options;
}

}  // namespace

NamenodeServers::NamenodeServers(StorageGate& gate, DatanodeAdministration& datanodes,
                                 const NamenodeServersOptions& options)
    : rpc_(gate, options.rpc),
      web_(gate, options.web, {options.rpc.address, rpc_.port()}),
      administration_(gate, datanodes, checked(options.administration)) {}

}  // namespace tracebed
