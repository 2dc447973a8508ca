#include "coordinator/api/control_conversions.h"

#include "core/check.h"

namespace tracebed {

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

namespace {

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

}  // namespace

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
  wire.warnings = entry.warnings;
  wire.ahead = static_cast<std::int32_t>(entry.ahead);
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
  agent.containers = static_cast<std::int32_t>(member.containers);
  return agent;
}

}  // namespace tracebed
