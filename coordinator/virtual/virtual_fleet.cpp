#include "coordinator/virtual/virtual_fleet.h"

#include <algorithm>
#include <utility>

#include "core/check.h"
#include "core/visit.h"

namespace tracebed {
namespace {

// A task that uses more CPU than it can have is throttled to that.
Duration throttled_run_time(const Work& work, std::int64_t milli_vcores) {
  if (milli_vcores <= 0) return work.duration;
  return std::max(work.duration, Duration(work.cpu_time.count() * 1000 / milli_vcores));
}

}  // namespace

Resources VirtualFleet::usage_of(const Work& work, Duration run_time) {
  const std::int64_t milli_vcores =
      run_time.count() > 0 ? work.cpu_time.count() * 1000 / run_time.count() : 0;
  return Resources(milli_vcores, work.memory_mib);
}

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
      launch_latency_(options.is_ideal ? LatencySpread() : options.launch_latency,
                      Random::stream(options.seed, "virtual.launch_latency")),
      task_overhead_(options.is_ideal ? LatencySpread() : options.task_overhead,
                     Random::stream(options.seed, "virtual.task_overhead")),
      master_startup_(options.is_ideal ? LatencySpread() : options.master_startup,
                      Random::stream(options.seed, "virtual.master_startup")),
      wheel_(machines_.size(), options.heartbeat_period,
             Random::stream(options.seed, "virtual.heartbeat_phase"),
             {options.heartbeat_jitter,
              Random::stream(options.seed, "virtual.heartbeat_jitter").next()}),
      shared_(options.swap_cost),
      checkpoint_time_(options.is_ideal ? Duration::zero() : options.checkpoint_time) {
  std::stable_sort(changes.begin(), changes.end(),
                   [](const MachineChange& a, const MachineChange& b) { return a.at < b.at; });
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    nodes_[i].is_up = true;
    nodes_[i].speed = machines_[i].speed;
  }
  if (options_.storage) storage_.emplace(*options_.storage, machines_, options_.is_ideal);
  std::vector<bool> has_change(nodes_.size());
  for (const MachineChange& change : changes) {
    const std::size_t index = change.node.index();
    TRACEBED_CHECK(index < nodes_.size(), "a machine that changes is one of the machines");
    if (!has_change[index] && change.up) nodes_[index].is_up = false;
    has_change[index] = true;
    schedule(change);
  }
}

void VirtualFleet::look_at(const StorageView& namenode) {
  if (storage_) storage_->look_at(namenode);
}

VirtualDatanodes& VirtualFleet::datanodes() {
  TRACEBED_CHECK(storage_.has_value(), "commands for datanodes are those of a run with storage");
  return storage_->datanodes();
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
        [&](const AnswerMaster& answered) { answer_master(answered.answer); },
        [&](const AnswerDatanode& answered) { datanodes().execute(answered, now_); },
        [&](const StoreReplicas& stored) { datanodes().execute(stored); },
        [&](const AnswerStorageCall& answered) {
          TRACEBED_CHECK(storage_.has_value(), "calls are those of a run with storage");
          storage_->answered(answered, now_);
        },
        [&](const MapOutputReady& output) { storage_->execute(output, now_); },
        [&](const RemoveMapOutputs& removed) { storage_->execute(removed); });
  }
  if (storage_) storage_->expect_orders();
  schedule_pending_end();
  has_changed_ |= !commands.empty() || interest.has_cluster_changed;
  sweep_due_ = options_.is_ideal && interest_.any && has_changed_;
}

