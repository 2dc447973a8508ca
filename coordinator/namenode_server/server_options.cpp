#include "coordinator/namenode_server/server_options.h"

#include <algorithm>
#include <utility>

namespace tracebed {

StreamServerOptions stream_options(const ClientServerOptions& options, std::string purpose) {
  StreamServerOptions made;
  made.purpose = std::move(purpose);
  made.address = options.address;
  made.port = options.port;
  made.connections.connections_max = options.connections_max;
  made.connections.per_peer_max = options.connections_per_peer_max;
  // Half of them: who connects and says nothing keeps nobody out.
  made.connections.unproven_max = std::max<std::size_t>(1, options.connections_max / 2);
  made.connections.proof_timeout = options.request_timeout;
  made.connections.idle_max = options.idle_max;
  made.streams.progress_timeout = options.request_timeout;
  return made;
}

}  // namespace tracebed
