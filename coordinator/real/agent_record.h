// The coordinator's record of one agent: its session, and the containers it was ordered to run.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "coordinator/real/clock_offset.h"
#include "coordinator/real/plausible_exit.h"
#include "coordinator/real/router_socket.h"
#include "core/ids.h"
#include "core/machines.h"
#include "core/time.h"
#include "protocol/wire_messages.h"

namespace tracebed {

// A container that was ordered and whose end was not reported to the engine.
struct OrderedContainer {
  TraceTime ordered{};
  bool was_continued = false;  // its work was to begin, if it was held
  bool kill_ordered = false;
  bool checkpoint_ordered = false;
  std::uint64_t master_session = 0;  // 0: a task's
  ExpectedUse expected;
};

struct AgentRecord {
  Machine machine;
  wire::Isolation isolation = wire::Isolation::none;
  std::string address;
  std::string host;
  ClockOffset clock;  // of long-running agents; others share our clock
  ClockWarnings clock_warnings;

  bool is_connected = false;  // it has a session in which a message was received within silence_max
  bool has_joined = false;    // the engine counts its node as alive
  bool has_launcher = true;   // a long-running one that reports it has none is not connected
  bool is_gone = false;       // its process has ended, and no other will be started
  PeerId peer;
  std::uint64_t session = 0;   // the latest; 0 before the first Hello
  std::uint64_t received = 0;  // sequence of its last message in the session
  std::uint64_t sent = 0;      // of ours
  WallMoment last_contact{};   // by the fleet's clock, which leaves out its own pauses
  WallMoment contact_at{};     // the same by the monotonic clock

  // What its machine's processors had done at the replay's first message from it, and at the last.
  std::optional<wire::ProcessorSums> processors_before;
  std::optional<wire::ProcessorSums> processors;

  // Due to the agent once the round that holds its heartbeat is in the log.
  std::optional<wire::HeartbeatAck> acknowledgement;
  std::vector<JobId> ended_jobs;  // that it was not notified of
  std::uint64_t exits_seen = 0;   // highest sequence of an exit that was processed

  std::map<ContainerId, OrderedContainer> containers;
};

}  // namespace tracebed
