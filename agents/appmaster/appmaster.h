// tracebed-appmaster: the master of one application, in a container of its own. It connects a
// MasterSession to the coordinator's socket and the clock.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "agents/appmaster/master_session.h"
#include "agents/link/coordinator_socket.h"
#include "core/exit_codes.h"
#include "protocol/wire_codec.h"

namespace tracebed::appmaster {

struct AppmasterOptions {
  Identity identity;
  std::string coordinator;     // endpoint
  std::string source_address;  // of the connection to it; may be empty
  std::optional<LinkKeys> keys;
};

class Appmaster {
 public:
  // Throws InputError if ZeroMQ rejects the endpoint.
  explicit Appmaster(AppmasterOptions options);

  ExitCode run();

 private:
  void wait();
  void receive();
  void send();
  void send(std::span<const std::byte> bytes);

  agent::CoordinatorSocket coordinator_;
  wire::Encoder encoder_;
  MasterSession session_;
  std::uint64_t garbage_ = 0;
  std::uint64_t unsent_ = 0;
};

// The master that the job requests, as this process hosts it.
Result<std::unique_ptr<HostedMaster>> host_job(const Identity& identity, wire::MasterJob&& job);

}  // namespace tracebed::appmaster
