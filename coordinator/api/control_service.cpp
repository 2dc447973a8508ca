#include "coordinator/api/control_service.h"

#include <algorithm>
#include <fmt/format.h>

#include "coordinator/config/load_experiment.h"
#include "core/input_error.h"

namespace tracebed {
namespace {

control::RunState::type to_wire(RunState state) {
  switch (state) {
    case RunState::waiting:
      return control::RunState::WAITING;
    case RunState::running:
      return control::RunState::RUNNING;
    case RunState::finished:
      return control::RunState::FINISHED;
    case RunState::failed:
      return control::RunState::FAILED;
    case RunState::cancelled:
      return control::RunState::CANCELLED;
  }
  TRACEBED_CHECK(false, "a run is in one of the known states");
}

control::WaitingJob to_wire(const WaitingJob& job) {
  control::WaitingJob wire;
  wire.job = job.job.value();
  wire.user = job.user;
  wire.queue = job.queue;
  wire.since_microseconds = to_microseconds(job.since);
  for (const auto& [reason, text] : job.reasons) {
    control::WaitingReason& link = wire.reasons.emplace_back();
    link.reason = reason;
    link.text = text;
  }
  return wire;
}

control::ReplayProgress to_wire(const RunProgress& progress) {
  control::ReplayProgress wire;
  wire.scheduler = progress.scheduler;
  wire.replay = static_cast<std::int32_t>(progress.replay);
  wire.replays = static_cast<std::int32_t>(progress.replays);
  wire.jobs = static_cast<std::int64_t>(progress.jobs);
  wire.jobs_submitted = static_cast<std::int64_t>(progress.jobs_submitted);
  wire.jobs_ended = static_cast<std::int64_t>(progress.jobs_ended);
  wire.containers = static_cast<std::int64_t>(progress.containers);
  wire.trace_microseconds = to_microseconds(progress.now);
  for (const WaitingJob& job : progress.waiting) wire.waiting.push_back(to_wire(job));
  return wire;
}

control::RunStatus to_wire(const RunEntry& entry) {
  control::RunStatus wire;
  wire.run = entry.id;
  wire.name = entry.name;
  wire.state = to_wire(entry.state);
  wire.message = entry.message;
  wire.folder = entry.folder.string();
  wire.submitted_at = entry.submitted_at;
  wire.started_at = entry.started_at;
  wire.ended_at = entry.ended_at;
  for (const auto& [was_taken, text] : entry.changes) {
    control::ChangeOutcome& outcome = wire.changes.emplace_back();
    outcome.was_taken = was_taken;
    outcome.text = text;
  }
  if (entry.progress) wire.__set_progress(to_wire(*entry.progress));
  return wire;
}

control::AgentStatus to_wire(const RosterMember& member) {
  control::AgentStatus agent;
  agent.name = member.machine.name;
  agent.rack = member.machine.rack;
  agent.labels = member.machine.labels;
  agent.address = member.address;
  agent.milli_vcores = member.machine.capacity.milli_vcores();
  agent.memory_mib = member.machine.capacity.memory_mib();
  agent.isolation = name(member.isolation);
  agent.software = member.software;
  agent.clock_ahead_nanoseconds = member.clock.ahead().count();
  agent.is_there = member.is_there;
  return agent;
}

[[noreturn]] void refuse(const std::string& message) {
  control::BadExperiment bad;
  bad.message = message;
  throw bad;
}

}  // namespace

ControlService::ControlService(RunQueue& queue, std::optional<std::filesystem::path> traces,
                               Check check, const AgentRoster* roster)
    : queue_(queue), traces_(std::move(traces)), check_(std::move(check)), roster_(roster) {}

Experiment ControlService::parse(const std::string& text, const std::string& name) const {
  if (!traces_) {
    refuse("this coordinator was started without --traces, so it can read no trace");
  }
  std::vector<Override> overrides;
  if (!name.empty()) overrides.push_back({"the submitted name", "name", '"' + name + '"'});
  const TraceFolders folders{*traces_, traces_, true};
  Experiment experiment = parse_experiment(text, "experiment", folders, overrides);
  // What names a place outside the run is the coordinator's to decide, not a client's.
  if (!experiment.output.empty()) refuse("output: not allowed in a submitted experiment");
  if (!experiment.log.redis.empty()) refuse("log.redis: not allowed in a submitted experiment");
  return experiment;
}

std::int64_t ControlService::submit(const std::string& text, const std::string& name) {
  // Thrift turns exceptions of other types into an internal error without a message.
  try {
    Experiment experiment = parse(text, name);
    check_(experiment);
    const std::optional<std::int64_t> run = queue_.submit(std::move(experiment));
    if (run) return *run;
  } catch (const InputError& error) {
    refuse(error.what());
  } catch (const EnvironmentError& error) {
    refuse(error.what());
  }
  control::QueueIsFull full;
  full.limit = static_cast<std::int32_t>(RunQueue::waiting_max);
  throw full;
}

void ControlService::list_runs(std::vector<control::RunStatus>& runs, std::int32_t limit) {
  const auto count = static_cast<std::size_t>(std::clamp(limit, 1, 1000));
  for (const RunEntry& entry : queue_.list(count)) runs.push_back(to_wire(entry));
}

void ControlService::status(control::RunStatus& status, std::int64_t run) {
  const std::optional<RunEntry> entry = queue_.find(run);
  if (!entry) {
    control::UnknownRun unknown;
    unknown.run = run;
    throw unknown;
  }
  status = to_wire(*entry);
}

void ControlService::refresh(std::int64_t run, const std::string& setting,
                             const std::string& value) {
  constexpr std::size_t bytes_max = std::size_t{1} << 20;
  // A path would be read on this machine, for somebody who may not.
  const std::size_t begin = value.find_first_not_of(" \t\r\n");
  if (value.size() > bytes_max || begin == std::string::npos || value[begin] != '<') {
    refuse(fmt::format("{}: expected XML, at most {} bytes of it", setting, bytes_max));
  }
  change(run, RefreshWish{setting, value});
}

void ControlService::order(std::int64_t run, const control::Order& order) {
  constexpr std::int64_t grace_max = std::int64_t{366} * 24 * 3600 * 1'000'000;
  constexpr std::size_t name_bytes_max = 256;
  OrderWish wish;
  switch (order.kind) {
    case control::OrderKind::MOVE:
      wish.kind = OrderKind::move;
      break;
    case control::OrderKind::DRAIN:
      wish.kind = OrderKind::drain;
      break;
    case control::OrderKind::UNDRAIN:
      wish.kind = OrderKind::undrain;
      break;
    default:
      refuse(fmt::format("order.kind: expected 1, 2 or 3, got {}", static_cast<int>(order.kind)));
  }
  const bool is_move = wish.kind == OrderKind::move;
  if (order.node.size() > name_bytes_max || (order.node.empty() && !is_move)) {
    refuse(fmt::format("order.node: expected a name of at most {} bytes, got {}", name_bytes_max,
                       order.node.size()));
  }
  if (order.grace_microseconds < 0 || order.grace_microseconds > grace_max) {
    refuse(fmt::format("order.grace_microseconds: expected 0 to {}, got {}", grace_max,
                       order.grace_microseconds));
  }
  constexpr std::int64_t container_max = std::numeric_limits<std::uint32_t>::max() - 1;
  if (is_move && (order.container < 0 || order.container > container_max)) {
    refuse(
        fmt::format("order.container: expected 0 to {}, got {}", container_max, order.container));
  }
  wish.node = order.node;
  if (is_move) wish.container = ContainerId(static_cast<std::uint32_t>(order.container));
  wish.grace = Duration(order.grace_microseconds);
  change(run, std::move(wish));
}

void ControlService::change(std::int64_t run, ChangeWish wish) {
  const std::optional<RunState> state = queue_.change(run, std::move(wish));
  if (!state) {
    control::UnknownRun unknown;
    unknown.run = run;
    throw unknown;
  }
  if (*state == RunState::running) return;
  control::RunIsNotRunning idle;
  idle.run = run;
  idle.state = to_wire(*state);
  throw idle;
}

void ControlService::cluster(control::ClusterStatus& status) {
  status.software = TRACEBED_VERSION;
  status.has_agents = roster_ != nullptr;
  if (roster_ == nullptr) return;
  const AgentRoster::State state = roster_->state();
  status.endpoint = roster_->endpoint();
  status.is_in_run = state.is_lent;
  status.agents_refused = static_cast<std::int64_t>(state.agents_refused);
  status.keys_refused = static_cast<std::int64_t>(state.keys_refused);
  for (const RosterMember& member : state.members) status.agents.push_back(to_wire(member));
}

void ControlService::cancel(std::int64_t run) {
  const std::optional<RunState> state = queue_.cancel(run);
  if (!state) {
    control::UnknownRun unknown;
    unknown.run = run;
    throw unknown;
  }
  if (!has_ended(*state)) return;
  control::RunHasEnded ended;
  ended.run = run;
  ended.state = to_wire(*state);
  throw ended;
}

}  // namespace tracebed
