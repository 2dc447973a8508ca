// The agents of a cluster, which are long-running: they register once with the coordinator and
// serve one run after the other. Between runs the roster answers them, in a thread of its own; for
// a run it lends its socket to the run's fleet.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "coordinator/real/agent_record.h"
#include "coordinator/real/clock_offset.h"
#include "coordinator/real/datanode_roster.h"
#include "coordinator/real/last_contact.h"
#include "coordinator/real/real_options.h"
#include "coordinator/real/router_socket.h"
#include "core/machines.h"
#include "protocol/wire_codec.h"
#include "system/listening_clock.h"

namespace tracebed {

struct RosterMember {
  Machine machine;
  wire::Isolation isolation = wire::Isolation::none;
  std::string address;
  std::string host;
  std::string software;
  ClockOffset clock;
  bool is_alive = false;       // a message was received within the timeout of agents
  bool has_launcher = true;    // without one it can run nothing
  bool is_drained = false;     // runs that begin later leave it out
  bool keeps_outputs = false;  // without it, runs with a shuffle leave it out
  bool is_waiting = false;     // the run in progress does not use it
  std::size_t containers = 0;  // of the run that has the socket
  WallMoment last_contact{};
};

// What a run needs to begin.
struct AgentsNeeded {
  std::size_t count = 1;  // at least
  WallDuration timeout{};
  bool keep_outputs = false;  // each a shuffle server
};

// The user name for the keys of masters in containers: no agent's, and no other master's.
inline constexpr const char* master_user = "*master";
std::string master_user_of(std::uint64_t session);

// "cgroup-v2", "cgroup-v1" or "none".
std::string_view name(wire::Isolation isolation);

// As whom a process registers.
struct PeerClaim {
  std::string agent;
  std::string software;
  std::uint32_t protocol_version = 0;
};

// Why an agent, or its datanode, cannot join this coordinator's cluster, if it cannot. `user` is
// the owner of its key, empty if there are no keys. Names both versions if they are incompatible.
std::optional<std::string> reason_to_refuse_peer(const PeerClaim& claim, const std::string& user);
inline PeerClaim claim_of(const wire::Hello& hello) {
  return {hello.agent, hello.software, hello.protocol_version};
}
inline PeerClaim claim_of(const wire::DatanodeHello& hello) {
  return {hello.agent, hello.software, hello.protocol_version};
}

class AgentRoster {
 public:
  // Listens at once; as RouterSocket's constructor. `warn` is called by the roster's thread.
  AgentRoster(const std::string& endpoint, std::optional<RouterKeys> keys, Warn warn);
  ~AgentRoster();
  AgentRoster(const AgentRoster&) = delete;
  AgentRoster& operator=(const AgentRoster&) = delete;

  const std::string& endpoint() const { return socket_.endpoint(); }

  struct State {
    std::vector<RosterMember> members;      // by name
    std::vector<DatanodeMember> datanodes;  // likewise
    bool is_lent = false;
    std::uint64_t agents_refused = 0;  // Hellos
    std::uint64_t keys_refused = 0;    // connections
    GateFigures connections;           // at its port
  };
  // The agents that may connect from now on, if there are keys; from any thread. Messages of one
  // whose key is not among them are ignored, so it is lost. Applied by the owner of the socket: the
  // roster's own thread, or note().
  void know(KnownKeys agents);
  // From any thread. While the socket is lent, members are as last reported by note().
  State state() const;
  // Receives what agents log, from the thread that has the socket. To be called before the first
  // loan.
  void log_to(TakeLog take) {
    const std::lock_guard lock(mutex_);
    take_log_ = std::move(take);
  }
  const TakeLog& take_log() const { return take_log_; }
  // From now on drained agents are stored in this file, and those that are in it are drained.
  // Throws InputError if the file is damaged, EnvironmentError if it cannot be read.
  void keep_drained_in(const std::filesystem::path& file);
  // Whether runs that begin from now on leave the agent out; any thread. False if no agent of that
  // name has registered, and it was not drained. Throws EnvironmentError if that cannot be stored;
  // then nothing has changed.
  bool set_drained(const std::string& agent, bool is_drained);
  bool is_drained(const std::string& agent) const;
  // A Hello that the run has not answered, or not yet, from that run's thread.
  void note_hello(const wire::Hello& hello);
  void note_hello(const wire::DatanodeHello& hello);
  // The current state of the agents of the run that has the socket, from that run's thread. Agents
  // that are not machines of the run are unchanged.
  void note(std::span<const AgentRecord> agents);
  // The same of its datanodes.
  void note_datanodes(const std::vector<DatanodeRecord>& datanodes);

  // The machines of the agents that are alive, have a launcher, are not drained and, if the run
  // needs that, keep outputs, by name, once there are enough. Calls `check_interruption`, which may
  // throw, while it waits. Throws EnvironmentError after the timeout, naming those that are ready
  // and what the others lack.
  std::vector<Machine> wait_for(const AgentsNeeded& needed,
                                const std::function<void()>& check_interruption) const;
  // Which of them a run that needs that leaves out because they keep no outputs, by name.
  std::vector<std::string> without_outputs() const;

  // The socket, for one run: its fleet receives the messages from now on, beginning with a Hello of
  // every agent. One loan at a time; it ends before the roster.
  class Loan {
   public:
    explicit Loan(AgentRoster& roster);
    ~Loan();
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;
    RouterSocket& socket() { return roster_.socket_; }

   private:
    AgentRoster& roster_;
  };

 private:
  static constexpr WallDuration look_period = std::chrono::milliseconds(100);

  struct Session {
    PeerId peer;
    std::uint64_t number = 0;
    std::uint64_t received = 0;
    std::uint64_t sent = 0;
  };
  struct Entry {
    RosterMember member;
    Session session;
    ClockWarnings clock_warnings;
    LastContact contact;  // whose moment is the member's
  };

  void take_new_keys();
  void forget_strangers();
  void fill(Entry& entry, const wire::Hello& hello);
  void start();
  void stop();
  void serve();
  void receive_one(const RouterSocket::Received& received);
  void receive_in_session(const RouterSocket::Received& received, const wire::Message& message);
  void handle(const RouterSocket::Received& received, const wire::Envelope& envelope,
              const wire::Hello& hello);
  void handle(Entry& entry, const wire::Envelope& envelope, const wire::Heartbeat& heartbeat);
  void refuse(const RouterSocket::Received& received, const wire::Envelope& envelope,
              const wire::Hello& hello, const std::string& reason);
  void answer(const PeerId& peer, const wire::Envelope& envelope, wire::Body body);
  void send(Entry& entry, wire::Body body);
  void note_contact(Entry& entry);
  void lose_silent();

  Warn warn_;
  RouterSocket socket_;
  wire::Encoder encoder_;
  ListeningClock listening_;                       // the thread's own, as are the next two
  std::map<std::uint64_t, std::string> sessions_;  // number → name
  std::map<std::string, std::string> refusals_;  // owner of the key → reason of the last warning
  mutable std::mutex mutex_;                     // guards what follows
  std::map<std::string, Entry> entries_;         // by name
  DatanodeRoster datanodes_;
  std::set<std::string> drained_;       // by name, registered or not
  std::filesystem::path drained_file_;  // empty: they are not stored
  TakeLog take_log_;
  std::optional<KnownKeys> new_keys_;
  std::optional<std::set<std::string>> known_names_;  // of those that may connect, if they changed
  bool is_lent_ = false;
  std::uint64_t agents_refused_ = 0;
  std::uint64_t keys_refused_ = 0;
  std::atomic<bool> stops_{false};
  std::thread thread_;
};

}  // namespace tracebed
