// The coordinator's record of one master that runs in a container.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "coordinator/real/router_socket.h"
#include "core/ids.h"
#include "protocol/wire_messages.h"

namespace tracebed {

struct MasterRecord {
  ApplicationId application;
  std::uint32_t attempt = 1;
  PeerId peer;
  std::uint64_t received = 0;  // sequence of its last message
  std::uint64_t sent = 0;      // of ours
  // Its job, kept until its first call shows that it was received; none if it is too large.
  std::optional<wire::MasterJob> job;
  std::string public_key;  // that it may connect with; empty if there are no keys
};

}  // namespace tracebed
