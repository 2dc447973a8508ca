// The agents of a cluster, which stand: they register once with the coordinator and serve one run
// after the other. Between runs the roster answers them, from a thread of its own; for a run it
// lends its socket to the run's fleet.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "coordinator/real/agent_record.h"
#include "coordinator/real/clock_offset.h"
#include "coordinator/real/real_options.h"
#include "coordinator/real/router_socket.h"
#include "core/machines.h"
#include "protocol/wire_codec.h"

namespace tracebed {

struct RosterMember {
  Machine machine;
  wire::Isolation isolation = wire::Isolation::none;
  std::string address;
  std::string host;
  std::string software;
  ClockOffset clock;
  bool is_there = false;       // heard of of late, when last looked at
  std::size_t containers = 0;  // of the run that has the socket
  WallMoment last_heard{};     // between runs
};

// Whose name the keys of masters in containers have: no agent's.
inline constexpr const char* master_user = "*master";

// "cgroup-v2", "cgroup-v1" or "none".
std::string_view name(wire::Isolation isolation);

// Why an agent cannot be of this coordinator's cluster, if it cannot. `user` is whose key it has,
// empty where there are no keys. Names both versions where they do not fit.
std::optional<std::string> reason_to_refuse_agent(const wire::Hello& hello,
                                                  const std::string& user);

class AgentRoster {
 public:
  // Listens at once; as RouterSocket's constructor. `warn` is called by the roster's thread.
  AgentRoster(const std::string& endpoint, std::optional<RouterKeys> keys, Warn warn);
  ~AgentRoster();
  AgentRoster(const AgentRoster&) = delete;
  AgentRoster& operator=(const AgentRoster&) = delete;

  const std::string& endpoint() const { return socket_.endpoint(); }

  struct State {
    std::vector<RosterMember> members;  // by name
    bool is_lent = false;
    std::uint64_t agents_refused = 0;  // Hellos
    std::uint64_t keys_refused = 0;    // connections
  };
  // The agents that may connect from now on, where there are keys; from any thread. One whose key
  // is not among them is not heard any more, and so lost. Whoever has the socket takes them up: the
  // roster's own thread, or note().
  void know(KnownKeys agents);
  // From any thread. While the socket is lent, members are as note() was told last.
  State state() const;
  // Where what agents log is told to, from the thread that has the socket. To be said before the
  // first loan.
  void log_to(TakeLog take) {
    const std::lock_guard lock(mutex_);
    take_log_ = std::move(take);
  }
  const TakeLog& take_log() const { return take_log_; }
  // What the run that has the socket knows of its agents, from that run's thread. Those that are no
  // machines of the run stay as they were.
  void note(std::span<const AgentRecord> agents);

  // The machines of those that are there, by name, once they are at least `count`. Asks `goes_on`,
  // which may throw, while it waits. Throws EnvironmentError, naming those that are there, after
  // `patience`.
  std::vector<Machine> wait_for(std::size_t count, WallDuration patience,
                                const std::function<void()>& goes_on) const;

  // The socket, for one run: its fleet's messages come from now on, beginning with a Hello of every
  // agent. One loan at a time; it ends before the roster.
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
  struct Session {
    PeerId peer;
    std::uint64_t number = 0;
    std::uint64_t received = 0;
    std::uint64_t sent = 0;
  };
  struct Entry {
    RosterMember member;
    Session session;
    bool is_clock_told_of = false;  // that it is off, and still is
  };

  void take_new_keys();
  void start();
  void stop();
  void serve();
  void receive_one(const RouterSocket::Received& received);
  void handle(const RouterSocket::Received& received, const wire::Envelope& envelope,
              const wire::Hello& hello);
  void handle(Entry& entry, const wire::Envelope& envelope, const wire::Heartbeat& heartbeat);
  void refuse(const PeerId& peer, const wire::Envelope& envelope, const wire::Hello& hello,
              const std::string& reason);
  void answer(const PeerId& peer, const wire::Envelope& envelope, wire::Body body);
  void send(Entry& entry, wire::Body body);
  void lose_silent();

  Warn warn_;
  RouterSocket socket_;
  wire::Encoder encoder_;
  std::map<std::uint64_t, std::string> sessions_;  // number → name; the thread's own
  std::map<std::string, std::string> refusals_;    // name → reason that was warned of; likewise
  mutable std::mutex mutex_;                       // guards what follows
  std::map<std::string, Entry> entries_;           // by name
  TakeLog take_log_;
  std::optional<KnownKeys> new_keys_;
  bool is_lent_ = false;
  std::uint64_t agents_refused_ = 0;
  std::uint64_t keys_refused_ = 0;
  std::atomic<bool> stops_{false};
  std::thread thread_;
};

}  // namespace tracebed
