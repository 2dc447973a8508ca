// The real world: agents that launch processes, reached over ZeroMQ. protocol/wire_messages.h
// documents the conversation. Trace time is wall time multiplied by the time scale.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "coordinator/real/agent_death.h"
#include "coordinator/real/agent_record.h"
#include "coordinator/real/master_record.h"
#include "coordinator/real/real_datanodes.h"
#include "coordinator/real/real_options.h"
#include "coordinator/real/replay_clock.h"
#include "coordinator/real/router_socket.h"
#include "coordinator/real/run_keys.h"
#include "core/fleet.h"
#include "protocol/wire_codec.h"
#include "system/listening_clock.h"

namespace tracebed {

// How long a fleet's agents live.
enum class AgentLifetime : std::uint8_t {
  one_run,       // local: started for this run, on this machine, and given keys of the run
  long_running,  // daemons of a cluster, which serve run after run and have clocks of their own
};

class RealFleet final : public Fleet {
 public:
  // Listens at once, and makes keys for itself and each agent, which no other process has: agents
  // must be given theirs (links()). Node ids are positions in `machines`, whose names are those of
  // the agents that may register and whose capacities they must state. Throws InputError and
  // EnvironmentError as RouterSocket does. `warn` is also called for intervals too short for the
  // wall clock.
  RealFleet(RealFleetOptions options, std::vector<Machine> machines, Warn warn);
  // For long-running agents, through the socket of their roster (agent_roster.h), which outlives
  // the fleet. Agents of another run are notified that it is over; those that are no machine of
  // this one wait for the next.
  RealFleet(RealFleetOptions options, std::vector<Machine> machines, Warn warn,
            RouterSocket& socket);

  ~RealFleet() override;

  // The endpoint for agents.
  const std::string& endpoint() const { return socket_.endpoint(); }

  // The keys for agents, by node id; empty for long-running ones, which have theirs.
  const std::vector<LinkKeys>& links() const { return links_; }

  // Returns when every agent has registered, or at least `needed` have and the others have not
  // registered for some seconds, of which it warns. Throws EnvironmentError that names those
  // missing after `timeout`, or why an agent was refused. `look` is called every tenth of a second
  // and may throw, for instance if an agent's process has ended.
  void wait_for_agents(WallDuration timeout, const std::function<void()>& look,
                       std::size_t needed = std::numeric_limits<std::size_t>::max());

  // The same for the datanodes of a run with storage, all of which have to come.
  void wait_for_datanodes(WallDuration timeout, const std::function<void()>& look);

  void execute(std::span<const Command> commands, const HeartbeatInterest& interest) override;
  // The first call reports every registered node as joined and, unless the run has storage, starts
  // the clock. A signal to the process ends the wait early, with whatever has arrived by then.
  void wait_until(TraceTime deadline, Round& round) override;
  // With storage: returns when the datanodes have stored what they were ordered to, and starts the
  // clock. Throws EnvironmentError if one fails to.
  void begin_jobs() override;

  // From now on called every tenth of a second, so that the node of an agent whose process has
  // ended is lost at once rather than after `silence_max`. When all agents' have ended,
  // wait_until() throws EnvironmentError.
  void watch(FindDeaths find_deaths);

  // Notifies all agents that the run is over: they end their containers, send Goodbye, and exit
  // unless they are long-running. Agents that register from now on are left to the next run.
  void announce_end(const std::string& reason);
  // Returns when all have sent it, or are dead. False if some have not within `timeout`.
  bool wait_for_goodbyes(WallDuration timeout);

  const ReplayClock& clock() const { return clock_; }
  const RealFleetCounters& counters() const { return counters_; }
  // Connections that were refused since the fleet began because their key is unknown, and the last
  // of them, if there was one.
  std::uint64_t keys_refused() const { return socket_.refused() - refused_before_; }
  std::string last_key_refused() const { return socket_.last_refused(); }
  const std::vector<AgentRecord>& agents() const { return agents_; }
  // Null if the run has no storage.
  const RealDatanodes* datanodes() const { return datanodes_ ? &*datanodes_ : nullptr; }
  // The process of the node's datanode has ended.
  void forget_datanode(NodeId node) { datanodes_->forget(node); }
  // The weakest isolation that any agent stated.
  wire::Isolation isolation() const;

