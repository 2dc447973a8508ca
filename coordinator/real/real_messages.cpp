// The half of RealFleet that listens to agents.
#include <algorithm>
#include <fmt/format.h>

#include "coordinator/real/agent_roster.h"
#include "coordinator/real/real_fleet.h"
#include "core/visit.h"

namespace tracebed {

namespace {

// Messages of one round; what came meanwhile waits for the next.
constexpr int messages_per_round_max = 10'000;

}  // namespace

// A stamp is as old on the monotonic clock as on the wall's, once it is ours: local agents read our
// wall clock, the others' are corrected.
WallMoment RealFleet::to_monotonic(const AgentRecord& agent, wire::WallTime stamp) const {
  const auto age = std::chrono::system_clock::now() - (stamp - agent.clock.ahead());
  return std::chrono::steady_clock::now() - age;
}

void RealFleet::note_clock(NodeId node, const wire::Heartbeat& heartbeat) {
  if (agent_lifetime_ == AgentLifetime::one_run) return;
  AgentRecord& agent = agents_[node.index()];
  agent.clock.add(heartbeat, std::chrono::system_clock::now(), std::chrono::steady_clock::now());
  const auto warning = agent.clock_warnings.look(agent.machine.name, agent.clock);
  if (warning) warn_(*warning);
}

void RealFleet::note_contact(AgentRecord& agent) {
  agent.last_contact = listening_.now();
  agent.contact_at = std::chrono::steady_clock::now();
}

void RealFleet::receive_all(Round* round) {
  RouterSocket::Received received;
  for (int i = 0; i < messages_per_round_max && socket_.receive(received); ++i) {
    receive_one(received, round);
  }
}

void RealFleet::receive_one(RouterSocket::Received& received, Round* round) {
  ++counters_.messages;
  if (!received.is_single) return count_garbage("a message of several parts");
  const auto bytes = std::as_bytes(
      std::span(static_cast<const char*>(received.payload.data()), received.payload.size()));
  const Result<wire::Message> decoded = wire::decode(bytes);
  if (!decoded) return count_garbage(decoded.error().message);
  const wire::Message& message = *decoded;
  const wire::Envelope& envelope = message.envelope;
  visit_all(
      message.body,
      [&](const wire::Hello& hello) {
        if (leave_to_others(received, envelope, hello)) return;
        handle_hello(received, envelope, hello, round);
      },
      [&](const wire::MasterHello& hello) { handle(received, envelope, hello); },
      [&](const MasterCall& call) { handle(received, envelope, call, round); },
      [&](const wire::Heartbeat& heartbeat) {
        if (const auto node = sender_of(envelope, received)) {
          handle(*node, envelope, heartbeat, round);
        }
      },
      [&](const wire::LogLines& log) {
        if (const auto daemon = take_log(envelope, received); daemon && options_.take_log) {
          options_.take_log(*daemon, log);
        }
      },
      [&](const wire::Goodbye& goodbye) {
        if (const auto node = sender_of(envelope, received)) {
          handle_goodbye(*node, goodbye.reason, round);
        }
      },
      [&](const wire::FromDatanode& from) { receive_from_datanode(received, envelope, from); },
      // A coordinator's to send.
      [&](const OneOf<wire::Welcome, wire::Refuse, wire::HeartbeatAck, wire::LaunchBatch,
                      wire::ContinueBatch, wire::KillBatch, wire::Shutdown, wire::LaunchMaster,
                      wire::MasterJob, MasterAnswer, wire::CheckpointBatch,
                      wire::ToDatanode> auto&) {
        if (sender_of(envelope, received)) ++counters_.misplaced;
      });
}

std::optional<NodeId> RealFleet::sender_of(const wire::Envelope& envelope,
                                           const RouterSocket::Received& received) {
  const auto found = sessions_.find(envelope.session);
  if (found == sessions_.end() || envelope.run != options_.run ||
      envelope.epoch != options_.epoch) {
    ++counters_.misplaced;
    return std::nullopt;
  }
  AgentRecord& agent = agents_[found->second.index()];
  // Sessions can be guessed; keys cannot.
  if (!received.user.empty() && received.user != agent.machine.name) {
    ++counters_.misplaced;
    return std::nullopt;
  }
  agent.peer = received.peer;  // another one after its connection broke
  note_contact(agent);
  if (envelope.sequence <= agent.received) {
    ++counters_.repeats;
    return std::nullopt;
  }
  agent.received = envelope.sequence;
  return found->second;
}

// Sums that fall are those of another start of the machine, or of its agent.
void RealFleet::note_processors(AgentRecord& agent, const wire::Heartbeat& heartbeat) {
  if (!heartbeat.processors) return;
  const wire::ProcessorSums& now = *heartbeat.processors;
  const auto has_fallen = [&](const wire::ProcessorSums& before) {
    return now.busy_us < before.busy_us || now.idle_us < before.idle_us ||
           now.own_us < before.own_us;
  };
  if (!agent.processors || has_fallen(*agent.processors)) agent.processors_before = now;
  agent.processors = now;
}

void RealFleet::handle(NodeId node, const wire::Envelope& envelope,
                       const wire::Heartbeat& heartbeat, Round* round) {
  AgentRecord& agent = agents_[node.index()];
  note_clock(node, heartbeat);
  if (round != nullptr && agent.has_joined) {
    note_processors(agent, heartbeat);
    take_exits(node, heartbeat.exits, *round);
    round->arrivals.push_back(
        NodeHeartbeat{node, Resources(heartbeat.used_milli_vcores, heartbeat.used_memory_mib),
                      heartbeat.io_pressure});
    for (const AttemptProgress& report : heartbeat.progress)
      if (agent.containers.contains(report.container)) round->arrivals.push_back(report);
  }
  if (datanodes_) datanodes_->note_shuffle_server(node, heartbeat.shuffle_port);
  if (!agent.acknowledgement) acknowledging_.push_back(node);
  agent.acknowledgement = wire::HeartbeatAck{envelope.sequence, agent.exits_seen};
}

void RealFleet::handle_goodbye(NodeId node, const std::string& reason, Round* round) {
  if (round != nullptr) {
    warn_(fmt::format("agent {} left: {}", agents_[node.index()].machine.name, reason));
  }
  lose(node, round);
}

bool RealFleet::leave_to_others(RouterSocket::Received& received, const wire::Envelope& envelope,
                                const wire::Hello& hello) {
  if (agent_lifetime_ == AgentLifetime::one_run) return false;
  if (reason_to_refuse_peer(claim_of(hello), received.user)) return false;
  const bool is_of_none = envelope.run == wire::no_run;
  const bool is_ours = envelope.run == options_.run && !is_over_;
  if (!is_of_none && !is_ours) {
    end_run_of(received, envelope);
    return true;
  }
  if (is_over_) {
    socket_.keep(std::move(received));
    return true;
  }
  if (options_.note_bystander) options_.note_bystander(hello);
  const auto found = nodes_by_name_.find(hello.agent);
  const bool had_part = found != nodes_by_name_.end() && agents_[found->second.index()].session > 0;
  if (!had_part && options_.is_kept_out && options_.is_kept_out(hello)) return true;
  if (found != nodes_by_name_.end()) return false;
  if (warned_of_.insert(hello.agent).second) {
    warn_(fmt::format("agent {} registered after the run had begun; it joins the next run",
                      hello.agent));
  }
  return true;
}

// Of a run that is over.
void RealFleet::end_run_of(const RouterSocket::Received& received, const wire::Envelope& envelope) {
  const wire::Message answer{{envelope.run, options_.epoch, envelope.session, 1},
                             wire::Shutdown{"that run is over"}};
  if (!socket_.send(received.peer, encoder_.encode(answer))) ++counters_.unsent;
}

std::optional<std::string> RealFleet::reason_to_refuse(const wire::Envelope& envelope,
                                                       const wire::Hello& hello,
                                                       const std::string& user) const {
  if (auto reason = reason_to_refuse_peer(claim_of(hello), user)) return reason;
  if (agent_lifetime_ == AgentLifetime::one_run && envelope.run != options_.run) {
    return fmt::format("it was started for run {}, this is run {}", envelope.run, options_.run);
  }
  const auto found = nodes_by_name_.find(hello.agent);
  if (found == nodes_by_name_.end()) return "no machine of this run has its name";
  if (has_shuffle() && !hello.keeps_outputs) {
    return "the run has a shuffle, and it keeps no outputs: it has no [shuffle] in its agent.toml";
  }
  const AgentRecord& known = agents_[found->second.index()];
  if (known.is_connected && known.host != hello.host) {
    return fmt::format("another machine, at {}, has registered under that name", known.address);
  }
  const Machine& machine = known.machine;
  for (std::size_t i = 0; i < Resources::dimensions_max; ++i) {
    if (hello.capacity[i] == machine.capacity[i]) continue;
    return fmt::format("it reports a capacity of {} of resource {}, the experiment {}",
                       hello.capacity[i], i, machine.capacity[i]);
  }
  return std::nullopt;
}

void RealFleet::refuse(const RouterSocket::Received& received, const wire::Envelope& envelope,
                       const wire::Hello& hello, const std::string& reason) {
  ++counters_.refused;
  const std::string refusal = fmt::format("agent {} was rejected: {}", hello.agent, reason);
  // A long-running agent, and one that takes another's name, keep nobody else from running.
  const bool is_local = agent_lifetime_ == AgentLifetime::one_run;
  if (is_local && received.user == hello.agent) refusal_ = refusal;
  // Once for each key, whose owner may state any name.
  const std::string source = received.user.empty() ? refusal : "the key of " + received.user;
  if (is_local || warned_of_.insert(source).second) warn_(refusal);
  const wire::Message answer{{envelope.run, options_.epoch, envelope.session, 1},
                             wire::Refuse{wire::protocol_version, hello.protocol_version, reason}};
  if (!socket_.send(received.peer, encoder_.encode(answer))) ++counters_.unsent;
}

void RealFleet::handle_hello(const RouterSocket::Received& received, const wire::Envelope& envelope,
                             const wire::Hello& hello, Round* round) {
  const PeerId& peer = received.peer;
  if (const auto reason = reason_to_refuse(envelope, hello, received.user)) {
    return refuse(received, envelope, hello, *reason);
  }
  if (!note_launcher(hello, round)) return;
  const NodeId node = nodes_by_name_.at(hello.agent);
  AgentRecord& agent = agents_[node.index()];
  // An old Hello that was under way for long, or the current one once more. From an agent that is
  // lost it may also be a new one of a machine whose clock was set back.
  const bool is_old =
      envelope.session == agent.session || (envelope.session < agent.session && agent.is_connected);
  if (is_old && agent.host == hello.host) {
    ++counters_.repeats;
    if (envelope.session == agent.session && agent.is_connected) welcome(node);
    return;
  }
  if (!sessions_.emplace(envelope.session, node).second) {
    // Another agent drew the same number; this one will try again when it gets no answer.
    ++counters_.misplaced;
    return;
  }
  sessions_.erase(agent.session);
  agent.is_connected = true;
  agent.peer = peer;
  agent.session = envelope.session;
  agent.received = envelope.sequence;
  agent.sent = 0;
  note_contact(agent);
  next_silence_ = std::min(next_silence_, agent.last_contact + options_.silence_max);
  agent.isolation = hello.isolation;
  agent.address = hello.address;
  agent.host = hello.host;
  if (datanodes_) datanodes_->note_machine(node, hello.address);
  agent.clock = {};
  if (agent_lifetime_ == AgentLifetime::long_running) {
    agent.clock.add_stamp(hello.wall_clock, std::chrono::system_clock::now());
  }
  agent.exits_seen = 0;
  agent.acknowledgement.reset();
  welcome(node);
  if (round == nullptr) return;
  if (!agent.has_joined) {
    agent.has_joined = true;
    ++counters_.agents_returned;
    warn_(fmt::format("agent {} reconnected", agent.machine.name));
    round->machines.push_back(agent.machine);
    round->arrivals.push_back(
        NodeJoined{node, static_cast<std::uint32_t>(round->machines.size() - 1)});
    if (datanodes_) datanodes_->admit(node);
  }
  reconcile(node, hello, *round);
}

// False if it has none: its node is lost until it has one again. It goes on saying Hello.
bool RealFleet::note_launcher(const wire::Hello& hello, Round* round) {
  const NodeId node = nodes_by_name_.at(hello.agent);
  AgentRecord& agent = agents_[node.index()];
  note_contact(agent);
  if (hello.has_launcher != agent.has_launcher) {
    warn_(
        fmt::format("agent {} {}", hello.agent,
                    hello.has_launcher ? "is connected to its launcher again" : "has no launcher"));
  }
  agent.has_launcher = hello.has_launcher;
  if (agent.has_launcher) return true;
  if (agent.is_connected) lose(node, round);
  return false;
}

void RealFleet::lose_silent_agents(Round* round) {
  const WallMoment now = listening_.now();
  if (now < next_silence_) return;
  next_silence_ = WallMoment::max();
  for (std::size_t i = 0; i < agents_.size(); ++i) {
    const AgentRecord& agent = agents_[i];
    if (!agent.is_connected) continue;
    const WallMoment given_up = agent.last_contact + options_.silence_max;
    if (now < given_up) {
      next_silence_ = std::min(next_silence_, given_up);
      continue;
    }
    warn_(fmt::format("agent {} is lost: no message for {:.1f} s", agent.machine.name,
                      static_cast<double>(options_.silence_max.count()) / 1e9));
    lose(NodeId(i), round);
  }
}

// The engine ends the node's containers with NodeLost; what the agent reports of them later does
// not count.
void RealFleet::lose(NodeId node, Round* round) {
  AgentRecord& agent = agents_[node.index()];
  sessions_.erase(agent.session);
  agent.is_connected = false;
  agent.acknowledgement.reset();
  agent.containers.clear();
  if (round == nullptr || !agent.has_joined) return;
  agent.has_joined = false;
  ++counters_.agents_lost;
  round->arrivals.push_back(NodeLost{node});
}

void RealFleet::count_garbage(const std::string& what) {
  if (counters_.garbage++ == 0) {
    warn_("dropped a message from outside this run (" + what + "); further ones are only counted");
  }
}

}  // namespace tracebed
