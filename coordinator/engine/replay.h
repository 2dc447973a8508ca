// The loop that drives an engine through a workload on a fleet. It is the same for virtual, real
// and recorded fleets.
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "coordinator/engine/engine.h"
#include "coordinator/engine/submissions.h"
#include "core/fleet.h"
#include "core/outcomes.h"
#include "core/round_log.h"
#include "core/stall.h"
#include "core/storage_inputs.h"
#include "core/workload.h"

namespace tracebed {

class ControlLoop;

// A refresh that a run performs at a given time.
struct ScheduledRefresh {
  TraceTime at{};
  SchedulerConfiguration configuration;
};

// An administrator's command as people state it: nodes by name, since they have no ids before they
// join.
struct AdministratorRequest {
  TraceTime at{};  // when it is due; ignored for one that is to be executed now
  AdministratorCommandKind kind = AdministratorCommandKind::drain;
  std::string node;       // of a move: where to; empty: anywhere else
  ContainerId container;  // of a move
  Duration grace{};
};

// For ReplayOptions::give_up_after: ten minutes, or several of the longest `heartbeat`.
inline Duration give_up_timeout(Duration heartbeat) {
  return std::max(Duration(std::chrono::minutes(10)), 10 * heartbeat);
}

// What shows the rounds of a replay, or acts on them, and decides nothing.
class RoundObserver {
 public:
  virtual ~RoundObserver() = default;
  // A round that is in the log; the engine takes it next, and records what ends in it.
  virtual void arrived(const Round& round) = 0;
  // What the engine made of it, once the fleet has it.
  virtual void commanded(std::span<const Command> commands) = 0;
};

struct ReplayOptions {
  // A run in which jobs are open, but nothing runs, arrives or is to come, is given up after this
  // time (stall_detector.h). Several heartbeats of machines and masters must fit in.
  Duration give_up_after = give_up_timeout({});
  std::vector<ScheduledRefresh> refreshes;  // ascending by time
  // Called after every round for a refresh that is requested now, which becomes the first of the
  // next round; may be null, and may use what other threads request.
  std::function<std::optional<SchedulerConfiguration>()> asked_refresh;
  // Ascending by time. A node that no machine of that name has joined by then stops the run with an
  // InputError.
  std::vector<AdministratorRequest> commands;
  // As asked_refresh. One that names an unknown node is ignored: the requester must check that
  // first.
  std::function<std::vector<AdministratorRequest>()> due_commands;
  // A controller of the scheduler; may be null, and outlives the replay. Of a round's refreshes its
  // change is the first. Its steps do not keep a run from stalling, and neither do its changes.
  ControlLoop* control = nullptr;
  // Files that are in the run's storage before any job is submitted. They arrive together, once as
  // many datanodes have registered as `preloads_after`; then Fleet::begin_jobs is called. One that
  // cannot be stored stops the run with an InputError.
  std::vector<PreloadedFile> preloads;
  std::size_t preloads_after = 0;
  // The replay does not end with its jobs, nor stalls, but when the observer cancels it.
  bool keep_open = false;
  // In this order; they outlive the replay.
  std::vector<RoundObserver*> observers;
};

struct ReplayProgress {
  TraceTime now{};
  std::uint32_t jobs_submitted = 0;
  std::uint32_t jobs_ended = 0;
  std::uint32_t containers = 0;
};

struct ReplayResult {
  // Complete, cancelled, stalled or log_ended: whether jobs succeeded is not looked at.
  RunOutcome outcome = RunOutcome::complete;
  TraceTime ended_at{};
  std::optional<Stall> stall;  // of a run that stalled: why, as it was when it was given up
};

// Called after every round; returns false to cancel the run. May read a clock occasionally.
using ReplayObserver = std::function<bool(const ReplayProgress&)>;

// Replays `jobs` at their submit times (null: the fleet supplies the submissions itself, as a
// recorded one does). `log` may be null. Every round is in the log before the engine's commands are
// sent.
ReplayResult replay(Engine& engine, Fleet& fleet, WorkloadSource* jobs, RoundLog* log,
                    const ReplayObserver& observer, const ReplayOptions& options = {});
// The same with jobs that are due when `jobs` reports it, which may depend on the outcome of
// others.
ReplayResult replay(Engine& engine, Fleet& fleet, Submissions& jobs, RoundLog* log,
                    const ReplayObserver& observer, const ReplayOptions& options = {});

}  // namespace tracebed
