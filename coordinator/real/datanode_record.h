// The coordinator's record of one datanode: its session, and what it has not answered.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "coordinator/real/router_socket.h"
#include "core/datanode_messages.h"
#include "core/ids.h"
#include "protocol/wire_datanodes.h"

namespace tracebed {

// What the namenode has not answered: one of the datanode's heartbeats and reports.
struct DatanodeQuestion {
  std::uint64_t session = 0;    // in which it was asked
  std::uint64_t heartbeat = 0;  // its sequence; 0: a report
};

struct DatanodeRecord {
  bool has_session = false;  // it was welcomed, and has neither left nor been ordered to register
  bool has_left = false;     // with its last counts
  PeerId peer;
  std::uint64_t session = 0;   // the latest; 0 before the first Hello
  std::uint64_t received = 0;  // sequence of its last message in the session
  std::uint64_t sent = 0;      // of ours
  WallMoment last_contact{};   // by the clock of the fleet, which leaves out its own pauses
  WallMoment contact_at{};     // the same by the monotonic clock

  wire::DatanodeAddress address;
  std::uint16_t shuffle_port = 0;  // of its machine's shuffle server; 0: not known yet
  std::string host;
  std::optional<DatanodeUsage> usage;     // of the last heartbeat
  wire::TransferReport transfers;         // the last; of all its sessions
  wire::TransferReport transfers_before;  // of processes that ended

  // A full report that is being received, and from how many parts; whole if `has_reported`.
  std::vector<ReportedReplica> report;
  std::uint32_t report_parts = 0;
  bool has_reported = false;
  bool owes_report = false;  // one was dropped while replicas were being stored

  bool takes_part = false;  // its messages are inputs of the namenode
  std::deque<DatanodeQuestion> questions;
  std::map<std::uint64_t, wire::StoreOrder> stores;  // not acknowledged, by number
  std::uint64_t last_store = 0;
  std::map<std::uint64_t, std::uint64_t> calls;  // the ticket of each that is not answered
};

}  // namespace tracebed
