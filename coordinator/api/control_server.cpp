#include "coordinator/api/control_server.h"

#include <utility>

#include "coordinator/api/audited_control.h"

namespace tracebed {
namespace {

struct ThriftControl {
  using Interface = control::ControlIf;
  using Processor = control::ControlProcessor;
  using AuthenticateArguments = control::Control_authenticate_args;
  using AuthenticateResult = control::Control_authenticate_result;
};

ThriftServerOptions thrift_options(const ControlServerOptions& door) {
  return {.purpose = "the control service",
          .address = door.address,
          .port = door.port,
          .tokens = door.tokens,
          .frame_bytes_max = control_frame_bytes_max,
          .proof_timeout = door.proof_timeout,
          .idle_max = door.idle_max};
}

}  // namespace

ControlServer::ControlServer(control::ControlIf& service, const ControlServerOptions& door,
                             AuditLog* audit)
    : server_(thrift_options(door),
              [&service, audit](const ThriftClient& client, ServiceGuard& guard) {
                const auto audited = std::make_shared<AuditedControl>(service, audit, client.peer);
                return std::make_shared<GuardedProcessor<ThriftControl>>(
                    audited, guard, client,
                    [known = audited.get()](const std::string& name) { known->known_as(name); });
              }) {}

}  // namespace tracebed
