#include "coordinator/virtual/virtual_fleet.h"

#include <algorithm>
#include <utility>

#include "core/check.h"
#include "core/visit.h"

namespace tracebed {
namespace {

// Average use over the run time, as heartbeats carry it.
Resources usage_of(const Work& work, Duration run_time) {
  const std::int64_t milli_vcores =
      run_time.count() > 0 ? work.cpu_time.count() * 1000 / run_time.count() : 0;
  return Resources(milli_vcores, work.memory_mib);
}

// A task that wants more CPU than its container may use is throttled to it.
Duration throttled_run_time(const Work& work, const Resources& limits) {
  if (limits.milli_vcores() <= 0) return work.duration;
  return std::max(work.duration, Duration(work.cpu_time.count() * 1000 / limits.milli_vcores()));
}

}  // namespace

double VirtualFleet::part_done(const RunningTask& task, TraceTime at) {
  if (at >= task.ends) return 1;
  if (task.is_held || at <= task.ends - task.run_time) return 0;
  return to_seconds(at - (task.ends - task.run_time)) / to_seconds(task.run_time);
}

VirtualFleet::VirtualFleet(const VirtualOptions& options, std::vector<Machine> machines,
                           std::vector<MachineChange> changes)
    : options_(options),
      machines_(std::move(machines)),
      nodes_(machines_.size()),
      launch_model_(options),
      wheel_(machines_.size(), options.heartbeat_period,
             Random::stream(options.seed, "virtual.heartbeat_phase")),
      checkpoint_time_(options.is_ideal ? Duration::zero() : options.checkpoint_time) {
  std::stable_sort(changes.begin(), changes.end(),
                   [](const MachineChange& a, const MachineChange& b) { return a.at < b.at; });
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    nodes_[i].is_up = true;
    nodes_[i].speed = machines_[i].speed;
  }
  std::vector<bool> has_change(nodes_.size());
  for (const MachineChange& change : changes) {
    const std::size_t index = change.node.index();
    TRACEBED_CHECK(index < nodes_.size(), "a machine that changes is one of the machines");
    if (!has_change[index] && change.up) nodes_[index].is_up = false;
    has_change[index] = true;
    schedule(change);
  }
}

void VirtualFleet::schedule(const MachineChange& change) {
  TRACEBED_CHECK(change.at >= now_, "a machine does not change in the past");
  ++changes_left_;
  events_.push(change.at, {.kind = change.up ? EventKind::machine_comes : EventKind::machine_goes,
                           .subject = change.node.value()});
}

void VirtualFleet::execute(std::span<const Command> commands, const HeartbeatInterest& interest) {
  const bool new_interest =
      interest.any != interest_.any || !(interest.minimum == interest_.minimum);
  interest_ = interest;
  if (new_interest && !options_.is_ideal) {
    for (std::size_t i = 0; i < nodes_.size(); ++i) update_mark(NodeId(i));
  }
  for (const Command& command : commands) {
    visit_all(
        command, [&](const LaunchContainer& launched) { launch(launched); },
        [&](const LaunchGangContainers& gang) { launch(gang); },
        [&](const ContinueContainer& continued) { continue_held(continued.container); },
        [&](const KillContainer& killed) { kill(killed.container); },
        [&](const CheckpointContainer& kept) { checkpoint(kept.container); },
        [&](const LaunchMaster& master) { launch_master(master); },
        [&](const AnswerMaster& answered) { answer_master(answered.answer); });
  }
  schedule_pending_end();
  has_changed_ |= !commands.empty();
  sweep_due_ = options_.is_ideal && interest_.any && has_changed_;
}

