// The half of RealFleet that speaks with masters in containers.
#include <algorithm>
#include <fmt/format.h>

#include "coordinator/real/agent_roster.h"
#include "coordinator/real/real_fleet.h"
#include "core/check.h"
#include "system/secret_number.h"

namespace tracebed {

void RealFleet::order(const LaunchMaster& command) {
  AgentRecord& agent = agents_[command.node.index()];
  TRACEBED_CHECK(agent.has_joined, "containers are launched on nodes that the engine counts alive");
  std::uint64_t session = secret_number();
  while (masters_.contains(session)) session = secret_number();
  const Resources limits = limits_of_master(agent, command.limits);
  agent.containers.emplace(
      command.container,
      OrderedContainer{
          .ordered = now_, .master_session = session, .expected = expected_of(agent, {}, limits)});
  MasterRecord& master = masters_[session];
  master.application = command.application;
  master.attempt = command.attempt;
  master.job = job_of(command);
  if (!wire::can_encode(*master.job)) {
    master.job.reset();
    warn_(fmt::format(
        "application {} has more different tasks than one message to its master can hold",
        command.application.value()));
  }
  master_sessions_[{command.application, command.attempt}] = session;
  orders_for(command.node)
      .emplace_back(wire::LaunchMaster{command.container, command.application, command.attempt,
                                       limits, session, keys_for(session)});
}

Resources RealFleet::limits_of_master(const AgentRecord& agent, Resources limits) const {
  if (options_.cpu_enforcement != CpuEnforcement::quota) return limits;
  const double most = static_cast<double>(agent.machine.capacity.milli_vcores());
  const double whole = static_cast<double>(limits.milli_vcores()) * options_.masters.quota_factor;
  const auto quota = static_cast<std::int64_t>(std::min(whole, most));
  limits[Resources::vcores_dimension] = std::max(limits.milli_vcores(), quota);
  return limits;
}

// A pair for this attempt alone, which may connect from now on.
std::optional<wire::MasterKeys> RealFleet::keys_for(std::uint64_t session) {
  if (!socket_.has_keys()) return std::nullopt;
  KeyPair own = make_key_pair();
  masters_.at(session).public_key = own.public_key;
  socket_.admit(own.public_key, master_user_of(session));
  return wire::MasterKeys{std::move(own.public_key), std::move(own.secret_key),
                          socket_.public_key()};
}

wire::MasterJob RealFleet::job_of(const LaunchMaster& command) const {
  wire::MasterJob message;
  message.job.id = command.job->id;
  message.job.kind = command.job->kind;
  message.job.requested_time = command.job->requested_time;
  message.job.stages = command.job->stages;
  for (const Node& node : *command.nodes) {
    message.nodes.push_back({node.name, node.rack, node.labels});
  }
  message.settings = options_.masters.settings;
  message.seed = options_.masters.seed;
  message.heartbeat_interval = options_.masters.heartbeat_interval;
  message.time_scale = options_.time_scale;
  message.timeout = std::max(options_.silence_max, clock_.to_wall(options_.masters.expiry));
  return message;
}

void RealFleet::order(const AnswerMaster& command) {
  const MasterAnswer& answer = command.answer;
  const auto found = master_sessions_.find({answer.application, answer.attempt});
  if (found == master_sessions_.end()) return;  // its container has ended
  send_to_master(found->second, answer);
}

void RealFleet::send_to_master(std::uint64_t session, wire::Body body) {
  MasterRecord& master = masters_.at(session);
  const wire::Message message{{options_.run, options_.epoch, session, ++master.sent},
                              std::move(body)};
  if (!socket_.send(master.peer, encoder_.encode(message))) ++counters_.unsent;
}

template <class Message>
MasterRecord* RealFleet::master_of(const RouterSocket::Received& received,
                                   const wire::Envelope& envelope, const Message& message) {
  const auto found = masters_.find(envelope.session);
  const bool is_in_place =
      found != masters_.end() && envelope.run == options_.run && envelope.epoch == options_.epoch &&
      message.application == found->second.application &&
      message.attempt == found->second.attempt &&
      (received.user.empty() || received.user == master_user_of(envelope.session));
  if (!is_in_place) {
    ++counters_.misplaced;
    return nullptr;
  }
  MasterRecord& master = found->second;
  if (envelope.sequence <= master.received) {
    ++counters_.repeats;
    return nullptr;
  }
  master.received = envelope.sequence;
  master.peer = received.peer;
  return &master;
}

void RealFleet::handle(const RouterSocket::Received& received, const wire::Envelope& envelope,
                       const wire::MasterHello& hello) {
  if (master_of(received, envelope, hello) != nullptr) send_job(envelope.session);
}

void RealFleet::handle(const RouterSocket::Received& received, const wire::Envelope& envelope,
                       const MasterCall& call, Round* round) {
  MasterRecord* const master = master_of(received, envelope, call);
  if (master == nullptr) return;
  master->job.reset();  // it has received its job
  if (round != nullptr) round->add_call() = call;
}

void RealFleet::send_job(std::uint64_t session) {
  const MasterRecord& master = masters_.at(session);
  if (master.job) {
    send_to_master(session, *master.job);
  } else {
    send_to_master(session, wire::Refuse{wire::protocol_version, wire::protocol_version,
                                         "its job does not fit in one message"});
  }
}

void RealFleet::forget_master(std::uint64_t session) {
  const auto found = masters_.find(session);
  if (found == masters_.end()) return;
  master_sessions_.erase({found->second.application, found->second.attempt});
  if (!found->second.public_key.empty()) socket_.forget(found->second.public_key);
  masters_.erase(found);
}

}  // namespace tracebed
