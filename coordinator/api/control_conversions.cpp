#include "coordinator/api/control_conversions.h"

#include "core/check.h"

namespace tracebed {

namespace {

constexpr std::size_t name_bytes_max = 256;
constexpr std::size_t reasons_max = 8;
constexpr std::size_t waiting_bytes_max = progress_bytes_max / 2;

control::WaitingJob to_wire(const WaitingJob& job) {
  control::WaitingJob wire;
  wire.job = job.job.value();
  // Names of traces and queues are anything.
  wire.user = clipped(job.user, name_bytes_max);
  wire.queue = clipped(job.queue, name_bytes_max);
  wire.since_microseconds = to_microseconds(job.since);
  for (const auto& [reason, text] : job.reasons) {
    control::WaitingReason& link = wire.reasons.emplace_back();
    link.reason = reason;
    link.text = clipped(text);
    if (wire.reasons.size() == reasons_max) break;
  }
  return wire;
}

control::ReplayProgress to_wire(const RunProgress& progress) {
  control::ReplayProgress wire;
  wire.scheduler = progress.scheduler;
  wire.replay = static_cast<std::int32_t>(progress.replay);
  wire.replays = static_cast<std::int32_t>(progress.replays);
  wire.repetition = static_cast<std::int32_t>(progress.repetition);
  wire.repetitions = static_cast<std::int32_t>(progress.repetitions);
  wire.is_noise = progress.is_noise;
  wire.done = progress.done;
  wire.jobs = static_cast<std::int64_t>(progress.jobs);
  wire.jobs_submitted = static_cast<std::int64_t>(progress.jobs_submitted);
  wire.jobs_ended = static_cast<std::int64_t>(progress.jobs_ended);
  wire.containers = static_cast<std::int64_t>(progress.containers);
  wire.trace_microseconds = to_microseconds(progress.now);
  std::size_t bytes = 0;
  for (const WaitingJob& job : progress.waiting) {
    const control::WaitingJob& shown = wire.waiting.emplace_back(to_wire(job));
    bytes += shown.user.size() + shown.queue.size();
    for (const auto& link : shown.reasons) bytes += link.reason.size() + link.text.size();
    if (bytes > waiting_bytes_max) break;
  }
  return wire;
}

}  // namespace

control::RunStatus to_wire(const RunEntry& entry) {
  control::RunStatus wire;
  wire.run = entry.id;
  wire.name = entry.name;
  wire.state = to_wire(entry.state);
  wire.message = entry.message;
  wire.exit_code = to_int(entry.exit_code);
  wire.folder = entry.folder.string();
  wire.submitted_at = entry.submitted_at;
  wire.started_at = entry.started_at;
  wire.ended_at = entry.ended_at;
  for (const RunChange& change : entry.changes) {
    control::ChangeOutcome& outcome = wire.changes.emplace_back();
    outcome.was_taken = change.was_taken;
    outcome.text = change.text;
    outcome.number = change.number;
    outcome.at = change.at;
    outcome.trace_microseconds = to_microseconds(change.trace_at);
  }
  wire.warnings = entry.warnings;
  wire.ahead = static_cast<std::int32_t>(entry.ahead);
  wire.waits_for = entry.waits_for;
  if (entry.progress) wire.__set_progress(to_wire(*entry.progress));
  return wire;
}

control::DatanodeStatus to_wire(const DatanodeMember& member) {
  control::DatanodeStatus datanode;
  datanode.address = member.address;
  datanode.transfer_port = member.transfer_port;
  datanode.http_port = member.http_port;
  datanode.software = member.software;
  datanode.is_alive = member.is_alive;
  datanode.is_in_run = member.has_run;
  return datanode;
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
  agent.is_alive = member.is_alive;
  agent.containers = static_cast<std::int32_t>(member.containers);
  agent.has_launcher = member.has_launcher;
  agent.is_drained = member.is_drained;
  agent.is_waiting = member.is_waiting;
  agent.keeps_outputs = member.keeps_outputs;
  agent.silent_nanoseconds = std::chrono::duration_cast<std::chrono::nanoseconds>(
                                 std::chrono::steady_clock::now() - member.last_contact)
                                 .count();
  return agent;
}

}  // namespace tracebed
