// The part of RealFleet that a run with storage adds.
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "coordinator/real/agent_roster.h"
#include "coordinator/real/real_fleet.h"
#include "coordinator/real/scheduler_threads.h"
#include "coordinator/real/wall_rate.h"
#include "core/check.h"
#include "core/input_error.h"

namespace tracebed {
namespace {

constexpr WallDuration storage_look_period = std::chrono::milliseconds(100);
// Of HDFS clients; the others wait for the next round.
constexpr std::size_t storage_calls_per_round_max = 10'000;

}  // namespace

SetDatanodeRates RealFleet::wall_rates() const {
  const DatanodeOptions& options = options_.storage->datanodes;
  return {wall_rate(options.disk_rate, clock_), wall_rate(options.network_rate, clock_),
          std::chrono::ceil<std::chrono::microseconds>(clock_.to_wall(options.seek))};
}

void RealFleet::add_storage(wire::Welcome& welcome) const {
  welcome.namenode = options_.storage->namenode;
  welcome.shuffle_key = options_.storage->shuffle_key;
  if (has_shuffle()) welcome.shuffle_rates = wall_rates();
}

bool RealFleet::has_shuffle() const {
  return options_.storage && !options_.storage->shuffle_key.empty();
}

void RealFleet::make_datanodes() {
  const RealStorage& storage = *options_.storage;
  const std::string storage_warning =
      short_interval_warning("the datanodes' heartbeat", storage.datanodes.heartbeat, clock_);
  if (!storage_warning.empty()) warn_(storage_warning);
  DatanodeLinkOptions link_options;
  link_options.run = options_.run;
  link_options.epoch = options_.epoch;
  link_options.are_long_running = agent_lifetime_ == AgentLifetime::long_running;
  link_options.heartbeat_period = clock_.to_wall(storage.datanodes.heartbeat);
  link_options.report_period = clock_.to_wall(storage.datanodes.block_report_interval);
  link_options.rates = wall_rates();
  link_options.silence_max = options_.silence_max;
  link_options.storage = storage;
  std::vector<Machine> all;
  for (const AgentRecord& agent : agents_) all.push_back(agent.machine);
  datanodes_.emplace(std::move(link_options), all, socket_, listening_, warn_);
}

void RealFleet::wait_for_datanodes(WallDuration timeout, const std::function<void()>& look) {
  const WallMoment deadline = std::chrono::steady_clock::now() + timeout;
  for (std::vector<std::string> missing = datanodes_->missing(); !missing.empty();
       missing = datanodes_->missing()) {
    const WallMoment now = std::chrono::steady_clock::now();
    if (datanodes_->refusal()) throw EnvironmentError(*datanodes_->refusal());
    if (now >= deadline) {
      throw EnvironmentError(fmt::format(
          "expected {} datanodes to register at {} within {:.1f} s; missing: {}", agents_.size(),
          endpoint(), static_cast<double>(timeout.count()) / 1e9, fmt::join(missing, ", ")));
    }
    look();
    socket_.wait_until(std::min(deadline, now + storage_look_period));
    listen(nullptr);
    lose_silent_agents(nullptr);
    send_acknowledgements();
  }
}

void RealFleet::begin_jobs() {
  if (!datanodes_) return;
  while (!datanodes_->have_stored()) {
    wait_for_messages(std::chrono::steady_clock::now() + storage_look_period);
    listen(nullptr);
    lose_dead_agents(nullptr);
    lose_silent_agents(nullptr);
    send_acknowledgements();
  }
  datanodes_->start();
  clock_.start();
}

RouterSocket::Wait RealFleet::wait_for_messages(WallMoment moment) {
  std::vector<int> others;
  if (datanodes_) others = datanodes_->descriptors();
  if (options_.scheduler_threads != nullptr) {
    others.push_back(options_.scheduler_threads->descriptor());
  }
  if (!datanodes_) return socket_.wait_until(moment, others);
  StorageGate& gate = *options_.storage->gate;
  gate.leave();
  const RouterSocket::Wait woken_by = socket_.wait_until(moment, others);
  gate.enter();
  return woken_by;
}

// What did not come from agents.
void RealFleet::take_other_arrivals(Round& round) {
  take_storage_inputs(round);
  if (options_.scheduler_threads == nullptr) return;
  for (const DecisionMade& made : options_.scheduler_threads->take_made()) {
    round.arrivals.push_back(made);
  }
}

void RealFleet::take_storage_inputs(Round& round) {
  if (!datanodes_) return;
  for (StorageInput& input : datanodes_->take_inputs(storage_calls_per_round_max)) {
    round.add_storage(std::move(input));
  }
}

void RealFleet::receive_from_datanode(RouterSocket::Received& received,
                                      const wire::Envelope& envelope,
                                      const wire::FromDatanode& message) {
  const auto* hello = std::get_if<wire::DatanodeHello>(&message);
  if (hello != nullptr && leave_to_others(received, envelope, *hello)) return;
  if (datanodes_) return datanodes_->receive(received, envelope, message);
  ++counters_.misplaced;
}

// The daemon that has logged it: an agent, or a datanode.
std::optional<std::string> RealFleet::take_log(const wire::Envelope& envelope,
                                               const RouterSocket::Received& received) {
  if (datanodes_ && datanodes_->has_session(envelope.session)) {
    return datanodes_->take_log(received, envelope);
  }
  const std::optional<NodeId> node = sender_of(envelope, received);
  if (!node) return std::nullopt;
  return agents_[node->index()].machine.name;
}

bool RealFleet::leave_to_others(RouterSocket::Received& received, const wire::Envelope& envelope,
                                const wire::DatanodeHello& hello) {
  if (agent_lifetime_ == AgentLifetime::one_run) return false;
  if (reason_to_refuse_peer(claim_of(hello), received.user)) return false;
  const bool is_of_none = envelope.run == wire::no_run;
  const bool is_ours = datanodes_ && envelope.run == options_.run && !is_over_;
  if (!is_of_none && !is_ours) {
    end_run_of(received, envelope);
    return true;
  }
  if (is_over_) {
    socket_.keep(std::move(received));
    return true;
  }
  if (options_.note_idle_datanode) options_.note_idle_datanode(hello);
  return !datanodes_ || !nodes_by_name_.contains(hello.agent);
}

void RealFleet::order(const AnswerDatanode& command) {
  TRACEBED_CHECK(datanodes_, "the namenode answers datanodes of runs with storage");
  datanodes_->execute(command);
}

void RealFleet::order(const StoreReplicas& command) {
  TRACEBED_CHECK(datanodes_, "files are preloaded in runs with storage");
  datanodes_->execute(command);
}

void RealFleet::order(const AnswerStorageCall& command) {
  TRACEBED_CHECK(datanodes_, "the namenode answers clients of runs with storage");
  datanodes_->execute(command);
}

void RealFleet::order(const MapOutputReady& command) {
  TRACEBED_CHECK(datanodes_, "tasks fetch from each other in runs with storage");
  datanodes_->execute(command);
}

void RealFleet::order(const RemoveMapOutputs& command) {
  TRACEBED_CHECK(datanodes_, "tasks fetch from each other in runs with storage");
  datanodes_->execute(command);
  for (AgentRecord& agent : agents_) agent.ended_jobs.push_back(command.job);
}

}  // namespace tracebed
