// The half of RealFleet that talks to agents.
#include <algorithm>
#include <fmt/format.h>

#include "coordinator/real/real_fleet.h"
#include "core/check.h"
#include "core/kernel_work.h"

namespace tracebed {

namespace {

bool is_environment_value(const std::string& devices) {
  return devices.size() <= device_text_bytes_max && devices.find('\0') == std::string::npos;
}

bool is_full(const wire::LaunchBatch& batch) {
  return batch.launches.size() == wire::launches_max;
}
template <class Batch>
bool is_full(const Batch& batch) {
  return batch.containers.size() == wire::batch_ids_max;
}

// What a kernel takes follows from its data.
WallDuration known_cpu_time(const TaskWork& work) {
  return kernel_of(work) ? WallDuration{} : WallDuration(work.cpu_time);
}

// Where the next order of this kind goes: orders reach an agent in the order they were given.
template <class Batch>
Batch& open_batch(std::vector<wire::Body>& orders) {
  if (!orders.empty()) {
    auto* batch = std::get_if<Batch>(&orders.back());
    if (batch != nullptr && !is_full(*batch)) return *batch;
  }
  return std::get<Batch>(orders.emplace_back(Batch{}));
}

}  // namespace

void RealFleet::execute(std::span<const Command> commands, const HeartbeatInterest&) {
  // Real agents send every heartbeat, so the interest changes nothing here.
  for (const Command& command : commands) {
    std::visit([this](const auto& c) { order(c); }, command);
  }
  for (const NodeId node : addressed_) {
    for (wire::Body& body : orders_[node.index()]) send(node, std::move(body));
    orders_[node.index()].clear();
  }
  addressed_.clear();
  send_acknowledgements();
}

std::vector<wire::Body>& RealFleet::orders_for(NodeId node) {
  std::vector<wire::Body>& orders = orders_[node.index()];
  if (orders.empty()) addressed_.push_back(node);
  return orders;
}

void RealFleet::welcome(NodeId node) {
  wire::Welcome welcome;
  welcome.node = node;
  welcome.heartbeat_period = clock_.to_wall(options_.heartbeat_period);
  welcome.out_of_band_heartbeat = options_.out_of_band_heartbeat;
  welcome.time_scale = options_.time_scale;
  welcome.silence_max = options_.silence_max;
  welcome.orphan_grace = options_.orphan_grace;
  welcome.sent = std::chrono::system_clock::now();
  welcome.shares_vcores = options_.shares_vcores;
  welcome.cpu_enforcement = options_.cpu_enforcement;
  if (options_.storage) add_storage(welcome);
  send(node, welcome);
}

void RealFleet::order(const LaunchContainer& command) {
  AgentRecord& agent = agents_[command.node.index()];
  TRACEBED_CHECK(agent.has_joined, "containers are launched on nodes that the engine counts alive");
  wire::Launch launch = to_wire(command);
  if (!is_environment_value(launch.devices)) {
    return refuse(command, fmt::format("expected devices whose names and numbers take at most {} "
                                       "bytes in its environment, none of them zero, got {}",
                                       device_text_bytes_max, launch.devices.size()));
  }
  agent.containers.emplace(
      command.container, OrderedContainer{.ordered = now_,
                                          .expected = expected_of(
                                              agent, known_cpu_time(launch.work), command.limits)});
  open_batch<wire::LaunchBatch>(orders_for(command.node)).launches.push_back(std::move(launch));
}

// As if its launcher had: the task is retried as its master chooses.
void RealFleet::refuse(const LaunchContainer& command, const std::string& why) {
  warn_(fmt::format("container {} on {} cannot be launched: {}", command.container.value(),
                    agents_[command.node.index()].machine.name, why));
  ContainerEnded& ended = refused_.emplace_back();
  ended.container = command.container;
  ended.node = command.node;
  ended.end = ContainerEnd::launch_failed;
  ended.account.started = ended.account.ended = now_;
}

ExpectedUse RealFleet::expected_of(const AgentRecord& agent, WallDuration cpu_time,
                                   const Resources& limits) const {
  const bool has_quota =
      limits.milli_vcores() > 0 && options_.cpu_enforcement == CpuEnforcement::quota;
  return {cpu_time, has_quota ? limits.milli_vcores() : agent.machine.capacity.milli_vcores(),
          agent.isolation != wire::Isolation::none};
}

void RealFleet::order(const LaunchGangContainers& command) {
  visit_containers(command, [this](const LaunchContainer& launch) { order(launch); });
}

void RealFleet::order(const ContinueContainer& command) {
  AgentRecord& agent = agents_[command.node.index()];
  const auto found = agent.containers.find(command.container);
  if (found == agent.containers.end()) return;  // its end was reported in the same round
  found->second.was_continued = true;
  open_batch<wire::ContinueBatch>(orders_for(command.node)).containers.push_back(command.container);
}

void RealFleet::order(const KillContainer& command) {
  AgentRecord& agent = agents_[command.node.index()];
  const auto found = agent.containers.find(command.container);
  if (found == agent.containers.end()) return;  // as above
  found->second.kill_ordered = true;
  open_batch<wire::KillBatch>(orders_for(command.node)).containers.push_back(command.container);
}

void RealFleet::order(const CheckpointContainer& command) {
  AgentRecord& agent = agents_[command.node.index()];
  const auto found = agent.containers.find(command.container);
  if (found == agent.containers.end()) return;  // as above
  found->second.checkpoint_ordered = true;
  open_batch<wire::CheckpointBatch>(orders_for(command.node))
      .containers.push_back(command.container);
}

void RealFleet::send_acknowledgements() {
  for (const NodeId node : acknowledging_) {
    auto& acknowledgement = agents_[node.index()].acknowledgement;
    if (!acknowledgement) continue;  // its session ended meanwhile
    acknowledgement->sent = std::chrono::system_clock::now();
    std::vector<JobId>& ended = agents_[node.index()].ended_jobs;
    const std::size_t count = std::min(ended.size(), wire::ended_jobs_max);
    acknowledgement->ended_jobs.assign(ended.begin(),
                                       ended.begin() + static_cast<std::ptrdiff_t>(count));
    ended.erase(ended.begin(), ended.begin() + static_cast<std::ptrdiff_t>(count));
    send(node, *acknowledgement);
    acknowledgement.reset();
  }
  acknowledging_.clear();
}

// A message that cannot be sent leaves a gap in the sequence, after which the agent sends a Hello
// again; so the loss is made good by reconcile().
void RealFleet::send(NodeId node, wire::Body body) {
  AgentRecord& agent = agents_[node.index()];
  const wire::Message message{{options_.run, options_.epoch, agent.session, ++agent.sent},
                              std::move(body)};
  if (!socket_.send(agent.peer, encoder_.encode(message))) ++counters_.unsent;
}

wire::Launch RealFleet::to_wire(const LaunchContainer& command) const {
  const std::uint32_t speed = agents_[command.node.index()].machine.speed;
  const bool is_slower_or_faster = options_.are_speeds_emulated && speed != 1'000;
  TaskWork work = options_.faults.work_in(command.container, command.limits, command.work);
  if (is_slower_or_faster) static_cast<Work&>(work) = at_speed(work, speed);
  const WallDuration duration = clock_.to_wall(work.duration);
  work = with_durations(work, [this](Duration trace_time) {
    return std::chrono::ceil<Duration>(clock_.to_wall(trace_time));
  });
  const VirtualMemoryCheck& check = options_.virtual_memory;
  work.virtual_memory_mib = check.mapped_mib(work.memory_mib);
  wire::Launch launch;
  launch.container = command.container;
  launch.application = command.application;
  launch.task = command.task;
  launch.attempt = command.attempt;
  launch.is_held = command.is_held;
  launch.work = within_bounds(work);
  launch.virtual_memory_limit_mib = check.limit_mib(command.limits.memory_mib());
  if (launch.virtual_memory_limit_mib > 0) launch.memory_look = clock_.to_wall(check.interval);
  launch.limits = command.limits;
  launch.devices = device_text(command.devices, options_.dimensions);
  // How long a kernel takes is not known.
  if (options_.time_limit_factor > 0 && !kernel_of(work)) {
    const auto stretched = static_cast<std::int64_t>(static_cast<double>(duration.count()) *
                                                     options_.time_limit_factor);
    launch.time_limit = std::max(options_.time_limit_minimum, WallDuration(stretched));
  }
  return launch;
}

}  // namespace tracebed