void VirtualFleet::launch(const LaunchContainer& command) {
  NodeModel& node = nodes_[command.node.index()];
  if (!node.is_up) return;  // nobody hears it; the engine will be told that the node is lost
  RunningTask& task = running_.emplace_at(command.container);
  task.node = command.node;
  task.work = options_.faults.work_in(command.container, command.limits, command.work);
  if (node.speed != 1'000) task.work = at_speed(task.work, node.speed);
  task.started = now_ + launch_model_.draw();
  task.run_time =
      options_.is_ideal ? task.work.duration : throttled_run_time(task.work, command.limits);
  task.is_held = command.is_held;
  if (command.limits.memory_mib() > 0 && task.work.memory_mib > command.limits.memory_mib()) {
    // It touches its memory first, so the limit ends it as soon as it runs.
    task.work.memory_mib = command.limits.memory_mib();
    task.run_time = Duration::zero();
    task.is_held = false;
    task.end = ContainerEnd::out_of_memory;
  } else if (command.work.exhausts_heap) {
    task.run_time = Duration::zero();
    task.end = ContainerEnd::heap_exhausted;
  }
  task.looks_survived = static_cast<std::int8_t>(options_.virtual_memory.looks_survived_by(
      command.work.memory_mib, command.limits.memory_mib()));
  task.ends = never;
  if (!task.is_held) begin_work(command.container, task);
  if (options_.is_ideal) return;
  node.free -= command.limits;
  node.usage += usage_of(task.work, task.run_time);
  limits_.emplace_at(command.container, command.limits);
  update_mark(command.node);
}

void VirtualFleet::continue_held(ContainerId id) {
  RunningTask* task = running_.find(id);
  if (task == nullptr || !task->is_held) return;  // it ended meanwhile
  task->is_held = false;
  begin_work(id, *task);
}

void VirtualFleet::begin_work(ContainerId id, RunningTask& task) {
  const TraceTime begun = std::max(now_, task.started);
  task.ends = begun + task.run_time;
  if (task.looks_survived >= 0) {
    const Duration interval = options_.virtual_memory.interval;
    const auto look_after = [&](TraceTime time) {
      return TraceTime(interval * (time.time_since_epoch() / interval + 1));
    };
    const TraceTime killed =
        std::max(look_after(begun), look_after(task.started) + interval * task.looks_survived);
    if (killed < task.ends) {
      task.end = ContainerEnd::virtual_memory_exceeded;
      task.killed_at = killed;
    }
  }
  schedule_end(id, std::min(task.ends, task.killed_at));
}

void VirtualFleet::schedule_end(ContainerId id, TraceTime at) {
  const bool continues = pending_end_.count > 0 && pending_end_at_ == at &&
                         pending_end_.subject + pending_end_.count == id.value();
  if (continues) {
    ++pending_end_.count;
    return;
  }
  schedule_pending_end();
  pending_end_.subject = id.value();
  pending_end_.count = 1;
  pending_end_at_ = at;
}

void VirtualFleet::schedule_pending_end() {
  if (pending_end_.count > 0) events_.push(pending_end_at_, pending_end_);
  pending_end_.count = 0;
}

void VirtualFleet::kill(ContainerId id) {
  break_up_gang_of(id);
  RunningTask* task = running_.find(id);
  if (task == nullptr) return;  // it ended by itself, or with its machine
  task->end = ContainerEnd::killed;
  task->killed_at = now_;
  schedule_end(id, now_);
}

void VirtualFleet::checkpoint(ContainerId id) {
  if (options_.faults.ignores_checkpoint(id)) return;
  break_up_gang_of(id);
  RunningTask* task = running_.find(id);
  if (task == nullptr) return;
  const TraceTime written = now_ + checkpoint_time_;
  if (task->killed_at <= written) return;
  // One that is done before that just ends.
  if (task->ends <= written || task->end == ContainerEnd::out_of_memory) return;
  task->end = ContainerEnd::checkpointed;
  task->killed_at = written;
  schedule_end(id, written);
}

void VirtualFleet::end_task(ContainerId id, Round& round) {
  const RunningTask* task = running_.find(id);
  if (task == nullptr) return;  // it was killed, or went with its machine
  if (options_.is_ideal) {
    // Made in place, as it is large and a run makes one for every container.
    report_end(
        id, *task,
        std::get<ContainerEnded>(round.arrivals.emplace_back(std::in_place_type<ContainerEnded>)));
    running_.erase(id);
    return;
  }
  const NodeId node_id = task->node;
  NodeModel& node = nodes_[node_id.index()];
  report_end(id, *task, node.unreported.emplace_back());
  node.free += limits_[id];
  node.usage -= usage_of(task->work, task->run_time);
  running_.erase(id);
  limits_.erase(id);
  update_mark(node_id);
  if (options_.out_of_band_heartbeat) beat(node_id, round);
}

void VirtualFleet::report_end(ContainerId id, const RunningTask& task,
                              ContainerEnded& report) const {
  report.container = id;
  report.node = task.node;
  report.end = task.end;
  ContainerAccount& account = report.account;
  account.ended = std::min(task.ends, task.killed_at);
  account.started = std::min(task.started, account.ended);
  // A task that was cut short has done the same part of everything.
  const bool is_kept = task.end == ContainerEnd::checkpointed;
  const double done = part_done(task, is_kept ? account.ended - checkpoint_time_ : account.ended);
  if (is_kept) account.progress = static_cast<std::uint32_t>(done * whole_work);
  const auto part = [done](std::int64_t whole) {
    return done >= 1 ? whole : static_cast<std::int64_t>(static_cast<double>(whole) * done);
  };
  account.cpu_time = Duration(part(task.work.cpu_time.count()));
  account.memory_peak_mib = task.work.memory_mib;
  account.bytes_read = part(task.work.input_bytes + task.work.shuffle_bytes);
  account.bytes_written = part(task.work.output_bytes);
  const bool was_killed = task.end == ContainerEnd::killed ||
                          task.end == ContainerEnd::out_of_memory ||
                          task.end == ContainerEnd::virtual_memory_exceeded;
  if (was_killed) account.signal = 9;
  if (task.end == ContainerEnd::failed) account.exit_code = 1;
}

void VirtualFleet::wait_until(TraceTime wanted, Round& round) {
  const TraceTime deadline = std::max(wanted, now_);
  if (!has_joined_) return join_initial(round);
  for (;;) {
    if (sweep_due_ && sweep(round)) return;
    const TraceTime next_beat = wheel_.next_time(now_);
    const TraceTime next = std::min({events_.next_time(), next_beat, deadline});
    if (next == never) {
      round.now = never;
      return;
    }
    now_ = next;
    while (events_.next_time() == now_) handle(events_.pop(), round);
    while (wheel_.next_time(now_) == now_) beat(wheel_.take(), round);
    if (!round.arrivals.empty() || now_ == deadline) {
      round.now = now_;
      has_changed_ = true;
      return;
    }
  }
}

void VirtualFleet::handle(const Event& event, Round& round) {
  const NodeId node(event.subject);
  switch (event.kind) {
    case EventKind::container_ends:
      for (std::uint32_t i = 0; i < event.count; ++i) {
        end_task(ContainerId(event.subject + i), round);
      }
      return;
    case EventKind::gang_ends:
      return end_gang(ContainerId(event.subject), round);
    case EventKind::master_calls:
      return take_call(ContainerId(event.subject), round);
    case EventKind::machine_goes:
      --changes_left_;
      return machine_goes(node, round);
    case EventKind::machine_comes:
      --changes_left_;
      return machine_comes(node, round);
    case EventKind::node_expires:
      --expiries_left_;
      if (nodes_[node.index()].outages == event.outage && !nodes_[node.index()].is_up) {
        report_lost(node, round);
      }
      return;
  }
}

void VirtualFleet::machine_goes(NodeId id, Round& round) {
  NodeModel& node = nodes_[id.index()];
  if (!node.is_up) return;
  node.is_up = false;
  ++node.outages;
  std::vector<ContainerId> hit;
  gangs_.for_each([&](ContainerId first, const RunningGang& gang) {
    const auto is_on_node = [&](const GangPiece& piece) { return piece.node == id; };
    if (std::any_of(gang.pieces.begin(), gang.pieces.end(), is_on_node)) hit.push_back(first);
  });
  for (ContainerId first : hit) break_up(first);
  std::vector<ContainerId> held;
  running_.for_each([&](ContainerId container, const RunningTask& task) {
    if (task.node == id) held.push_back(container);
  });
  for (ContainerId container : held) {
    running_.erase(container);
    if (!options_.is_ideal) limits_.erase(container);
  }
  node.unreported.clear();
  node.usage = Resources();
  update_mark(id);
  if (options_.is_ideal) {
    report_lost(id, round);
  } else {
    ++expiries_left_;
    events_.push(now_ + options_.node_expiry,
                 {.kind = EventKind::node_expires, .subject = id.value(), .outage = node.outages});
  }
}

void VirtualFleet::machine_comes(NodeId id, Round& round) {
  NodeModel& node = nodes_[id.index()];
  if (node.is_up) return;
  node.is_up = true;
  // It comes back empty, which tells that what ran on it before is gone.
  if (node.is_known) report_lost(id, round);
  report_joined(id, round);
}

void VirtualFleet::report_lost(NodeId id, Round& round) {
  nodes_[id.index()].is_known = false;
  round.arrivals.push_back(NodeLost{id});
}

void VirtualFleet::report_joined(NodeId id, Round& round) {
  NodeModel& node = nodes_[id.index()];
  node.is_known = true;
  node.free = machines_[id.index()].capacity;
  round.arrivals.push_back(NodeJoined{id, static_cast<std::uint32_t>(round.machines.size())});
  round.machines.push_back(machines_[id.index()]);
  update_mark(id);
}

void VirtualFleet::join_initial(Round& round) {
  has_joined_ = true;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (nodes_[i].is_up) report_joined(NodeId(i), round);
  }
  round.now = now_;
}

void VirtualFleet::beat(NodeId id, Round& round) {
  NodeModel& node = nodes_[id.index()];
  for (const ContainerEnded& ended : node.unreported) round.arrivals.push_back(ended);
  node.unreported.clear();
  round.arrivals.push_back(NodeHeartbeat{id, node.usage});
  update_mark(id);
}

bool VirtualFleet::sweep(Round& round) {
  sweep_due_ = false;
  has_changed_ = false;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (matters(nodes_[i])) beat(NodeId(i), round);
  }
  round.now = now_;
  return !round.arrivals.empty();
}

bool VirtualFleet::matters(const NodeModel& node) const {
  if (!node.is_up) return false;
  if (!node.unreported.empty() || options_.deliver_every_heartbeat) return true;
  if (!interest_.any) return false;
  return options_.is_ideal || interest_.minimum.fits_in(node.free);
}

void VirtualFleet::update_mark(NodeId id) {
  // The ideal model has sweeps instead of the wheel.
  if (!options_.is_ideal) wheel_.mark(id, matters(nodes_[id.index()]));
}

}  // namespace tracebed