void VirtualFleet::launch(const LaunchContainer& command) {
  NodeModel& node = nodes_[command.node.index()];
  if (!node.is_up) return;  // lost with the node, which the engine is notified of
  RunningTask& task = running_.emplace_at(command.container);
  task.node = command.node;
  task.work = options_.faults.work_in(command.container, command.limits, command.work);
  if (node.speed != 1'000) task.work = at_speed(task.work, node.speed);
  const bool can_read =
      !storage_ || storage_->plan_reading(command.container, command.node, command.work);
  if (const auto bytes = VirtualStorage::bytes_to_read(command.work)) {
    task.work.input_bytes = *bytes;
  }
  if (storage_) storage_->plan_writing(command.container, command.node, command.work);
  if (storage_) storage_->plan_shuffling(command.container, command.node, command.work);
  task.started = now_ + launch_latency_.draw();
  task.run_time = options_.is_ideal
                      ? task.work.duration
                      : enforced_run_time(task, command.limits) + task_overhead_.draw();
  task.is_held = command.is_held;
  if (command.work.progress_interval > Duration::zero()) {
    progress_intervals_.emplace(command.container, command.work.progress_interval);
  }
  if (command.limits.memory_mib() > 0 && task.work.memory_mib > command.limits.memory_mib()) {
    // It touches its memory first, so the limit ends it as soon as it runs.
    task.work.memory_mib = command.limits.memory_mib();
    task.run_time = Duration::zero();
    task.is_held = false;
    task.end = ContainerEnd::out_of_memory;
  } else if (!can_read) {
    task.work.input_bytes = 0;
    task.run_time = Duration::zero();
    task.end = ContainerEnd::failed;
  } else if (command.work.exhausts_heap) {
    task.run_time = Duration::zero();
    task.end = ContainerEnd::heap_exhausted;
  }
  // What is not to work reads and writes nothing.
  if (task.end != ContainerEnd::succeeded && storage_) forget_files(command.container);
  task.looks_survived = static_cast<std::int8_t>(options_.virtual_memory.looks_survived_by(
      command.work.memory_mib, command.limits.memory_mib()));
  task.ends = never;
  if (storage_ && storage_->is_fetching(command.container)) {
    events_.push(task.started,
                 {.kind = EventKind::fetching_begins, .subject = command.container.value()});
  }
  if (!task.is_held) begin_work(command.container, task);
  if (options_.is_ideal) return;
  node.free -= command.limits;
  node.usage += usage_of(task.work, task.run_time);
  limits_.emplace_at(command.container, command.limits);
  update_mark(command.node);
  share_if_oversubscribed(command.node);
}

// Sets the task's weight. In one machine either all containers have weights of their own or all
// have the same.
Duration VirtualFleet::enforced_run_time(RunningTask& task, const Resources& limits) const {
  const std::int64_t of_machine = machines_[task.node.index()].capacity.milli_vcores();
  if (options_.cpu_enforcement == CpuEnforcement::quota) {
    return throttled_run_time(task.work, limits.milli_vcores());
  }
  task.cpu_weight = std::max<std::int64_t>(
      limits.milli_vcores() > 0 ? std::min(limits.milli_vcores(), of_machine) : of_machine, 1);
  return throttled_run_time(task.work, of_machine);
}

void VirtualFleet::continue_held(ContainerId id) {
  RunningTask* task = running_.find(id);
  if (task == nullptr || !task->is_held) return;  // it ended meanwhile
  task->is_held = false;
  begin_work(id, *task);
}

void VirtualFleet::begin_work(ContainerId id, RunningTask& task) {
  const TraceTime begun = std::max(now_, task.started);
  if (!progress_intervals_.empty()) report_progress_from(id, task, begun);
  task.ends = begun + task.run_time;
  if (waits_for_files(id)) {
    events_.push(begun, {.kind = EventKind::file_transfers_begin, .subject = id.value()});
  }
  if (shared_.has(task.node) && task.run_time > Duration::zero()) return share(id, task);
  expect_memory_look(task, begun, task.ends);
  schedule_end(id, std::min(task.ends, task.killed_at));
}

void VirtualFleet::expect_memory_look(RunningTask& task, TraceTime begun, TraceTime end) const {
  if (task.looks_survived < 0) return;
  const Duration interval = options_.virtual_memory.interval;
  const auto look_after = [&](TraceTime time) {
    return TraceTime(interval * (time.time_since_epoch() / interval + 1));
  };
  const TraceTime killed =
      std::max(look_after(begun), look_after(task.started) + interval * task.looks_survived);
  if (killed >= end) return;
  task.end = ContainerEnd::virtual_memory_exceeded;
  task.killed_at = killed;
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
  const bool is_done = expected_end(id, *task) <= written && !waits_for_files(id);
  if (is_done || task->end == ContainerEnd::out_of_memory) return;
  stop_sharing(id, *task);
  task->end = ContainerEnd::checkpointed;
  task->killed_at = written;
  schedule_end(id, written);
}

void VirtualFleet::end_task(ContainerId id, Round& round) {
  const RunningTask* task = running_.find(id);
  if (task == nullptr) return;  // it was killed, or went with its machine
  if (now_ < std::min(task->ends, task->killed_at)) return;  // it became slower
  if (ends_later(id, *task)) return;                         // in end_file_transfers()
  if (!progress_intervals_.empty()) progress_intervals_.erase(id);
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
  end_sharing(id, node_id);
  update_mark(node_id);
  if (options_.out_of_band_heartbeat) beat(node_id, round);
}

void VirtualFleet::report_end(ContainerId id, const RunningTask& task, ContainerEnded& report) {
  report.container = id;
  report.node = task.node;
  report.end = task.end;
  ContainerAccount& account = report.account;
  const bool outlasts_its_run_time = waits_for_files(id) && task.killed_at != never;
  account.ended = outlasts_its_run_time ? task.killed_at : std::min(task.ends, task.killed_at);
  account.started = std::min(task.started, account.ended);
  // A task that was cut short has done the same part of everything.
  const bool is_kept = task.end == ContainerEnd::checkpointed;
  double done = part_done(id, task, is_kept ? account.ended - checkpoint_time_ : account.ended);
  if (storage_) done = account_files(id, task, done, account);
  if (is_kept) account.progress = static_cast<std::uint32_t>(done * whole_work);
  const auto part = [done](std::int64_t whole) {
    return done >= 1 ? whole : static_cast<std::int64_t>(static_cast<double>(whole) * done);
  };
  account.cpu_time = Duration(part(task.work.cpu_time.count()));
  account.memory_peak_mib = task.work.memory_mib;
  // One that is held fetches before it does any work.
  account.bytes_read = std::max(part(task.work.input_bytes + task.work.shuffle_bytes),
                                account.input.total() + account.shuffled.total());
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
    const TraceTime next_beat = wheel_.next_time(std::max(now_, beaten_until_ + microseconds(1)));
    const TraceTime of_storage = storage_ ? storage_->next_time(now_) : never;
    const TraceTime next =
        std::min({events_.next_time(), shared_.next_time(), next_beat, of_storage, deadline});
    if (next == never) {
      round.now = never;
      return;
    }
    now_ = next;
    take_due(round);
    if (!round.arrivals.empty() || now_ == deadline) {
      round.now = now_;
      has_changed_ = true;
      return;
    }
  }
}