 private:
  // The socket, whose it is, and whom it reaches.
  struct Link {
    AgentLifetime lifetime = AgentLifetime::one_run;
    std::unique_ptr<RouterSocket> own;  // null if it belongs to the agents' roster
    RouterSocket& socket;
    std::vector<LinkKeys> keys;  // for agents, by node id
  };
  static Link link_for_one_run(const std::string& endpoint, const std::vector<Machine>& machines);

  RealFleet(RealFleetOptions options, std::vector<Machine> machines, Warn warn, Link link);

  // real_messages.cpp; `round` is null before the start and after the end of the replay
  void receive_all(Round* round);
  void receive_one(RouterSocket::Received& received, Round* round);
  // The daemon that has logged it; none as below.
  std::optional<std::string> take_log(const wire::Envelope& envelope,
                                      const RouterSocket::Received& received);
  // The agent whose session the message belongs to, which is in contact; none if the message is
  // misplaced or a repeat.
  std::optional<NodeId> sender_of(const wire::Envelope& envelope,
                                  const RouterSocket::Received& received);
  void handle(NodeId node, const wire::Envelope& envelope, const wire::Heartbeat& heartbeat,
              Round* round);
  void handle_goodbye(NodeId node, const std::string& reason, Round* round);
  void handle_hello(const RouterSocket::Received& received, const wire::Envelope& envelope,
                    const wire::Hello& hello, Round* round);
  // True if it was a Hello that does not, or no longer, concern this run.
  bool leave_to_others(RouterSocket::Received& received, const wire::Envelope& envelope,
                       const wire::Hello& hello);
  bool note_launcher(const wire::Hello& hello, Round* round);
  std::string missing_agents() const;
  void note_contact(AgentRecord& agent);
  void note_clock(NodeId node, const wire::Heartbeat& heartbeat);
  static void note_processors(AgentRecord& agent, const wire::Heartbeat& heartbeat);
  WallMoment to_monotonic(const AgentRecord& agent, wire::WallTime stamp) const;
  std::optional<std::string> reason_to_refuse(const wire::Envelope& envelope,
                                              const wire::Hello& hello,
                                              const std::string& user) const;
  void refuse(const RouterSocket::Received& received, const wire::Envelope& envelope,
              const wire::Hello& hello, const std::string& reason);
  void reconcile(NodeId node, const wire::Hello& hello, Round& round);
  void take_exits(NodeId node, const std::vector<wire::ContainerExit>& exits, Round& round);
  void look_at_exit(const AgentRecord& agent, const wire::ContainerExit& exit,
                    const ExpectedUse& expected);
  void lose(NodeId node, Round* round);
  void lose_dead_agents(Round* round);
  void lose_silent_agents(Round* round);
  void listen(Round* round);
  void count_garbage(const std::string& what);
  ContainerEnded to_arrival(NodeId node, const wire::ContainerExit& exit, TraceTime ordered) const;

  // real_masters.cpp
  void order(const LaunchMaster& command);
  void order(const AnswerMaster& command);
  Resources limits_of_master(const AgentRecord& agent, Resources limits) const;
  wire::MasterJob job_of(const LaunchMaster& command) const;
  std::optional<wire::MasterKeys> keys_for(std::uint64_t session);
  // The master that sent it; null if the message is misplaced or a repeat.
  template <class Sent>
  MasterRecord* master_of(const RouterSocket::Received& received, const wire::Envelope& envelope,
                          const Sent& sent);
  void handle(const RouterSocket::Received& received, const wire::Envelope& envelope,
              const wire::MasterHello& hello);
  void handle(const RouterSocket::Received& received, const wire::Envelope& envelope,
              const MasterCall& call, Round* round);
  void send_job(std::uint64_t session);
  void send_to_master(std::uint64_t session, wire::Body body);
  void forget_master(std::uint64_t session);

