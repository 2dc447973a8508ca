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

ThriftServerOptions thrift_options(const ControlServerOptions& options) {
  return {.purpose = "the control service",
          .address = options.address,
          .port = options.port,
          .tokens = options.tokens,
          .frame_bytes_max = control_frame_bytes_max,
          .proof_timeout = options.proof_timeout,
          .idle_max = options.idle_max};
}

}  // namespace

ControlServer::ControlServer(control::ControlIf& service, const ControlServerOptions& options,
                             AuditLog* audit)
    : server_(thrift_options(options),
              [&service, audit](const ThriftClient& client, ServiceGuard& guard) {
                const auto audited = std::make_shared<AuditedControl>(service, audit, client.peer);
                return std::make_shared<GuardedProcessor<ThriftControl>>(
                    audited, guard, client,
                    [known = audited.get()](const std::string& name) { known->known_as(name); });
              }) {}

}  // namespace tracebed
