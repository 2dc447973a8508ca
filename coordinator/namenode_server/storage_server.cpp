#include "coordinator/namenode_server/storage_server.h"

#include <memory>

namespace tracebed {
namespace {

constexpr int frame_bytes_max = (1 << 20) + (1 << 16);

struct ThriftStorage {
  using Interface = storage::StorageIf;
  using Processor = storage::StorageProcessor;
  using AuthenticateArguments = storage::Storage_authenticate_args;
  using AuthenticateResult = storage::Storage_authenticate_result;
};

// Thrift shares the service that it calls; this one is the server's own.
std::shared_ptr<storage::StorageIf> unowned(storage::StorageIf& service) {
  return {std::shared_ptr<void>(), &service};
}

}  // namespace

StorageServer::StorageServer(StorageGate& gate, DatanodeAdministration& datanodes,
                             const StorageServerOptions& options)
    : service_(gate, datanodes),
      server_({.purpose = "the storage service",
               .address = options.address,
               .port = options.port,
               .tokens = options.tokens,
               .frame_bytes_max = frame_bytes_max},
              [this](const ThriftClient& client, ServiceGuard& guard) {
                return std::make_shared<GuardedProcessor<ThriftStorage>>(
                    unowned(service_), guard, client, [](const std::string&) {});
              }) {}

}  // namespace tracebed