  // real_commands.cpp
  void welcome(NodeId node);
  void send(NodeId node, wire::Body body);
  std::vector<wire::Body>& orders_for(NodeId node);
  void order(const LaunchContainer& command);
  void order(const LaunchGangContainers& command);
  void order(const ContinueContainer& command);
  void order(const KillContainer& command);
  void order(const CheckpointContainer& command);
  void order(const AnswerDatanode& command);
  void order(const StoreReplicas& command);
  void order(const AnswerStorageCall& command);
  void order(const MapOutputReady& command);
  void order(const RemoveMapOutputs& command);
  void send_acknowledgements();
  wire::Launch to_wire(const LaunchContainer& command) const;
  void refuse(const LaunchContainer& command, const std::string& why);
  ExpectedUse expected_of(const AgentRecord& agent, WallDuration cpu_time,
                          const Resources& limits) const;

  TraceTime advance_clock();
  // Waits without the thread's hold on the namenode.
  RouterSocket::Wait wait_for_messages(WallMoment moment);
  void begin(Round& round);
  // real_storage.cpp
  void make_datanodes();
  SetDatanodeRates wall_rates() const;
  bool has_shuffle() const;
  void add_storage(wire::Welcome& welcome) const;
  void lose_those_lost_at_the_start(Round& round);
  void take_other_arrivals(Round& round);
  void take_storage_inputs(Round& round);
  void receive_from_datanode(RouterSocket::Received& received, const wire::Envelope& envelope,
                             const wire::FromDatanode& message);
  // As of agents.
  bool leave_to_others(RouterSocket::Received& received, const wire::Envelope& envelope,
                       const wire::DatanodeHello& hello);
  void end_run_of(const RouterSocket::Received& received, const wire::Envelope& envelope);

  RealFleetOptions options_;
  Warn warn_;
  ReplayClock clock_;
  AgentLifetime agent_lifetime_;
  std::unique_ptr<RouterSocket> own_socket_;  // null if it is the roster's
  RouterSocket& socket_;
  std::uint64_t refused_before_ = 0;
  std::vector<LinkKeys> links_;
  wire::Encoder encoder_;
  std::vector<AgentRecord> agents_;                        // by node id
  std::unordered_map<std::string, NodeId> nodes_by_name_;  // looked up, never iterated
  std::unordered_map<std::uint64_t, NodeId> sessions_;     // of connected agents; as above
  std::vector<std::vector<wire::Body>> orders_;            // by node id; gathered and not yet sent
  // Masters whose containers have not ended, by the session, which is secret.
  std::map<std::uint64_t, MasterRecord> masters_;
  std::map<std::pair<ApplicationId, std::uint32_t>, std::uint64_t> master_sessions_;
  // With many agents, rare cases are kept in lists, so that a round's cost depends on its contents.
  std::vector<NodeId> addressed_;                // that have orders
  std::vector<NodeId> acknowledging_;            // to which an acknowledgement is due
  std::vector<ContainerEnded> refused_;          // launches, to be reported with the next round
  ListeningClock listening_;                     // measures the silence of agents
  WallMoment next_silence_ = WallMoment::max();  // by that clock: no agent times out before
  FindDeaths find_deaths_;
  WallMoment next_look_ = WallMoment::max();  // for deaths
  TraceTime now_{};                           // of the last round
  RealFleetCounters counters_;
  std::optional<std::string> refusal_;  // the last, for wait_for_agents
  std::optional<RealDatanodes> datanodes_;
  bool has_begun_ = false;
  bool has_reported_early_losses_ = false;
  bool is_over_ = false;
  std::set<std::string> warned_of_;  // warnings that are given only once
};

}  // namespace tracebed
