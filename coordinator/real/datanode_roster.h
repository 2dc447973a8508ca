// The long-running datanodes of a cluster between runs, and those that a run leaves idle: a part of
// AgentRoster, which has the lock and the socket.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "coordinator/real/datanode_record.h"
#include "coordinator/real/last_contact.h"
#include "coordinator/real/real_options.h"
#include "coordinator/real/router_socket.h"
#include "protocol/wire_codec.h"
#include "system/listening_clock.h"

namespace tracebed {

struct DatanodeMember {
  std::string agent;  // of its machine
  std::string address;
  std::uint16_t transfer_port = 0;
  std::uint16_t http_port = 0;
  std::string host;
  std::string software;
  bool is_alive = false;  // a message was received within the timeout
  bool has_run = false;   // it is in the run in progress
};

class DatanodeRoster {
 public:
  // All outlive this.
  DatanodeRoster(RouterSocket& socket, const ListeningClock& listening, Warn warn);

  void receive(const RouterSocket::Received& received, const wire::Envelope& envelope,
               const wire::FromDatanode& message);
  // The daemon that has logged it, if it is one of a session here.
  std::optional<std::string> take_log(const RouterSocket::Received& received,
                                      const wire::Envelope& envelope);
  // A run that has the socket leaves it idle, or has not answered it yet.
  void note_hello(const wire::DatanodeHello& hello);
  // Those of the run that has the socket.
  void note(const std::vector<DatanodeRecord>& datanodes);
  // A run begins: each is to say Hello to it.
  void lend();
  // It has ended: whoever does not say Hello before long was lost in it.
  void take_back();
  void lose_silent();
  // Whoever has no key any more is none of this cluster's.
  void keep_only(const std::set<std::string>& agents);

  std::vector<DatanodeMember> members() const;  // by the name of their agents

 private:
  struct Entry {
    DatanodeMember member;
    PeerId peer;
    std::uint64_t session = 0;
    std::uint64_t received = 0;
    std::uint64_t sent = 0;
    LastContact contact;
  };

  void handle(const RouterSocket::Received& received, const wire::Envelope& envelope,
              const wire::DatanodeHello& hello);
  // Of the session that the message is of, if it is a new one.
  Entry* sender_of(const RouterSocket::Received& received, const wire::Envelope& envelope);
  static void fill(Entry& entry, const wire::DatanodeHello& hello);
  void answer(const PeerId& peer, const wire::Envelope& envelope, wire::Body body);
  void send(Entry& entry, wire::Body body);

  RouterSocket& socket_;
  const ListeningClock& listening_;
  Warn warn_;
  wire::Encoder encoder_;
  std::map<std::string, Entry> entries_;           // by the agent's name
  std::map<std::uint64_t, std::string> sessions_;  // number → name
  std::map<std::string, std::string> refusals_;  // owner of the key → reason of the last warning
};

}  // namespace tracebed