void VirtualFleet::take_due(Round& round) {
  if (storage_) {
    storage_->advance(now_, round);
    take_file_outcomes(round);
  }
  if (shared_.next_time() == now_) take_shared_ends(round);
  while (events_.next_time() == now_) handle(events_.pop(), round);
  if (storage_) take_file_outcomes(round);
  if (beaten_until_ == now_) return;
  while (wheel_.next_time(now_) == now_) beat(wheel_.take(), round);
  beaten_until_ = now_;
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
      return end_gang(ContainerId(event.subject), event.instance, round);
    case EventKind::master_calls:
      return take_call(ContainerId(event.subject), round);
    case EventKind::file_transfers_begin:
      return begin_file_transfers(ContainerId(event.subject));
    case EventKind::fetching_begins:
      return storage_->start_fetching(ContainerId(event.subject), now_);
    case EventKind::sharing_begins:
      return begin_sharing(ContainerId(event.subject));
    case EventKind::progress_is_due:
      return report_progress(node, event.instance, round);
    case EventKind::machine_goes:
      --changes_left_;
      return machine_goes(node, round);
    case EventKind::machine_comes:
      --changes_left_;
      return machine_comes(node, round);
    case EventKind::node_expires:
      --expiries_left_;
      if (nodes_[node.index()].outages == event.instance && !nodes_[node.index()].is_up) {
        report_lost(node, round);
      }
      return;
  }
}

}  // namespace tracebed
